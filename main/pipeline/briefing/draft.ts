import { stepDeadlineAt } from "../../domain/deadlines";
import { toClassifiedError } from "../../domain/errors";
import { Bug } from "../../domain/ids";
import type { DraftInput, DraftResult } from "../../domain/ports";
import { decideRetry, TASK_CALL_BUDGET } from "../../domain/retry";
import type { Work, WorkContext } from "../../engine/runtime";
import { checkDraft, countShortfall, type DraftDocument } from "./draft-schema";
import { extractFrozen, type ThawedSource, thawSources } from "./extracted-sources";
import { contextOf, freezeJson, thawJson } from "./frozen";
import { readOrigins } from "./origins";
import type { BriefingPorts } from "./ports";

/**
 * Writes the edition's facts from what changed since the last edition, checks their structure, repairs it at most once and
 * freezes the draft (domain 3, 8). A draft the editor made is taken as it is.
 */
export function draftWork(ports: BriefingPorts): Work {
  return async (context) => {
    const { task } = context.view;
    const edited = contextOf(task, "editedDraftHash");
    if (edited !== null) {
      const kept = checkDraft(thawJson(ports.blobs, edited));
      if (kept.kind === "valid") return freeze(ports, context, kept.draft, 0);
    }
    const input = draftInput(ports, context);
    if (input.sources.every((source) => source.newItemKeys.length === 0))
      return block(context, ["no change since the last edition"], 0);
    const repairs = Number(context.view.step("drafting")?.checkpoint["repairs"] ?? 0);
    const first = await ask(ports, context, (call) => ports.drafter.draft(input, call));
    if (first === null) return;
    const checked = checkDraft(first);
    if (checked.kind === "valid") return freeze(ports, context, checked.draft, repairs);
    await repairOnce(ports, context, input, checked.faults, repairs);
  };
}

async function repairOnce(
  ports: BriefingPorts,
  context: WorkContext,
  input: DraftInput,
  faults: readonly string[],
  repairs: number,
): Promise<void> {
  if (repairs >= 1) return block(context, faults, repairs);
  const recorded = context.execute({
    type: "record_step",
    taskId: context.view.task.id,
    step: "drafting",
    checkpoint: { repairs: 1 },
    calls: 0,
    event: { type: "DraftRepairStarted", payload: { faults }, evidenceRefs: [] },
  });
  if (recorded.result !== "applied") return;
  const second = await ask(ports, context, (call) => ports.drafter.repair(input, faults, call));
  if (second === null) return;
  const checked = checkDraft(second);
  if (checked.kind === "valid") return freeze(ports, context, checked.draft, 1);
  block(context, checked.faults, 1);
}

/** @returns the raw draft, or null after the failure was written down: a retry, or a block with its reason. */
async function ask(
  ports: BriefingPorts,
  context: WorkContext,
  call: (context: { signal: AbortSignal; now: number }) => Promise<DraftResult>,
): Promise<unknown> {
  const { view, clock } = context;
  const policy = view.definition.policies["general"];
  const step = view.step("drafting");
  if (!policy || !step) throw new Bug("drafting without a policy or an open step");
  const timeout = clock.timeout(policy.callTimeoutMs);
  try {
    ports.crash.reach("before-call:draft");
    const result = await call({ signal: timeout.signal, now: clock.now() });
    ports.crash.reach("after-call:draft");
    if (result.kind === "drafted") return result.raw;
    const attempt = step.attempts + 1;
    const error = toClassifiedError(ports.readErrors, result.error, {
      tool: ports.drafter.name,
      operationId: null,
      attempt,
      at: clock.now(),
    });
    const retry = decideRetry(policy, {
      callsMade: attempt,
      hintMs: error.retryAfterMs,
      now: clock.now(),
      stepDeadlineAt: stepDeadlineAt(view.task, view.definition.deadlines, step.startedAt, policy.stepMs),
      taskCallsLeft: TASK_CALL_BUDGET - view.task.callsUsed,
      random: ports.random.next(),
    });
    context.execute({
      type: "record_step",
      taskId: view.task.id,
      step: "drafting",
      checkpoint: step.checkpoint,
      calls: 1,
      event: { type: "DraftCallFailed", payload: { error }, evidenceRefs: [] },
    });
    if (error.class === "transient" && retry.retry)
      context.execute({ type: "transition", taskId: view.task.id, event: "RetryScheduled", retryAt: retry.at, error });
    else
      context.execute({
        type: "transition",
        taskId: view.task.id,
        event: "DraftBlocked",
        blockedReason: "draft_structure",
        error,
      });
    return null;
  } finally {
    timeout.cancel();
  }
}

function block(context: WorkContext, faults: readonly string[], repairs: number): void {
  context.execute({
    type: "transition",
    taskId: context.view.task.id,
    event: "DraftBlocked",
    blockedReason: "draft_structure",
    payload: { faults, repairs, usableChanges: repairs === 0 ? 0 : null },
    found: [{ code: "draft_invalid", values: { faults: faults.slice(0, 5).join("; ") } }],
  });
}

function freeze(ports: BriefingPorts, context: WorkContext, draft: DraftDocument, repairs: number): void {
  const artifact = freezeJson(ports.blobs, "draft", draft);
  const shortfall = countShortfall(draft, ports.wantedFacts);
  context.execute({
    type: "transition",
    taskId: context.view.task.id,
    event: "DraftFrozen",
    artifacts: [artifact],
    evidenceRefs: [artifact.hash],
    payload: { drafter: ports.drafter.name, repairs, facts: draft.facts.length, wanted: ports.wantedFacts },
    context: { draftHash: artifact.hash, editedDraftHash: null, factCount: draft.facts.length, shortfall },
  });
}

function draftInput(ports: BriefingPorts, context: WorkContext): DraftInput {
  const { task } = context.view;
  const before = ports.previous(task);
  const sources = thawSources(ports, context.view, readOrigins(context.view));
  return {
    edition: task.edition,
    language: task.language,
    wanted: ports.wantedFacts,
    sources: sources.flatMap((source) =>
      source.extracted === null
        ? []
        : [
            {
              config: source.config,
              snapshotHash: source.snapshotHash as never,
              extracted: source.extracted,
              newItemKeys: newKeys(ports, source, before?.sources[source.config.id] ?? null),
            },
          ],
    ),
  };
}

/**
 * The items the last edition's snapshot did not have, or had with other words: a page that changed under the same address is
 * a change too. Without a last edition everything in the sources is new to the reader.
 */
function newKeys(ports: BriefingPorts, source: ThawedSource, previousHash: string | null): string[] {
  const extracted = source.extracted;
  if (extracted === null) return [];
  const before =
    previousHash !== null && ports.blobs.has(previousHash as never)
      ? extractFrozen(ports, previousHash, source.origin)
      : null;
  const known = new Map(before?.items.map((item) => [item.key, before.text.slice(item.start, item.end)]) ?? []);
  return extracted.items
    .filter((item) => known.get(item.key) !== extracted.text.slice(item.start, item.end))
    .map((item) => item.key);
}
