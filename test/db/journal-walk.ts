import type { ExecuteResult, Journal } from "../../db/journal";
import type { Actor, Command, CommandContext } from "../../main/domain/commands";
import { definitionHash } from "../../main/domain/definition";
import { sha256 } from "../../main/domain/hashing";
import type { OperationRow } from "../../main/domain/records";
import type { TaskView } from "../../main/domain/view";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";
import { AUDIENCE, BODY, CONTENT, DEADLINE, EXECUTOR, PACKAGE, PAGE, TASK_KEY } from "../domain/fake-view";
import { approvalTerms, audience, intent, sendIntent, sendSeen } from "../domain/furnish";
import { START } from "./journal-file";

/** An edition walked through its states by commands alone, as bare as they may be, a second apart. */
export class JournalWalk {
  now = START;
  deadlineAt = DEADLINE;

  constructor(
    readonly journal: Journal,
    readonly executor: Actor = EXECUTOR,
  ) {}

  /** The task, once it was created. */
  get view(): TaskView {
    const [task] = this.journal.reader.tasksByKey(TASK_KEY);
    if (!task) throw new Error("no task yet");
    return this.journal.reader.viewOf(task);
  }

  get state(): string {
    return this.view.task.state;
  }

  operation(kind: OperationRow["kind"], phase: OperationRow["phase"]): OperationRow {
    const found = this.view.operations().find((row) => row.kind === kind && row.phase === phase);
    if (!found) throw new Error(`no ${kind}.${phase}`);
    return found;
  }

  context(actor: Actor, more: Partial<CommandContext> = {}): CommandContext {
    const [task] = this.journal.reader.tasksByKey(TASK_KEY);
    return {
      actor,
      now: this.now,
      trusted: { at: this.now, trusted: true, source: "test" },
      ...(task ? { expectedVersion: task.stateVersion } : {}),
      ...(task && actor.startsWith("executor:") ? { fencingToken: task.fencingToken } : {}),
      ...more,
    };
  }

  /** Executes a command with the standing that its actor has at this moment. */
  try(actor: Actor, command: Command, more: Partial<CommandContext> = {}): ExecuteResult {
    this.now += 1_000;
    return this.journal.execute(command, this.context(actor, more));
  }

  do(actor: Actor, command: Command): void {
    const answer = this.try(actor, command);
    if (answer.result === "applied") return;
    const why = "unmet" in answer ? answer.unmet.map((missing) => missing.code).join() : answer.code;
    throw new Error(`${command.type} was refused: ${answer.result} ${why}`);
  }

  /** Does the steps up to and including the named one. */
  through(last: StepName): this {
    for (const name of STEP_NAMES) {
      this.step(name);
      if (name === last) return this;
    }
    return this;
  }

  step(name: StepName): void {
    const [actor, command] = STEPS[name](this);
    this.do(actor, command);
  }
}

const taskId = (walk: JournalWalk) => walk.view.task.id;
const event = (walk: JournalWalk, name: string, more: object = {}): Command => ({
  type: "transition",
  taskId: taskId(walk),
  event: name,
  ...more,
});

export const createCommand: Extract<Command, { type: "create_task" }> = {
  type: "create_task",
  taskKey: TASK_KEY,
  taskVersion: 1,
  pipeline: "weekly-briefing",
  definitionHash: definitionHash(briefingDefinition),
  edition: "2026-W30",
  language: "zh-CN",
  deadlineAt: DEADLINE,
  zone: "Asia/Shanghai",
  supersedesTaskId: null,
  context: { startAt: START },
};

export const approveCommand = (walk: JournalWalk): Command =>
  event(walk, "ContentApproved", {
    payload: { packageHash: PACKAGE, contentHash: CONTENT, recomputedContentHash: CONTENT, acknowledged: [] },
    approval: approvalTerms("publish"),
  });

const markSent = (walk: JournalWalk, operation: OperationRow): Command => {
  const { contentHash, pageUrl, bodyHash, audienceHash } = operation;
  return {
    type: "mark_request_sent",
    taskId: taskId(walk),
    operationId: operation.id,
    requestBytesHash: sha256(`request ${operation.operationKey}`),
    recomputed: { contentHash, pageUrl, bodyHash, audienceHash },
    delay: { policyVersion: 1, baseDelayMs: 0, hintMs: null, actualDelayMs: 0 },
  };
};

const confirmed = (walk: JournalWalk, operation: OperationRow, remoteId: string): Command => ({
  type: "record_answer",
  taskId: taskId(walk),
  operationId: operation.id,
  attempt: 1,
  outcome: "confirmed",
  remoteId,
  url: PAGE,
  error: null,
  firstLookAt: null,
});

const frozen = { sources: { a: { state: "frozen", required: true } } };

const STEPS = {
  create: (walk) => ["scheduler", { ...createCommand, deadlineAt: walk.deadlineAt }],
  claim: (walk) => [walk.executor, { type: "claim_lease", taskId: taskId(walk) }],
  collect: (walk) => [walk.executor, event(walk, "CollectStarted")],
  sources: (walk) => [
    walk.executor,
    {
      type: "record_step",
      taskId: taskId(walk),
      step: "collecting",
      checkpoint: frozen,
      calls: 12,
      event: { type: "SourceFrozen", payload: { context: { sourcesFrozen: 1 } }, evidenceRefs: [sha256("source")] },
      artifacts: [{ hash: sha256("source"), kind: "source-snapshot", bytes: 6, mediaType: "text/html", origin: null }],
    },
  ],
  freeze: (walk) => [walk.executor, event(walk, "SourcesFrozen")],
  draft: (walk) => [walk.executor, event(walk, "DraftFrozen", { context: { draftHash: sha256("draft") } })],
  check: (walk) => [
    walk.executor,
    event(walk, "CheckPassed", {
      context: {
        packageHash: PACKAGE,
        contentHash: CONTENT,
        checkReceiptId: "receipt-1",
        linkReportHash: sha256("links"),
        warnings: "",
      },
    }),
  ],
  approve: (walk) => ["editor:lin", approveCommand(walk)],
  claimToPublish: (walk) => [walk.executor, { type: "claim_lease", taskId: taskId(walk) }],
  startPublish: (walk) => [walk.executor, event(walk, "PublishStarted", { operations: [intent()] })],
  markPublish: (walk) => [walk.executor, markSent(walk, walk.operation("publish", "create"))],
  confirmPublish: (walk) => [walk.executor, confirmed(walk, walk.operation("publish", "create"), "18427")],
  probe: (walk) => [
    walk.executor,
    {
      type: "note",
      taskId: taskId(walk),
      event: "PageVerified",
      operationId: walk.operation("publish", "create").id,
      payload: {},
      context: { verifiedContentHash: CONTENT, captureHash: sha256("capture"), pageUrl: PAGE },
      calls: 1,
    },
  ],
  publish: (walk) => [walk.executor, event(walk, "Published")],
  openReview: (walk) => [
    walk.executor,
    event(walk, "SendReviewOpened", { audience, context: { audienceHash: AUDIENCE, bodyHash: BODY } }),
  ],
  approveSend: (walk) => [
    "editor:lin",
    event(walk, "SendApproved", {
      payload: sendSeen,
      approval: approvalTerms("send"),
      operations: [sendIntent(), sendIntent({ phase: "trigger", after: 0, automatic: true })],
    }),
  ],
  claimToSend: (walk) => [walk.executor, { type: "claim_lease", taskId: taskId(walk) }],
  markCampaign: (walk) => [walk.executor, markSent(walk, walk.operation("send", "create"))],
  confirmCampaign: (walk) => [walk.executor, confirmed(walk, walk.operation("send", "create"), "930")],
  markTrigger: (walk) => [walk.executor, markSent(walk, walk.operation("send", "trigger"))],
  confirmTrigger: (walk) => [walk.executor, confirmed(walk, walk.operation("send", "trigger"), "930")],
  acceptSend: (walk) => [walk.executor, event(walk, "SendAccepted")],
  claimToObserve: (walk) => [walk.executor, { type: "claim_lease", taskId: taskId(walk) }],
  account: (walk) => [
    walk.executor,
    {
      type: "account_recipients",
      taskId: taskId(walk),
      nextObserveAt: null,
      outcomes: [
        { recipientId: "r1", outcome: "delivered", code: null, at: walk.now },
        { recipientId: "r2", outcome: "bounced", code: "5.1.1", at: walk.now },
      ],
    },
  ],
  succeed: (walk) => [walk.executor, event(walk, "DeliveryAccounted")],
} as const satisfies Record<string, (walk: JournalWalk) => readonly [Actor, Command]>;

export type StepName = keyof typeof STEPS;
export const STEP_NAMES = Object.keys(STEPS) as StepName[];
export { markSent };

/** A step's command as it would be given now, or null where the journal has nothing yet that it is about. */
export function stepCommand(walk: JournalWalk, name: StepName): readonly [Actor, Command] | null {
  const step = STEPS[name] as (walk: JournalWalk) => readonly [Actor, Command];
  const [, phase = ""] = /^(?:mark|confirm)(Publish|Campaign|Trigger)$/.exec(name) ?? [];
  const kind = phase === "Publish" ? "publish" : "send";
  const isThere = (wanted: string) => walk.view.operations().some((row) => row.kind === kind && row.phase === wanted);
  if (phase !== "" && !isThere(phase === "Trigger" ? "trigger" : "create")) return null;
  if (name === "probe" && !walk.view.operations().some((row) => row.kind === "publish")) return null;
  return step(walk);
}
