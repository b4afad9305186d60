import { type ComparedObject, compareObject } from "./commands";
import type { Difference, DifferenceKind } from "./difference";
import { canonicalJson, derivedId, sha256 } from "./hashing";
import type { Instant, OperationId } from "./ids";
import type { DeliveryReport, RemoteObject } from "./ports";
import type { LookVerdict, NewRecoveryItem, OperationRow, RecipientAccountRow, TaskRow } from "./records";
import { localDateOf } from "./schedule";
import type { Standing } from "./standing";

export interface JudgedOperation {
  verdict: LookVerdict;
  objects: readonly ComparedObject[];
  chosen: { remoteId: string; url: string | null } | null;
  differences: readonly Difference[];
}

/** What one confirmed operation is held against. */
export interface HeldAgainst {
  operation: OperationRow;
  createKey: string;
  /** What the place should hold by now, after everything that was done to it; null where nothing is made there. */
  standing: Standing | null;
  /** Keys of all operations of the place, of any task. */
  ownKeys: ReadonlySet<string>;
}

/**
 * Holds a confirmed operation against what its remote shows now. A create answers for the object (how many, what it holds,
 * who wrote on it), a later phase for having been carried out, once.
 */
export function judgeConfirmed(held: HeldAgainst, objects: readonly RemoteObject[]): JudgedOperation {
  const { phase } = held.operation;
  return phase === "create" || phase === "deliver" ? judgeMade(held, objects) : judgeApplied(held, objects);
}

function judgeMade({ operation, createKey, standing, ownKeys }: HeldAgainst, seen: readonly RemoteObject[]) {
  const holder = standing?.holder ?? operation;
  const contentHash = standing === null ? (operation.contentHash ?? operation.bodyHash) : standing.contentHash;
  const want = { key: createKey, intentHash: holder.intentHash, contentHash, taskId: holder.taskId };
  const objects = seen.map((object) => compareObject(object, want));
  const ours = seen.filter((object) => object.externalKey === createKey);
  const foreign = seen.filter((object) => object.externalKey !== createKey);
  const differ = differenceAt(operation.slot);
  const differences = foreign.map((object) => differ("foreign_object", null, null, sha256(object.remoteId)));
  const only = ours[0];
  if (only === undefined) {
    differences.unshift(differ("missing", operation.id, createKey, null));
    return { verdict: foreign.length > 0 ? "conflict" : "not_found", objects, chosen: null, differences } as const;
  }
  if (ours.length > 1) {
    differences.unshift(differ("duplicate", operation.id, "1", String(ours.length)));
    return { verdict: "duplicate", objects, chosen: null, differences } as const;
  }
  const isOther = (have: string | null, wanted: string | null) => have !== null && wanted !== null && have !== wanted;
  if (isOther(only.contentHash, contentHash))
    differences.push(differ("content", holder.id, contentHash, only.contentHash && hashOrNone(only.contentHash)));
  else if (isOther(only.intentHash, want.intentHash) || isOther(only.taskId, want.taskId))
    differences.push(differ("identity", holder.id, want.intentHash, hashOrNone(only.intentHash ?? "")));
  for (const key of new Set(only.appliedKeys.filter((one) => !ownKeys.has(one))))
    differences.push(differ("foreign_write", null, null, sha256(key)));
  const isSame = !differences.some(({ kind }) => kind === "content" || kind === "identity");
  const chosen = { remoteId: only.remoteId, url: only.url };
  return { verdict: isSame ? "confirmed" : "conflict", objects, chosen, differences } as const;
}

function judgeApplied({ operation, createKey }: HeldAgainst, seen: readonly RemoteObject[]): JudgedOperation {
  const { operationKey: key, contentHash, intentHash, taskId, slot, id } = operation;
  const objects = seen.map((object) => ({
    ...compareObject(object, { key: createKey, intentHash, contentHash, taskId }),
    // What the object holds is the create's business; by now a later operation may have put something else there.
    ...{ intentEqual: null, contentEqual: null, taskEqual: null },
  }));
  const times = seen.flatMap((object) => object.appliedKeys.filter((one) => one === key)).length;
  const differ = differenceAt(slot);
  if (seen.length === 0)
    return { verdict: "not_found", objects, chosen: null, differences: [differ("missing", id, key, null)] };
  if (times === 0)
    return { verdict: "not_found", objects, chosen: null, differences: [differ("not_applied", id, key, null)] };
  const chosen = objects[0] ? { remoteId: objects[0].remoteId, url: objects[0].url } : null;
  const differences = times > 1 ? [differ("applied_twice", id, "1", String(times))] : [];
  return { verdict: "confirmed", objects, chosen, differences };
}

const differenceAt =
  (place: string) =>
  (
    kind: DifferenceKind,
    operationId: OperationId | null,
    expected: string | null,
    found: string | null,
  ): Difference => ({
    ...{ kind, operationId, place, expected, found },
  });

/** A remote may call anything a hash; what does not look like one is told by its own hash. */
const hashOrNone = (text: string): string => (/^[0-9a-f]{64}$/.test(text) ? text : sha256(text));

/** The account of a mailing as the journal has it, held against the provider's report. */
export function compareOutcomes(
  campaign: OperationRow,
  known: readonly RecipientAccountRow[],
  reported: Extract<DeliveryReport, { kind: "seen" }>["recipients"],
  isEnded: boolean,
): Difference[] {
  const mailed = known.filter((row) => row.outcome !== "excluded");
  const ids = new Set(mailed.map((row) => row.recipientId));
  const strangers = reported.filter((row) => !ids.has(row.recipientId));
  const differ = differenceAt(campaign.slot);
  if (strangers.length > 0)
    return [differ("audience", null, String(mailed.length), `${reported.length}, of them ${strangers.length} others`)];
  // Until the task has ended its own observer follows the reports; what it has not seen yet is no difference.
  if (!isEnded) return [];
  const reports = new Map(reported.map((row) => [row.recipientId, row.outcome as string]));
  const pairs = mailed.map(({ recipientId, outcome }) => {
    const told = reports.get(recipientId) ?? "none";
    // A person closes for want of a final report: silence and mere acceptance are what they closed upon.
    const isClosed = outcome === "closed_by_person" && (told === "none" || told === "accepted");
    return { have: isClosed ? told : (outcome as string), told };
  });
  if (pairs.every(({ have, told }) => have === told)) return [];
  const expected = sumUp(pairs.map(({ have }) => have));
  const found = sumUp(pairs.map(({ told }) => told));
  if (expected !== found) return [differ("totals", campaign.id, expected, found)];
  const others = pairs.filter(({ have, told }) => have !== told).length;
  return [differ("outcomes", campaign.id, expected, `${others} recipients with another outcome`)];
}

function sumUp(outcomes: readonly string[]): string {
  const names = [...new Set(outcomes)].sort();
  return names.map((name) => `${name} ${outcomes.filter((one) => one === name).length}`).join(", ");
}

/** Longer ago than this a task is not looked at any more by itself. */
export const RECONCILED_FOR_MS = 8 * 86_400_000;

/**
 * T+1: the day after the last effect, by the zone's calendar, and once.
 * @param lastEffectAt when a request of the task left last that was confirmed, or when it ended
 * @param lastRoundAt when it was reconciled last, or null
 */
export function isReconciliationDue(
  times: { lastEffectAt: Instant; lastRoundAt: Instant | null },
  now: Instant,
  zone: string,
): boolean {
  const { lastEffectAt, lastRoundAt } = times;
  const effectDay = localDateOf(lastEffectAt, zone);
  if (now - lastEffectAt > RECONCILED_FOR_MS || localDateOf(now, zone) <= effectDay) return false;
  return lastRoundAt === null || localDateOf(lastRoundAt, zone) <= effectDay;
}

const DAY_MS = 86_400_000;

/** A difference as work with an owner. The same difference, found again, is the same item. */
export function differenceItem(task: TaskRow, difference: Difference, now: Instant): NewRecoveryItem {
  const { kind, operationId, place, expected, found } = difference;
  return {
    id: derivedId("ri", "reconciliation_difference", canonicalJson([kind, place, expected, found])),
    taskId: task.id,
    operationId,
    kind: "reconciliation_difference",
    stage: "to_triage",
    subject: `${kind} ${place}: ${expected ?? "—"} ≠ ${found ?? "—"}`,
    errorClass: kind === "journal" || kind === "duplicate" ? "invariant_violation" : "business_conflict",
    owner: task.owner,
    backupOwner: task.backupOwner,
    createdAt: now,
    dueAt: now + DAY_MS,
  };
}
