import type { Command, CommandContext } from "../commands";
import { derivedId } from "../hashing";
import { hasLeft, isMailing } from "../operation";
import { type Decision, draftEvent, refuse, type Write } from "../plan";
import type { RecipientAccountRow, RecipientOutcome } from "../records";
import { unmet } from "../unmet";
import type { TaskView } from "../view";
import { causerOf, checkExecutor, checkStanding } from "./actor";

type RecordStep = Extract<Command, { type: "record_step" }>;
type Note = Extract<Command, { type: "note" }>;
type Account = Extract<Command, { type: "account_recipients" }>;

/** Saves a stage's checkpoint, with the event that tells what was done. The state does not move. */
export function decideRecordStep(view: TaskView, command: RecordStep, context: CommandContext): Decision {
  const standing = checkExecutor(context, "record_step") ?? checkStanding(view.task, context, true);
  if (standing) return { ok: false, refusal: standing };
  const step = view.step(command.step);
  if (!step || step.endedAt !== null || view.task.state !== command.step)
    return refuse("illegal_transition", unmet("state_is", { state: view.task.state }));
  const writes: Write[] = [
    ...(command.artifacts ?? []).map((artifact) => ({
      table: "artifact" as const,
      insertIfNew: { ...artifact, taskId: view.task.id, at: context.now },
    })),
    { table: "step", upsert: { ...step, attempts: step.attempts + command.calls, checkpoint: command.checkpoint } },
  ];
  const event = command.event;
  return {
    ok: true,
    plan: {
      task: { callsUsed: view.task.callsUsed + command.calls },
      events: event ? [draftEvent(event.type, { payload: event.payload, evidenceRefs: event.evidenceRefs })] : [],
      writes,
    },
  };
}

/** Events that are told and change no state: probes, warnings, edits of the e-mail. */
const NOTES = new Set([
  "ProbeAttempted",
  "PageVerified",
  "SourceChangeWarned",
  "SourcesReread",
  "EmailEdited",
  "CancelRequested",
  "CancelConfirmed",
  "CancelUnknown",
]);

export function decideNote(view: TaskView, command: Note, context: CommandContext): Decision {
  if (!NOTES.has(command.event))
    return refuse("illegal_transition", unmet("state_is", { state: view.task.state, event: command.event }));
  // A page is proved by reading it, not by saying so: sends rely on it (I04).
  const isProof = command.event === "PageVerified";
  const standing = (isProof ? checkExecutor(context, command.event) : null) ?? checkStanding(view.task, context, true);
  if (standing) return { ok: false, refusal: standing };
  const writes = (command.artifacts ?? []).map((artifact) => ({
    table: "artifact" as const,
    insertIfNew: { ...artifact, taskId: view.task.id, at: context.now },
  }));
  const event = draftEvent(command.event, {
    operationId: command.operationId,
    reason: command.reason ?? null,
    evidenceRefs: command.evidenceRefs ?? [],
    payload: { ...command.payload, ...(command.context ? { context: command.context } : {}) },
  });
  return {
    ok: true,
    plan: { task: { callsUsed: view.task.callsUsed + (command.calls ?? 0) }, events: [event], writes },
  };
}

/**
 * Reports come in any order and many times: an account only ever moves up (standards: outside systems). What a person closed
 * for want of a report is still open to the report itself: a late complaint must reach customer care.
 */
const RANK: Readonly<Record<RecipientOutcome, number>> = {
  unknown: 0,
  accepted: 1,
  closed_by_person: 2,
  delivered: 3,
  bounced: 4,
  complained: 5,
  excluded: 9,
};

/** Excluded is decided with the audience, and unknown is what nobody has said anything about: neither is ever reported. */
const isReport = (outcome: RecipientOutcome): boolean => outcome !== "excluded" && outcome !== "unknown";

/** Accounts for recipients from the provider's report, or by a person with evidence for those nobody will report on. */
export function decideAccount(view: TaskView, command: Account, context: CommandContext): Decision {
  const person = causerOf(context.actor) === "person";
  const standing = checkStanding(view.task, context, person);
  if (standing) return { ok: false, refusal: standing };
  const closing = command.outcomes.some((row) => row.outcome === "closed_by_person");
  if (closing && (!person || (command.evidence ?? "").trim() === ""))
    return refuse(
      "guard_failed",
      unmet(person ? "evidence_missing" : "person_required", { event: "closed_by_person" }),
    );
  if (command.outcomes.length > 0 && !view.operations().some((row) => isMailing(row.kind) && hasLeft(row)))
    return refuse("guard_failed", unmet("nothing_is_out"));
  const known = new Map(view.recipients().map((row) => [row.recipientId, row]));
  const unknownIds = command.outcomes.filter((row) => !known.has(row.recipientId));
  if (unknownIds.length > 0)
    return refuse(
      "guard_failed",
      ...unknownIds.slice(0, 20).map((row) => unmet("recipient_not_found", { recipient: row.recipientId })),
    );
  const changed = command.outcomes.flatMap((report) => {
    const row = known.get(report.recipientId) as RecipientAccountRow;
    return isReport(report.outcome) && RANK[report.outcome] > RANK[row.outcome]
      ? [{ ...row, outcome: report.outcome, code: report.code, at: report.at }]
      : [];
  });
  const counts = countOutcomes(
    [...known.values()].map((row) => changed.find((c) => c.recipientId === row.recipientId) ?? row),
  );
  const event = draftEvent("DeliveryObserved", {
    reason: command.evidence ?? null,
    payload: { changed: changed.length, counts, context: { nextObserveAt: command.nextObserveAt } },
  });
  const writes: Write[] = changed.map((row) => ({ table: "recipient_account", upsert: row }));
  return { ok: true, plan: { task: {}, events: [event], writes: [...writes, ...careItems(view, changed, context)] } };
}

function countOutcomes(rows: readonly RecipientAccountRow[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) counts[row.outcome] = (counts[row.outcome] ?? 0) + 1;
  return counts;
}

/** A bounce or complaint goes to the customer-care queue: with an owner and a due time, never silently (domain 11). */
function careItems(view: TaskView, changed: readonly RecipientAccountRow[], context: CommandContext): Write[] {
  const { task } = view;
  return changed
    .filter((row) => row.outcome === "bounced" || row.outcome === "complained")
    .map((row) => ({
      table: "recovery_item" as const,
      insertIfNew: {
        id: derivedId("ri", task.id, row.recipientId, row.outcome),
        taskId: task.id,
        operationId: null,
        kind: "customer_care" as const,
        stage: "to_triage" as const,
        subject: `${row.outcome}:${row.recipientId}`,
        errorClass: null,
        owner: task.owner,
        backupOwner: task.backupOwner,
        createdAt: context.now,
        dueAt: context.now + 86_400_000,
      },
    }));
}
