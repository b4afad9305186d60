import type { Command, OperationIntent, TransitionCommand } from "../../main/domain/commands";
import { gateOperations } from "../../main/domain/guards/input";
import { HASH_RULE_VERSION } from "../../main/domain/hash-rule";
import { sha256 } from "../../main/domain/hashing";
import { Bug, type Sha256 } from "../../main/domain/ids";
import { publishIntentKey, sendIntentKey, slotOf } from "../../main/domain/keys";
import { type CoverageOf, idempotencyCoverage } from "../../main/domain/metrics-coverage";
import { operationAction, type StageNext, type TransitionIntent } from "../../main/domain/next-action";
import type { AdapterManifest } from "../../main/domain/ports";
import type { OperationRow } from "../../main/domain/records";
import type { TaskView } from "../../main/domain/view";
import type { PipelineRuntime, PreparedRequest, WorkContext } from "../../main/engine/runtime";
import { briefingNext } from "../../main/pipeline/briefing/next";
import { sendSeen } from "../domain/furnish";

// Both pipelines with stages that do nothing but say that they did it: what is tried here is the engine under them.

export const PAGE = "https://site.example/w30";
export const RECIPIENTS = ["r1", "r2"];
const BODY = sha256("body");
const AUDIENCE = sha256("audience");

const contentOf = (view: TaskView): Sha256 => sha256(`content of ${view.task.taskKey}`);
const packageOf = (view: TaskView): Sha256 => sha256(`package of ${view.task.taskKey}`);
const compensation = (service: string, grade: "B" | "C", action: string) => ({
  service,
  action,
  args: { targetState: "absent" },
  grade,
  precondition: "as_we_left_it",
  owner: "editor",
  verification: "looked_up",
  timeoutMs: 30_000,
  steps: [],
});

function publishIntent(view: TaskView, more: Partial<OperationIntent> = {}): OperationIntent {
  const { task } = view;
  return {
    intentKey: publishIntentKey(task.taskKey, task.taskVersion, contentOf(view)),
    kind: "publish",
    phase: "create",
    adapter: "cms",
    target: "http://cms.example",
    slot: slotOf("publish", task.taskKey),
    recipientId: null,
    hashes: { contentHash: contentOf(view), pageUrl: null, bodyHash: null, audienceHash: null },
    hashRuleVersion: HASH_RULE_VERSION,
    after: null,
    automatic: false,
    compensation: compensation("cms", "B", "take_down"),
    ...more,
  };
}

/** The draft, then its publication by id. */
const noticeIntents = (view: TaskView): OperationIntent[] => [
  publishIntent(view),
  publishIntent(view, { phase: "publish", after: 0, automatic: true }),
];

function mailIntents(view: TaskView): OperationIntent[] {
  const { task } = view;
  const hashes = { contentHash: null, pageUrl: PAGE, bodyHash: BODY, audienceHash: AUDIENCE };
  const create: OperationIntent = {
    ...publishIntent(view),
    intentKey: sendIntentKey(task.taskKey, task.taskVersion, hashes),
    kind: "send",
    adapter: "mail",
    target: "http://mail.example",
    slot: slotOf("send", task.taskKey),
    hashes,
    compensation: compensation("mail", "B", "delete_draft"),
  };
  return [
    create,
    {
      ...create,
      phase: "trigger",
      after: 0,
      automatic: true,
      compensation: compensation("mail", "C", "tell_customers"),
    },
  ];
}

const moves =
  (event: string, more: (view: TaskView) => Partial<TransitionCommand> = () => ({})) =>
  async (context: WorkContext): Promise<void> => {
    const { view } = context;
    context.execute({ type: "transition", taskId: view.task.id, event, ...more(view) });
  };

const packaged = (view: TaskView) => ({
  context: {
    packageHash: packageOf(view),
    contentHash: contentOf(view),
    checkReceiptId: "receipt-1",
    linkReportHash: sha256("links"),
  },
});

async function collect(context: WorkContext): Promise<void> {
  const { view } = context;
  const checkpoint = { sources: { a: { state: "frozen", required: true } } };
  const saved = context.execute({
    type: "record_step",
    taskId: view.task.id,
    step: "collecting",
    checkpoint,
    calls: 1,
  });
  if (saved.result === "applied") await moves("SourcesFrozen")(context);
}

async function recheck(context: WorkContext): Promise<void> {
  const { task } = context.view;
  context.execute({
    type: "note",
    taskId: task.id,
    event: "SourcesReread",
    operationId: null,
    payload: {},
    context: { rechecks: Number(task.context["rechecks"] ?? 0) + 1 },
  });
}

async function probe(context: WorkContext): Promise<void> {
  const { view } = context;
  context.execute({
    type: "note",
    taskId: view.task.id,
    event: "PageVerified",
    operationId: view.operations().find((row) => row.kind === "publish")?.id ?? null,
    payload: {},
    context: { verifiedContentHash: contentOf(view), captureHash: sha256("capture"), pageUrl: PAGE },
    calls: 1,
  });
}

async function observe(context: WorkContext): Promise<void> {
  const { view, clock } = context;
  const outcomes = RECIPIENTS.map((recipientId) => ({
    recipientId,
    outcome: "delivered" as const,
    code: null,
    at: clock.now(),
  }));
  context.execute({
    type: "account_recipients",
    taskId: view.task.id,
    outcomes,
    nextObserveAt: clock.now() + 60_000,
  });
}

const audienceOf = () => ({
  context: { audienceHash: AUDIENCE, bodyHash: BODY, suppressionVersion: 0, importVersion: 0 },
  audience: {
    snapshot: {
      id: "au-1",
      audienceHash: AUDIENCE,
      suppressionVersion: 0,
      count: RECIPIENTS.length,
      excluded: 0,
      artifactHash: sha256("audience artifact"),
    },
    recipients: RECIPIENTS.map((recipientId) => ({ recipientId, group: "paid", outcome: "unknown" as const })),
  },
});

/** The bytes hold everything that the remote will know. */
async function prepareRequest(view: TaskView, operation: OperationRow): Promise<PreparedRequest> {
  const { operationKey: key, intentHash, contentHash, pageUrl, bodyHash, audienceHash } = operation;
  const before = view.operations().find((row) => row.id === operation.afterId);
  const body = { key, intentHash, contentHash: contentHash ?? bodyHash, taskId: view.task.id, recipients: RECIPIENTS };
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const recomputed = { contentHash, pageUrl, bodyHash, audienceHash };
  return { kind: "ready", bytes, bytesHash: sha256(bytes), recomputed, remoteId: before?.remoteId ?? null };
}

function onRefused(
  _view: TaskView,
  operation: OperationRow,
  refusal: { unmet: readonly { code: string }[] },
): TransitionIntent | null {
  const event = operation.kind === "publish" ? "PublishBlocked" : "SendBlocked";
  const codes = refusal.unmet.map((missing) => missing.code);
  if (codes.includes("writes_frozen")) return { event, blockedReason: "duplicate_remote" };
  if (codes.includes("approval_revoked")) return { event, blockedReason: "approval_revoked" };
  return codes.includes("slot_has_object") ? { event, blockedReason: "remote_conflict" } : null;
}

const createKeyOf = (view: TaskView, operation: OperationRow): string =>
  view.operations().find((row) => row.id === operation.afterId)?.operationKey ?? operation.operationKey;

const undo: PipelineRuntime["undo"] = {
  ask: async () => {
    throw new Bug("nothing is undone here");
  },
  prove: async () => {
    throw new Bug("nothing is undone here");
  },
};

const noticeNext =
  (manifestOf: (adapter: string) => AdapterManifest, coverage: CoverageOf): StageNext =>
  (view, moment) => {
    const { state } = view.task;
    if (state === "created" || state === "approved") return { do: "work", work: state };
    if (state !== "publishing") return { do: "wait", until: null };
    const action = operationAction(view, gateOperations(view), moment, "PublishBlocked", manifestOf, coverage);
    return action ?? { do: "transition", intent: { event: "Published" }, as: "executor" };
  };

/** The notice writes through the website only; a test may give its definition further writes that nobody can ask about. */
export function noticeCoverage(manifestOf: (adapter: string) => AdapterManifest, uncovered = 0): CoverageOf {
  const deaf = (manifest: AdapterManifest) => ({ ...manifest, query: { ...manifest.query, reliable: false } });
  const writes = [
    ...(["create", "publish"] as const).map((phase) => ({ step: "publishing", adapter: "cms", phase })),
    ...Array.from({ length: uncovered }, () => ({ step: "publishing", adapter: "letters", phase: "deliver" as const })),
  ];
  return idempotencyCoverage(writes, (name) => (name === "letters" ? deaf(manifestOf("cms")) : manifestOf(name)));
}

export function noticeRuntime(manifestOf: (adapter: string) => AdapterManifest, coverage: CoverageOf): PipelineRuntime {
  return {
    next: noticeNext(manifestOf, coverage),
    works: {
      created: moves("CheckPassed", packaged),
      approved: moves("PublishStarted", (view) => ({ operations: noticeIntents(view) })),
    },
    prepareRequest,
    onRefused,
    createKeyOf,
    undo,
  };
}

export function bareBriefingRuntime(manifestOf: (adapter: string) => AdapterManifest): PipelineRuntime {
  return {
    next: briefingNext(manifestOf, () => 0),
    works: {
      collecting: collect,
      drafting: moves("DraftFrozen", () => ({ context: { draftHash: sha256("draft") } })),
      checking: moves("CheckPassed", packaged),
      "recheck-sources": recheck,
      "start-publish": moves("PublishStarted", (view) => ({ operations: [publishIntent(view)] })),
      probe,
      "open-send-review": moves("SendReviewOpened", audienceOf),
      "refresh-audience": moves("AudienceChanged", audienceOf),
      observe,
    },
    prepareRequest,
    onRefused,
    createKeyOf,
    undo,
  };
}

/** What a person would do next about a task, or null where it waits for nobody. */
export function personsTurn(view: TaskView): Command | null {
  const { task } = view;
  const terms = {
    hashRuleVersion: HASH_RULE_VERSION,
    contentHash: contentOf(view),
    packageHash: packageOf(view),
    checkReceiptId: "receipt-1",
    evidence: [],
    comparedWith: { choice: "none", hash: null },
    acknowledged: [],
  };
  if (task.state === "awaiting_content_approval" || task.state === "awaiting")
    return {
      type: "transition",
      taskId: task.id,
      event: "ContentApproved",
      payload: {
        packageHash: packageOf(view),
        contentHash: contentOf(view),
        recomputedContentHash: contentOf(view),
        acknowledged: [],
      },
      approval: {
        ...terms,
        scope: "publish",
        intentKey: publishIntent(view).intentKey,
        pageUrl: null,
        bodyHash: null,
        audienceHash: null,
      },
    };
  if (task.state !== "awaiting_send_approval") return null;
  const [create] = mailIntents(view);
  return {
    type: "transition",
    taskId: task.id,
    event: "SendApproved",
    payload: {
      ...sendSeen,
      pageUrl: PAGE,
      recomputed_pageUrl: PAGE,
      bodyHash: BODY,
      recomputed_bodyHash: BODY,
      audienceHash: AUDIENCE,
      recomputed_audienceHash: AUDIENCE,
    },
    approval: {
      ...terms,
      scope: "send",
      intentKey: create?.intentKey ?? "",
      pageUrl: PAGE,
      bodyHash: BODY,
      audienceHash: AUDIENCE,
    },
    operations: mailIntents(view),
  };
}

/** Leads a blocked task back to where it was, with what it needs prepared anew. */
export function unblocking(view: TaskView, evidence = "seen with my own eyes"): Command {
  const { task } = view;
  const to = task.resumeState ?? "";
  const intents =
    to === "sending" ? mailIntents(view) : task.pipeline === "notice" ? noticeIntents(view) : [publishIntent(view)];
  const stands = (intent: OperationIntent, states: readonly string[]) =>
    view
      .operations()
      .some((row) => row.phase === intent.phase && row.intentKey === intent.intentKey && states.includes(row.state));
  const operations = intents.filter((intent) => stands(intent, ["rejected", "cancelled"]));
  return {
    type: "transition",
    taskId: task.id,
    event: "Unblocked",
    wayOut: { to, evidence },
    ...(operations.length > 0 ? { operations: operations.map((intent) => ({ ...intent, after: null })) } : {}),
  };
}
