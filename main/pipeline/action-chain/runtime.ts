import { type Chain, messageText } from "../../domain/action-chain";
import { rulesFor } from "../../domain/definition";
import { sha256 } from "../../domain/hashing";
import { COVERAGE_TOO_LOW, type IdempotencyCoverage, idempotencyCoverage } from "../../domain/metrics-coverage";
import { type Action, operationAction, type StageNext, type TransitionIntent } from "../../domain/next-action";
import type { Refusal } from "../../domain/plan";
import type { AdapterManifest } from "../../domain/ports";
import type { OperationRow } from "../../domain/records";
import type { TaskView } from "../../domain/view";
import type { PipelineRuntime, PreparedRequest, Work } from "../../engine/runtime";
import { NOTHING_BOUND } from "../../engine/undo-look";
import { actionOf, chainIntents, chainWrites } from "./intents";
import { type ChainPorts, subjectOf } from "./ports";
import { chainUndo } from "./undo";

const START = "start-chain";

/** A chain of actions as the engine runs it. */
export function chainRuntime(ports: ChainPorts, chain: Chain): PipelineRuntime {
  return {
    next: chainNext(chain, (name) => ports.serviceOf(name).adapter.manifest),
    works: { [START]: startWork(ports, chain) },
    prepareRequest: async (view, operation) => prepare(ports, chain, view, operation),
    onRefused: (_view, _operation, refusal) => giveUpOn(refusal),
    createKeyOf: (_view, operation) => operation.operationKey,
    undo: chainUndo(ports, chain),
  };
}

/**
 * The next write, then the one after it; where one fails for good, what was written is taken back. Where too few of the writes are
 * covered, one that was proven absent waits for a person (domain 11).
 */
function chainNext(chain: Chain, manifestOf: (adapter: string) => AdapterManifest): StageNext {
  return (view, moment): Action => {
    const { task } = view;
    if (task.state === view.definition.initialState) return { do: "work", work: START };
    if (task.state !== chain.stage) return { do: "wait", until: null };
    const writes = view.operations().filter((row) => row.kind === "effect");
    const coverage = canHold(chain, view) ? coverageOf(chain, manifestOf) : undefined;
    const action = operationAction(view, writes, moment, "CompensationStarted", manifestOf, coverage);
    if (action === null) return { do: "transition", intent: { event: chain.doneEvent }, as: "executor" };
    if (action.do !== "transition") return action;
    if (action.intent.reason === COVERAGE_TOO_LOW)
      return { do: "transition", intent: { ...action.intent, event: chain.heldEvent }, as: "executor" };
    const open = writes.find((row) => row.state !== "confirmed");
    const place = open === undefined ? "?" : actionOf(chain, open).place;
    const reason = `${place}: ${action.intent.blockedReason ?? "failed"}`;
    return { do: "transition", intent: { event: "CompensationStarted", reason }, as: "executor" };
  };
}

/** A task that began with an earlier definition has no place to wait in: it goes on as it did (domain 13). */
const canHold = (chain: Chain, { definition }: TaskView): boolean =>
  rulesFor(definition, chain.stage, chain.heldEvent) !== null;

const coverageOf = (chain: Chain, manifestOf: (adapter: string) => AdapterManifest): IdempotencyCoverage =>
  idempotencyCoverage(chainWrites(chain), manifestOf);

/** Reads what is there before anything is written: the undo has to name the state to come back to. */
function startWork(ports: ChainPorts, chain: Chain): Work {
  const { service, place, requires, event, blockedEvent, blockedReason } = chain.begins;
  return async (context) => {
    const { view, clock } = context;
    const { adapter, urlOf } = ports.serviceOf(service);
    const subject = subjectOf(view.task);
    const timeout = clock.timeout(adapter.manifest.callTimeoutMs);
    const key = { operationKey: "", createKey: "", slot: "", phase: "update" as const, remoteId: subject };
    try {
      ports.crash.reach("before-call:member.look");
      const query = { ...key, target: urlOf(place, subject) };
      const answer = await adapter.look(query, { signal: timeout.signal, now: clock.now() });
      ports.crash.reach("after-call:member.look");
      // Not to be had right now: nothing was written, and the tick asks again until the deadline.
      if (answer.kind === "failed") return;
      const [object] = answer.objects;
      const state = object?.state ?? "absent";
      const about = { type: "transition" as const, taskId: view.task.id };
      if (state !== requires) {
        context.execute({ ...about, event: blockedEvent, blockedReason, payload: { status: state } });
        return;
      }
      context.execute({
        ...about,
        event,
        operations: chainIntents(ports, chain, view, state),
        // What was read may be behind what is there: the write says what it was made for, and is refused where that is over.
        context: { statusRevision: object?.revision ?? null },
      });
    } finally {
      timeout.cancel();
    }
  };
}

/** The exact bytes of a write: kept from the first time on. */
function prepare(ports: ChainPorts, chain: Chain, view: TaskView, operation: OperationRow): PreparedRequest {
  const { operationKey, requestBytesHash } = operation;
  const { service, state, heedsRevision, message } = actionOf(chain, operation);
  const text = message === null ? null : messageText(message, view.task);
  const read = view.task.context["statusRevision"];
  const expectedRevision = heedsRevision && typeof read === "number" ? read : null;
  const bytes =
    requestBytesHash === null
      ? ports.serviceOf(service).request({ operationKey, subject: subjectOf(view.task), state, text, expectedRevision })
      : ports.blobs.get(requestBytesHash);
  const recomputed = text === null ? NOTHING_BOUND : { ...NOTHING_BOUND, contentHash: sha256(text) };
  return { kind: "ready", bytes, bytesHash: ports.blobs.put(bytes), recomputed, remoteId: null };
}

/** Refusals that time does not lift: the way is back. A freeze or an unreconciled epoch is waited for. */
function giveUpOn(refusal: Refusal): TransitionIntent | null {
  const hard = refusal.unmet.find(({ code }) => HARD.includes(code));
  return hard ? { event: "CompensationStarted", reason: hard.code } : null;
}

const HARD: readonly string[] = ["deadline_passed", "content_hash_differs", "package_changed", "budget_left"];
