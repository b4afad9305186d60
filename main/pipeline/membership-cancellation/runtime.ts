import { sha256 } from "../../domain/hashing";
import { type Action, operationAction, type StageNext, type TransitionIntent } from "../../domain/next-action";
import type { Refusal } from "../../domain/plan";
import type { AdapterManifest } from "../../domain/ports";
import type { OperationRow } from "../../domain/records";
import type { TaskView } from "../../domain/view";
import type { PipelineRuntime, PreparedRequest, Work } from "../../engine/runtime";
import { NOTHING_BOUND } from "../../engine/undo-look";
import { CANCELLING, cancellationIntents, FROZEN, messageText, placeOf } from "./intents";
import { type MembershipPorts, memberOf } from "./ports";
import { membershipUndo } from "./undo";

/** The cancellation of a membership as the engine runs it. */
export function membershipRuntime(ports: MembershipPorts): PipelineRuntime {
  const manifestOf = (adapter: string): AdapterManifest =>
    (adapter === ports.members.name ? ports.members : ports.messages).adapter.manifest;
  return {
    next: membershipNext(manifestOf),
    works: { "start-cancellation": startWork(ports) },
    prepareRequest: async (view, operation) => prepare(ports, view, operation),
    onRefused: (_view, _operation, refusal) => giveUpOn(refusal),
    createKeyOf: (_view, operation) => operation.operationKey,
    undo: membershipUndo(ports),
  };
}

/** The next write, then the one after it; where one fails for good, what was written is taken back. */
export function membershipNext(manifestOf: (adapter: string) => AdapterManifest): StageNext {
  return (view, moment): Action => {
    const { task } = view;
    if (task.state === "created") return { do: "work", work: "start-cancellation" };
    if (task.state !== "cancelling") return { do: "wait", until: null };
    const writes = view.operations().filter((row) => row.kind === "effect");
    const action = operationAction(view, writes, moment, "CompensationStarted", manifestOf);
    if (action === null) return { do: "transition", intent: { event: "MembershipCancelled" }, as: "executor" };
    if (action.do !== "transition") return action;
    const open = writes.find((row) => row.state !== "confirmed");
    const reason = `${open === undefined ? "?" : placeOf(open.slot)}: ${action.intent.blockedReason ?? "failed"}`;
    return { do: "transition", intent: { event: "CompensationStarted", reason }, as: "executor" };
  };
}

/** Reads what is there before anything is written: the undo has to name the state to come back to. */
function startWork(ports: MembershipPorts): Work {
  return async (context) => {
    const { view, clock } = context;
    const memberId = memberOf(view.task);
    const { adapter } = ports.members;
    const timeout = clock.timeout(adapter.manifest.callTimeoutMs);
    const place = { operationKey: "", createKey: "", slot: "", phase: "update" as const, remoteId: memberId };
    try {
      ports.crash.reach("before-call:member.look");
      const query = { ...place, target: ports.members.statusUrl(memberId) };
      const answer = await adapter.look(query, { signal: timeout.signal, now: clock.now() });
      ports.crash.reach("after-call:member.look");
      // Not to be had right now: nothing was written, and the tick asks again until the deadline.
      if (answer.kind === "failed") return;
      const [member] = answer.objects;
      const status = member?.state ?? "absent";
      const about = { type: "transition" as const, taskId: view.task.id };
      if (status !== "active") {
        const blockedReason = "member_not_active";
        context.execute({ ...about, event: "CancellationBlocked", blockedReason, payload: { status } });
        return;
      }
      context.execute({
        ...about,
        event: "CancellationStarted",
        operations: cancellationIntents(ports, view, status),
        // What was read may be behind what is there: the write says what it was made for, and is refused where that is over.
        context: { statusRevision: member?.revision ?? null },
      });
    } finally {
      timeout.cancel();
    }
  };
}

/** The exact bytes of a write: kept from the first time on. */
function prepare(ports: MembershipPorts, view: TaskView, operation: OperationRow): PreparedRequest {
  const { operationKey, requestBytesHash } = operation;
  const place = placeOf(operation.slot);
  const text = messageText(view.task);
  const make = (): Uint8Array => {
    if (place === "sms") return ports.messages.request({ operationKey, memberId: memberOf(view.task), text });
    const revision = view.task.context["statusRevision"];
    return place === "vouchers"
      ? ports.members.request({ operationKey, status: FROZEN, expectedRevision: null })
      : ports.members.request({
          operationKey,
          status: CANCELLING,
          expectedRevision: typeof revision === "number" ? revision : null,
        });
  };
  const bytes = requestBytesHash === null ? make() : ports.blobs.get(requestBytesHash);
  const recomputed = place === "sms" ? { ...NOTHING_BOUND, contentHash: sha256(text) } : NOTHING_BOUND;
  return { kind: "ready", bytes, bytesHash: ports.blobs.put(bytes), recomputed, remoteId: null };
}

/** Refusals that time does not lift: the way is back. A freeze or an unreconciled epoch is waited for. */
function giveUpOn(refusal: Refusal): TransitionIntent | null {
  const hard = refusal.unmet.find(({ code }) => HARD.includes(code));
  return hard ? { event: "CompensationStarted", reason: hard.code } : null;
}

const HARD: readonly string[] = ["deadline_passed", "content_hash_differs", "package_changed", "budget_left"];
