import i18next from "i18next";
import { formatDuration } from "../../format";
import type { DrillStep } from "../../stores/drills";
import { type CodeFamily, hasWord, operationName, valuesInside, wordFor, wordOrText } from "../../words";
import { faultWordCode } from "../sandbox/fault-list";

/** Whose step it is: decides its mark and its column. */
export type StepOwner = "journal" | "website" | "mail" | "outside" | "person" | "program";

/** A step as one line; equal requests in a row are one line with their number. */
export interface StepLine {
  key: string;
  at: number;
  owner: StepOwner;
  text: string;
  /** What is told beside it, muted. */
  detail: string;
  times: number;
}

/** The steps as lines, in order. */
export function stepLines(steps: readonly DrillStep[]): StepLine[] {
  const lines: StepLine[] = [];
  for (const [index, step] of steps.entries()) {
    const line = { key: String(index), at: step.at, times: 1, ...wordsOf(step) };
    const last = lines.at(-1);
    if (step.kind === "call" && last?.text === line.text && last.owner === line.owner) last.times += 1;
    else lines.push(line);
  }
  return lines;
}

function wordsOf(step: DrillStep): Pick<StepLine, "owner" | "text" | "detail"> {
  switch (step.kind) {
    case "event":
      return { owner: "journal", text: wordFor("event", step.type), detail: eventDetail(step) };
    case "call":
      return {
        owner: holderOf(step.call),
        text: i18next.t("drills.steps.call", { call: callWord(step.call) }),
        detail: "",
      };
    case "fault":
      return {
        owner: holderOf(step.on),
        text: i18next.t("drills.steps.fault", { fault: faultWord(step) }),
        detail: "",
      };
    case "object": {
      const status = wordFor("drills.status", step.status);
      return { owner: step.holder, text: i18next.t("drills.steps.holds", { id: step.id, status }), detail: "" };
    }
    case "person": {
      const [asked, answer] = [askedWords(step.asked), answerWords(step.answer)];
      return {
        owner: "person",
        text: i18next.t("drills.steps.person", { asked, answer: answer.word }),
        detail: answer.why,
      };
    }
    case "program":
      return { owner: "program", text: programText(step), detail: "" };
  }
}

function eventDetail(step: Extract<DrillStep, { kind: "event" }>): string {
  const { operation, toState, blockedReason } = step;
  return [
    operation === null ? null : operationName(operation.kind, operation.phase),
    toState === null ? null : i18next.t("drills.steps.toState", { state: wordFor("state", toState) }),
    blockedReason === null ? null : wordFor("blockedReason", blockedReason),
  ]
    .filter((part) => part !== null)
    .join(" · ");
}

/** `cms.create`: who received it. Links and sources belong to others. */
function holderOf(call: string): StepOwner {
  const area = call.split(".")[0];
  if (area === "cms" || area === "site") return "website";
  return area === "mail" ? "mail" : "outside";
}

/** A request in words: a dot in a code would leave its family. */
export const callWord = (call: string): string => wordFor("drills.call", call.replace(".", "_"));

function faultWord(step: { on: string; fault: string }): string {
  const code = faultWordCode(step);
  if (hasWord("sandbox.fault", code)) return wordFor("sandbox.fault", code);
  return i18next.t("drills.steps.faultOn", { call: callWord(step.on), fault: step.fault });
}

/** `verdict publish.create happened`: a word for the first, the others as they have words. */
function askedWords(asked: string): string {
  const [what = "", ...about] = asked.split(" ");
  const rest = about.map((token) => worded(["state", "undo", "verdict", "scope"], token));
  return [wordFor("drills.asked", what), ...rest].join(" ");
}

/** `guard_failed: content_hash_differs`: what was answered, and why. */
function answerWords(answer: string): { word: string; why: string } {
  const [what = "", why = ""] = answer.split(": ");
  if (!hasWord("drills.answer", what)) return { word: answer, why: "" };
  return { word: wordFor("drills.answer", what), why: why.split(" ").map(unmetWord).join(" ") };
}

/** An unmet condition whose sentence needs no values, or its code. */
export function unmetWord(code: string): string {
  return hasWord("unmet", code) && valuesInside("unmet", code).length === 0 ? wordFor("unmet", code) : code;
}

/** The word of the first family that has one, or the text itself. */
export function worded(families: readonly CodeFamily[], text: string): string {
  const family = families.find((one) => hasWord(one, text));
  return family === undefined ? text : wordOrText(family, text);
}

function programText({ what, name, detail }: Extract<DrillStep, { kind: "program" }>): string {
  return i18next.t(`drills.program.${what}`, {
    name,
    detail: what === "slept" ? formatDuration(Number(detail)) : detail,
  });
}
