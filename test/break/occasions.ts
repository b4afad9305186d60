import type { ExecuteResult } from "../../db/journal";
import type { Command, CommandContext } from "../../main/domain/commands";
import { derivedId } from "../../main/domain/hashing";
import { asTaskId } from "../../main/domain/ids";
import type { InvariantId } from "../../main/domain/invariants";
import type { BoundHashes } from "../../main/domain/ports";
import type { OperationRow } from "../../main/domain/records";
import type { RemoteCore } from "../../main/simulation/remote-core";
import type { BriefingWalk, Stage } from "../support/briefing-walk";
import { EDITOR, EXECUTOR } from "../support/world";
import { copyOf, writeEvent } from "./around";
import { makeCampaign, makePost } from "./carry-out";

const DAY_MS = 86_400_000;

/** How each invariant is broken: the moment, what is tried then through the handler, and the same written around it. */
export interface Occasion {
  says: string;
  /** Walks the edition to the moment, by the rules. */
  prepare(walk: BriefingWalk): void;
  /** The forbidden command. */
  attempt(walk: BriefingWalk): ExecuteResult;
  /**
   * The calls that left, carried out by a remote that does what it is told; null where none leaves by it and the remotes hold the
   * same as before: then the journal alone can show it.
   */
  carryOut: ((walk: BriefingWalk, core: RemoteCore) => void) | null;
  /** The rows that the command would have written, put in by hand as a wrong program would. */
  writeAround(walk: BriefingWalk): void;
}

export const OCCASIONS: Readonly<Record<InvariantId, Occasion>> = {
  I01: {
    says: "a second task beside the living one",
    // A task is no call. What two of them would send into one place is I03's.
    carryOut: null,
    prepare: (walk) => walk.to("created"),
    attempt: (walk) => {
      const { taskKey, pipeline, definitionHash, edition, language, deadlineAt, zone, id } = walk.view().task;
      const about = { taskKey, pipeline, definitionHash, edition, language, deadlineAt, zone };
      const command: Command = {
        ...{ type: "create_task", taskVersion: 2, ...about, supersedesTaskId: id },
        context: { startAt: walk.world.now },
      };
      return walk.world.execute(command, EDITOR);
    },
    writeAround: (walk) => {
      const { id, taskKey } = walk.view().task;
      const second = { id: `'${derivedId("t", taskKey, 2)}'`, task_version: "2", supersedes_task_id: `'${id}'` };
      copyOf(walk, "task", { ...second, created_by: `'${EDITOR}'` });
      writeEvent(walk, { type: "TaskCreated", toState: "created" }, { taskId: asTaskId(derivedId("t", taskKey, 2)) });
    },
  },
  I02: {
    says: "a publish request under an approval that has expired",
    carryOut: (walk, core) => makePost(core, walk.operation("publish")),
    prepare: (walk) => expired(walk, "publishing", "publish"),
    attempt: (walk) => send(walk, walk.operation("publish")),
    writeAround: (walk) => sendAround(walk, walk.operation("publish")),
  },
  I03: {
    says: "the same create once more while nobody knows what became of the first",
    carryOut: (walk, core) => {
      makePost(core, walk.operation("publish"));
      makePost(core, walk.operation("publish"));
    },
    prepare: (walk) => {
      walk.to("publishing");
      const operation = walk.operation("publish");
      walk.markSent(operation);
      walk.answer(operation.id, "unknown");
    },
    attempt: (walk) => send(walk, walk.operation("publish")),
    writeAround: (walk) => sendAround(walk, walk.operation("publish")),
  },
  I04: {
    says: "a mailing under an approval that has expired",
    carryOut: (walk, core) => makeCampaign(core, walk.operation("send")),
    prepare: (walk) => expired(walk, "sending", "send"),
    attempt: (walk) => send(walk, walk.operation("send")),
    writeAround: (walk) => sendAround(walk, walk.operation("send")),
  },
  I05: {
    says: "an executor that lost the task writes all the same",
    // What it wrote is a note of a read. No remote knows our tokens, whoever called it.
    carryOut: null,
    prepare: (walk) => walk.to("collecting"),
    attempt: (walk) => {
      const { stateVersion, fencingToken } = walk.view().task;
      const command: Command = {
        ...{ type: "note", taskId: walk.taskId, event: "ProbeAttempted", operationId: null, payload: {} },
      };
      const context: Partial<CommandContext> = { expectedVersion: stateVersion, fencingToken: fencingToken - 1 };
      return walk.world.execute(command, "executor:paused", context);
    },
    writeAround: (walk) => {
      const fencingToken = walk.view().task.fencingToken - 1;
      writeEvent(walk, { type: "ProbeAttempted" }, { actor: "executor:paused", fencingToken });
    },
  },
  I06: {
    ...ending("send_pending", "DeliveryAccounted", "succeeded", "success with recipients of whom nothing is known"),
    // The mails are out by right; that nobody asked what became of them is in our account alone.
    carryOut: null,
    prepare: (walk) => {
      walk.to("send_pending");
      walk.account({});
    },
  },
  I07: {
    ...ending("published", "Compensated", "compensated", "compensated with an undo that was never done"),
    carryOut: (walk, core) => makePost(core, walk.operation("publish")),
    prepare: (walk) => {
      walk.to("published");
      walk.startCompensation();
    },
  },
  I08: {
    ...ending("succeeded", "ClosedProtectively", "closed", "a task that had ended moves again"),
    // History is the journal's own: nothing leaves by rewriting it.
    carryOut: null,
  },
};

/** A move to an end that the task has not come to. */
function ending(stage: Stage, event: string, state: string, says: string): Omit<Occasion, "carryOut"> {
  return {
    says,
    prepare: (walk) => walk.to(stage),
    attempt: (walk) => {
      const command: Command = { type: "transition", taskId: walk.taskId, event, reason: "tried" };
      if (event !== "ClosedProtectively") return walk.tryExecutor(command);
      return walk.world.execute(command, EDITOR, { expectedVersion: walk.view().task.stateVersion });
    },
    writeAround: (walk) => {
      const fromState = walk.state;
      walk.world.database.sqlite
        .prepare("UPDATE task SET state = ?, state_version = state_version + 1 WHERE id = ?")
        .run(state, walk.taskId);
      writeEvent(walk, { type: event, fromState, toState: state, reason: "around" });
    },
  };
}

/** Approved and prepared, and then the day went by. */
function expired(walk: BriefingWalk, stage: Stage, kind: OperationRow["kind"]): void {
  walk.to(stage);
  walk.world.now += DAY_MS;
  // Whoever takes the task up again asks first what is there.
  walk.look(walk.operation(kind).id, "not_found");
}

/** One more request of an operation; its hashes are what they were, unless told otherwise. */
export function send(walk: BriefingWalk, operation: OperationRow, changed: Partial<BoundHashes> = {}): ExecuteResult {
  const { contentHash, pageUrl, bodyHash, audienceHash } = operation;
  return walk.tryExecutor({
    ...{ type: "mark_request_sent", taskId: walk.taskId, operationId: operation.id },
    requestBytesHash: bytesOf(walk, operation),
    recomputed: { contentHash, pageUrl, bodyHash, audienceHash, ...changed },
    delay: { policyVersion: 1, baseDelayMs: 0, hintMs: null, actualDelayMs: 0 },
  });
}

const bytesOf = (walk: BriefingWalk, operation: OperationRow) =>
  operation.requestBytesHash ?? walk.world.blobs.put(new TextEncoder().encode(`request ${operation.operationKey}`));

function sendAround(walk: BriefingWalk, operation: OperationRow): void {
  const { fencingToken } = walk.view().task;
  const now = walk.world.now + 1;
  walk.world.database.sqlite
    .prepare(
      `UPDATE operation SET state = 'request_sent', settled = 0, request_sent_at = ?, request_bytes_hash = ?,
         request_content_hash = content_hash, request_page_url = page_url, request_body_hash = body_hash,
         request_audience_hash = audience_hash WHERE id = ?`,
    )
    .run(now, bytesOf(walk, operation), operation.id);
  const payload = { operationState: "request_sent", attempt: walk.view().attempts(operation.id).length + 1 };
  writeEvent(walk, { type: "RequestSent", operationId: operation.id, payload }, { actor: EXECUTOR, fencingToken });
}
