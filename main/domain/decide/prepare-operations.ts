import type { EventDraft } from "../chain";
import type { CommandContext, OperationIntent } from "../commands";
import { MAX_STACK_DEPTH, registerCompensation } from "../compensation";
import { canonicalJson, derivedId } from "../hashing";
import type { CompensationId, OperationId } from "../ids";
import { intentHashOf, operationIdOf, operationKeyOf } from "../keys";
import { draftEvent, type Refusal, type Write } from "../plan";
import type { OperationRow } from "../records";
import { type Unmet, unmet } from "../unmet";
import type { TaskView } from "../view";

export type Prepared = { ok: true; events: EventDraft[]; writes: Write[] } | { ok: false; refusal: Refusal };

/**
 * Puts intents into the journal as `prepared` operations, each after its compensation (I07). The same key with the same
 * intent may be prepared anew after it was rejected or cancelled; with another intent it is an `intent_mismatch` of which
 * both hashes are kept (I03); one that was proven absent stands ready as it is. A slot that is taken or holds an object refuses a second create.
 */
export function prepareOperations(
  view: TaskView,
  intents: readonly OperationIntent[],
  context: CommandContext,
): Prepared {
  const events: EventDraft[] = [];
  const writes: Write[] = [];
  const missing: Unmet[] = [];
  const ids: OperationId[] = intents.map((intent) =>
    operationIdOf(operationKeyOf(intent.intentKey, intent.phase, intent.recipientId)),
  );
  let position = view.compensations().length;
  let shared: CompensationId | null = null;
  for (const [index, intent] of intents.entries()) {
    const row = operationRow(view, intent, ids, index, context);
    const existing = view.operations().find((operation) => operation.operationKey === row.operationKey);
    if (existing && existing.intentHash !== row.intentHash) return mismatch(existing, row, context);
    missing.push(...slotConflicts(view, row, existing));
    if (existing?.state === "not_found" && existing.settled) {
      // Proven absent and agreed to again: it goes by the rule for what is absent, under the undo it has already.
      shared = existing.compensationId;
      continue;
    }
    if (existing && existing.state !== "rejected" && existing.state !== "cancelled") {
      missing.push(unmet("slot_taken", { slot: row.slot, state: existing.state }));
      continue;
    }
    if (existing) {
      // The undo of the first time still stands: it names a target state, and the key is the same.
      const update = {
        id: existing.id,
        state: "prepared" as const,
        settled: false,
        preparedAt: row.preparedAt,
        preparedToken: row.preparedToken,
        // A fresh budget of looks, and what the old ones saw is settled: a person has led the task here again.
        looksUsed: 0,
        nextLookAt: null,
      };
      writes.push({ table: "operation", update, was: existing.state });
      shared = existing.compensationId;
    } else {
      if (intent.compensation) {
        position += 1;
        if (position > MAX_STACK_DEPTH) missing.push(unmet("stack_too_deep", { depth: position }));
        const entry = registerCompensation(view.task.id, position, intent.compensation, row.operationKey);
        shared = entry.id;
        writes.push({ table: "compensation", insert: entry });
        events.push(
          draftEvent("CompensationRegistered", {
            payload: { compensationId: entry.id, action: entry.action, grade: entry.grade, position },
          }),
        );
      }
      if (shared === null && intent.kind !== "compensate")
        missing.push(unmet("compensation_missing", { operation: row.operationKey }));
      writes.push({
        table: "operation",
        insert: { ...row, compensationId: intent.undoes?.compensationId ?? shared },
      });
    }
    events.push(preparedEvent(row, existing !== undefined));
  }
  if (missing.length > 0) return { ok: false, refusal: { result: "guard_failed", unmet: missing } };
  return { ok: true, events, writes };
}

function preparedEvent(row: OperationRow, again: boolean): EventDraft {
  return draftEvent("OperationPrepared", {
    operationId: row.id,
    payload: {
      operationState: "prepared",
      operationKey: row.operationKey,
      intentHash: row.intentHash,
      slot: row.slot,
      again,
    },
  });
}

function operationRow(
  view: TaskView,
  intent: OperationIntent,
  ids: readonly OperationId[],
  index: number,
  context: CommandContext,
): OperationRow {
  const { intentKey, kind, phase, adapter, target, slot, recipientId, hashes } = intent;
  return {
    id: ids[index] as OperationId,
    taskId: view.task.id,
    operationKey: operationKeyOf(intentKey, phase, recipientId),
    intentKey,
    phase,
    slot,
    kind,
    adapter,
    target,
    recipientId,
    intentHash: intentHashOf({ kind, adapter, target, slot, phase, recipientId, hashes }),
    ...hashes,
    hashRuleVersion: intent.hashRuleVersion,
    parentId: null,
    afterId: intent.undoes?.forwardId ?? (intent.after === null ? null : (ids[intent.after] ?? null)),
    compensationId: null,
    automatic: intent.automatic,
    state: "prepared",
    settled: false,
    preparedAt: context.now,
    preparedToken: view.task.fencingToken,
    requestSentAt: null,
    requestContentHash: null,
    requestPageUrl: null,
    requestBodyHash: null,
    requestAudienceHash: null,
    requestBytesHash: null,
    remoteId: null,
    remoteUrl: null,
    looksUsed: 0,
    nextLookAt: null,
    lastObservedAt: null,
    unknownSince: null,
  };
}

function slotConflicts(view: TaskView, row: OperationRow, existing: OperationRow | undefined): Unmet[] {
  if (row.phase !== "create" && row.phase !== "deliver" && row.phase !== "trigger") return [];
  const others = view
    .slotOperations(row.slot)
    .filter((other) => other.phase === row.phase && other.id !== existing?.id && other.id !== row.id);
  const open = others.find((other) => !other.settled);
  if (open) return [unmet("slot_taken", { slot: row.slot, state: open.state })];
  const object = others.find((other) => other.state === "confirmed");
  return object ? [unmet("slot_has_object", { slot: row.slot, object: object.remoteId ?? "—" })] : [];
}

function mismatch(existing: OperationRow, row: OperationRow, context: CommandContext): Prepared {
  const conflict = {
    id: derivedId("ic", existing.operationKey, existing.intentHash, row.intentHash),
    operationKey: existing.operationKey,
    keptIntentHash: existing.intentHash,
    refusedIntentHash: row.intentHash,
    actor: context.actor,
    at: context.now,
  };
  return {
    ok: false,
    refusal: {
      result: "intent_mismatch",
      unmet: [
        unmet("slot_taken", {
          slot: row.slot,
          kept: existing.intentHash,
          refused: row.intentHash,
          key: canonicalJson(row.operationKey),
        }),
      ],
      keep: [{ table: "intent_conflict", insertIfNew: conflict }],
    },
  };
}
