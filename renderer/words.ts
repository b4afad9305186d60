import i18next from "i18next";

/** Families of codes that have words of their own in the locales. */
export type CodeFamily =
  | "state"
  | "stateShort"
  | "operationState"
  | "operationKind"
  | "operationPhase"
  | "blockedReason"
  | "blockedNext"
  | "owner"
  | "verdict"
  | "lookVerdict"
  | "attemptOutcome"
  | "errorClass"
  | "approvalState"
  | "scope"
  | "sourceState"
  | "link"
  | "recipient"
  | "grade"
  | "undo"
  | "artifact"
  | "event"
  | "unmet"
  | "value"
  | "content.warning"
  | "draft.fault"
  | "draft.field"
  | "draft.wrong"
  | "send.recipientGroup"
  | "send.changeReason"
  | "compensation.action"
  | "compensation.byHand"
  | "compensation.status"
  | "compensation.step"
  | "compensation.precondition"
  | "compensation.verification"
  | "compensation.code"
  | "compensation.incident.rule"
  | "incident.evidence"
  | "incident.kind"
  | "incident.rule"
  | "incident.runbook.part"
  | "incident.runbook.phase"
  | "incident.runbook.who"
  | "incident.scope"
  | "alerts.code"
  | "alerts.todo"
  | "drills.duty.name"
  | "drills.trouble"
  | "recovery.kind"
  | "recovery.stage"
  | "health.preflight.gap"
  | "health.tool"
  | "settings.backups.fault"
  | "settings.fault"
  | "settings.schedule.name"
  | "run.evidence"
  | "run.blocked.go"
  | "sandbox.fault"
  | "drills.call"
  | "drills.status"
  | "drills.asked"
  | "drills.answer"
  | "drills.alert"
  | "drills.urgency"
  | "drills.incident"
  | "drills.moment"
  | "drills.about"
  | "drills.seen"
  | "drills.why"
  | "drills.way"
  | "drills.led.fact"
  | "today.kind"
  | "audit.check"
  | "audit.keyReason"
  | "audit.why";

type Values = Record<string, string | number>;

// The typed `t` knows literal keys only; a code that comes from the journal is looked up by name here, and only here.
const lookUp = i18next as unknown as { exists(key: string): boolean; t(key: string, values?: Values): string };

/** True where this code has words in the present language. Codes hold no dots, or the look-up would leave its family. */
export function hasWord(family: CodeFamily, code: string): boolean {
  return /^[\w/ -]+$/.test(code) && lookUp.exists(`${family}.${code}`);
}

/** The words for a code; a code without words is shown readably, never as a blank: the journal may be newer than the texts. */
export function wordFor(family: CodeFamily, code: string, values: Values = {}): string {
  if (hasWord(family, code)) return lookUp.t(`${family}.${code}`, values);
  return lookUp.t("codeWithoutWord", { code: code.replaceAll("_", " ") });
}

/** The words for a code, or the text itself where it is free text (a reason a person wrote, an undo described in words). */
export function wordOrText(family: CodeFamily, text: string): string {
  return hasWord(family, text) ? lookUp.t(`${family}.${text}`) : text;
}

/** `editor:Lin` → “Editor Lin”; what has no role stays as it is. */
export function actorWord(actor: string): string {
  const split = actor.indexOf(":");
  const role = split < 0 ? actor : actor.slice(0, split);
  return lookUp.exists(`actor.${role}`)
    ? lookUp.t(`actor.${role}`, { name: split < 0 ? "" : actor.slice(split + 1) })
    : actor;
}

/** “Publish, create”: what an operation is, in words. */
export function operationName(kind: string, phase: string): string {
  return i18next.t("run.operation.name", {
    kind: wordFor("operationKind", kind),
    phase: wordFor("operationPhase", phase),
  });
}

/** The names of the values which a sentence already contains, so that they are not listed a second time. */
export function valuesInside(family: CodeFamily, code: string): string[] {
  if (!hasWord(family, code)) return [];
  const raw = (i18next.getResource(i18next.language, "translation", `${family}.${code}`) as unknown) ?? "";
  return typeof raw === "string" ? [...raw.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] as string) : [];
}
