import { z } from "zod";

/**
 * Every channel between the renderer and the main process: name, request schema, reply schema, and the push events.
 * No logic. It is the only thing both sides share. Both sides parse: the main process each request, the renderer's bridge
 * each reply. Texts in replies that come from sources, drafts or remotes are plain text, to be rendered as text only.
 */

const Hash = z.string().regex(/^[0-9a-f]{64}$/);
/** ms UTC of workspace time. */
const Instant = z.number().int();
const TaskId = z.string().min(1).max(80);
const OperationId = z.string().min(1).max(80);
const Version = z.number().int().min(0);
const Reason = z.string().trim().min(1).max(2000);

/** A condition that is not met: a stable code that the renderer words (`unmet.<code>`), and values to put into the sentence. */
export const Unmet = z.object({ code: z.string(), values: z.record(z.string(), z.union([z.string(), z.number()])) });

/** What a command came to. `applied` is only ever sent after the commit is on disk. */
export const CommandReply = z.discriminatedUnion("result", [
  z.object({ result: z.literal("applied"), state: z.string(), stateVersion: Version }),
  z.object({
    result: z.enum(["stale_version", "stale_token", "illegal_transition", "guard_failed", "intent_mismatch", "not_found"]),
    unmet: z.array(Unmet),
  }),
  z.object({ result: z.literal("unavailable"), code: z.string(), path: z.string().nullable() }),
]);

/** A start-up problem that has a page of its own: what, which file, what can be done. Nothing leaves while it stands. */
export const Problem = z.object({
  code: z.enum(["newer_file", "damaged", "locked", "read_only", "disk_full", "chain_broken", "not_writable", "unknown"]),
  path: z.string(),
  detail: z.string(),
});

export const ClockInfo = z.object({
  now: Instant,
  zone: z.string(),
  /** True where this is the sandbox's workspace clock and not the wall clock. */
  simulated: z.boolean(),
  /** In the sandbox: waits are skipped by moving the clock to the next due moment. */
  skipsWaiting: z.boolean(),
  source: z.string(),
  trusted: z.boolean(),
});

export const WorkspaceInfo = z.object({ kind: z.enum(["sandbox", "real"]), path: z.string(), epoch: z.number().int(), site: z.string() });
export const Preferences = z.object({ language: z.enum(["zh-CN", "en"]), theme: z.enum(["light", "dark", "system"]) });

export const Bootstrap = z.object({
  version: z.string(),
  runtime: z.string(),
  preferences: Preferences,
  workspace: WorkspaceInfo.nullable(),
  problem: Problem.nullable(),
});

/** What waits for the editor. `kind` decides the screen that opens. */
export const WaitingItem = z.object({
  taskId: TaskId,
  edition: z.string(),
  kind: z.enum(["content_approval", "send_approval", "blocked", "unknown_outcome", "observation", "ready_to_start"]),
  blockedReason: z.string().nullable(),
  since: Instant,
  until: Instant.nullable(),
});

export const LiveTask = z.object({
  taskId: TaskId,
  edition: z.string(),
  state: z.string(),
  stateVersion: Version,
  since: Instant,
  deadlineAt: Instant,
  /** The next moment at which something happens by itself, if any. */
  nextAt: Instant.nullable(),
  detail: z.string().nullable(),
});

export const Today = z.object({
  clock: ClockInfo,
  waiting: z.array(WaitingItem),
  live: z.array(LiveTask),
  ended: z.array(z.object({ taskId: TaskId, edition: z.string(), state: z.string(), at: Instant })),
  /** The edition that may be started by hand now, or null when one is under way. */
  startable: z.object({ edition: z.string(), dueAt: Instant.nullable() }).nullable(),
  health: z.object({
    journalEvents: z.number().int(),
    chainVerifiedAt: Instant.nullable(),
    unknownOutcomes: z.number().int(),
    unknownsReconciled: z.number().int(),
    duplicateObjects: z.number().int(),
    openBreakers: z.array(z.string()),
    invariantViolations: z.number().int().nullable(),
  }),
});

export const FactView = z.object({
  id: z.string(),
  headline: z.string(),
  statement: z.string(),
  quote: z.string(),
  url: z.string(),
  sourceId: z.string(),
  sourceTitle: z.string(),
  snapshotHash: Hash,
  start: z.number().int(),
  end: z.number().int(),
  quoteFound: z.boolean(),
});

export const SourceView = z.object({
  id: z.string(),
  title: z.string(),
  url: z.string(),
  finalUrl: z.string().nullable(),
  licence: z.string(),
  required: z.boolean(),
  state: z.enum(["frozen", "waiting", "failed", "skipped"]),
  fetchedAt: Instant.nullable(),
  snapshotHash: Hash.nullable(),
  errorCode: z.string().nullable(),
  attempts: z.number().int(),
  newItems: z.number().int().nullable(),
});

export const LinkView = z.object({
  url: z.string(),
  verdict: z.enum(["ok", "redirect", "timeout", "bot_blocked", "broken"]),
  httpStatus: z.number().int().nullable(),
  finalUrl: z.string().nullable(),
});

export const ApprovalView = z.object({
  id: z.string(),
  scope: z.enum(["publish", "send"]),
  approver: z.string(),
  issuedAt: Instant,
  expiresAt: Instant,
  revokedAt: Instant.nullable(),
  state: z.enum(["living", "expired", "revoked", "outdated"]),
  contentHash: Hash.nullable(),
  timeSource: z.string(),
});

/** A change between two versions of the content, by section. */
export const DiffPart = z.object({ kind: z.enum(["same", "added", "removed"]), text: z.string() });

export const ContentReview = z.object({
  taskId: TaskId,
  edition: z.string(),
  state: z.string(),
  stateVersion: Version,
  /** False for a package that a newer one has replaced: it can be read, never approved. */
  current: z.boolean(),
  packageHash: Hash,
  contentHash: Hash,
  hashRuleVersion: z.number().int(),
  checkReceipt: z.string(),
  title: z.string(),
  intro: z.string(),
  language: z.string(),
  facts: z.array(FactView),
  sources: z.array(SourceView),
  links: z.array(LinkView),
  /** Warnings that must be ticked one by one before approving: code and values. */
  warnings: z.array(Unmet),
  previewUrl: z.string(),
  emailPreviewUrl: z.string(),
  email: z.object({ subject: z.string(), intro: z.string() }),
  comparedWith: z.object({ choice: z.enum(["last_approved", "last_published", "nothing"]), hash: Hash.nullable(), edition: z.string().nullable() }),
  diff: z.array(DiffPart),
  approval: ApprovalView.nullable(),
  /** What an approval now would allow, and until when. */
  willCall: z.object({ site: z.string(), url: z.string(), operationKey: z.string(), undo: z.string(), undoGrade: z.string(), expiresAt: Instant }),
  canApprove: z.boolean(),
  unmet: z.array(Unmet),
  clock: ClockInfo,
});

export const Snapshot = z.object({
  hash: Hash,
  text: z.string(),
  encoding: z.string(),
  bytes: z.number().int(),
  sourceTitle: z.string(),
  url: z.string(),
  finalUrl: z.string().nullable(),
  fetchedAt: Instant,
  licence: z.string(),
});

export const RecipientChange = z.object({ recipientId: z.string(), group: z.string(), change: z.enum(["added", "removed", "suppressed"]), reason: z.string() });

export const SendReview = z.object({
  taskId: TaskId,
  edition: z.string(),
  state: z.string(),
  stateVersion: Version,
  pageUrl: z.string(),
  proof: z.object({
    fetchedAt: Instant,
    captureHash: Hash,
    hashEqual: z.boolean(),
    titleEqual: z.boolean(),
    links: z.object({ expected: z.number().int(), missing: z.array(z.string()) }),
    attempts: z.number().int(),
  }),
  bodyHash: Hash,
  audienceHash: Hash,
  subject: z.string(),
  intro: z.string(),
  bodyText: z.string(),
  previewUrl: z.string(),
  audience: z.object({
    count: z.number().int(),
    groups: z.array(z.object({ group: z.string(), count: z.number().int() })),
    changes: z.array(RecipientChange),
    suppressed: z.number().int(),
    suppressionVersion: z.number().int(),
    comparedWith: z.string().nullable(),
  }),
  /** What must be typed to approve, exactly: edition and count. */
  confirmation: z.string(),
  approval: ApprovalView.nullable(),
  willCall: z.object({ provider: z.string(), operationKeys: z.array(z.string()), undo: z.string(), undoGrade: z.string(), expiresAt: Instant }),
  canApprove: z.boolean(),
  unmet: z.array(Unmet),
  clock: ClockInfo,
});

export const EventView = z.object({
  seq: z.number().int(),
  type: z.string(),
  fromState: z.string().nullable(),
  toState: z.string().nullable(),
  actor: z.string(),
  at: Instant,
  reason: z.string().nullable(),
  operationId: OperationId.nullable(),
  fencingToken: z.number().int().nullable(),
  hash: Hash,
  payload: z.string().nullable(),
});

export const AttemptView = z.object({
  number: z.number().int(),
  at: Instant,
  endedAt: Instant.nullable(),
  outcome: z.string().nullable(),
  code: z.string().nullable(),
  errorClass: z.string().nullable(),
  fencingToken: z.number().int(),
});

export const LookView = z.object({
  at: Instant,
  query: z.string(),
  verdict: z.string(),
  able: z.boolean(),
  objects: z.array(
    z.object({
      remoteId: z.string(),
      state: z.string(),
      keyEqual: z.boolean(),
      intentEqual: z.boolean().nullable(),
      contentEqual: z.boolean().nullable(),
      taskEqual: z.boolean().nullable(),
      url: z.string().nullable(),
    }),
  ),
  nextLookAt: Instant.nullable(),
  actor: z.string(),
});

export const OperationView = z.object({
  id: OperationId,
  operationKey: z.string(),
  intentKey: z.string(),
  kind: z.string(),
  phase: z.string(),
  slot: z.string(),
  adapter: z.string(),
  target: z.string(),
  state: z.string(),
  remoteId: z.string().nullable(),
  url: z.string().nullable(),
  intentHash: Hash,
  contentHash: Hash.nullable(),
  requestSentAt: Instant.nullable(),
  settledAt: Instant.nullable(),
  nextLookAt: Instant.nullable(),
  looksUsed: z.number().int(),
  lookBudget: z.number().int(),
  attempts: z.array(AttemptView),
  looks: z.array(LookView),
  /** Verdicts a person may give now; empty where none is asked for. */
  verdicts: z.array(z.enum(["happened", "did_not_happen", "cannot_tell"])),
});

export const Way = z.object({ event: z.string(), to: z.string(), open: z.boolean(), unmet: z.array(Unmet), by: z.enum(["person", "executor", "either"]) });

export const Run = z.object({
  taskId: TaskId,
  taskKey: z.string(),
  taskVersion: z.number().int(),
  edition: z.string(),
  state: z.string(),
  stateVersion: Version,
  resumeState: z.string().nullable(),
  blocked: z
    .object({
      reason: z.string(),
      owner: z.string(),
      evidenceNeeded: z.array(z.string()),
      waysOut: z.array(z.object({ to: z.string(), needsDeadline: z.boolean(), open: z.boolean(), unmet: z.array(Unmet) })),
      expiresAt: Instant.nullable(),
    })
    .nullable(),
  deadlineAt: Instant,
  zone: z.string(),
  lease: z.object({ owner: z.string(), token: z.number().int(), expiresAt: Instant }).nullable(),
  sources: z.array(SourceView),
  operations: z.array(OperationView),
  events: z.array(EventView),
  approvals: z.array(ApprovalView),
  artifacts: z.array(z.object({ hash: Hash, kind: z.string(), bytes: z.number().int(), at: Instant })),
  recipients: z.object({ total: z.number().int(), accepted: z.number().int(), delivered: z.number().int(), bounced: z.number().int(), complained: z.number().int(), excluded: z.number().int(), closedByPerson: z.number().int(), unknown: z.number().int() }),
  /** Ids of the recipients without a final outcome, which `run.closeRecipients` may account for; left out where that is not offered. */
  openRecipients: z.array(z.string()).optional(),
  ways: z.array(Way),
  careQueue: z.array(z.object({ recipientId: z.string(), outcome: z.string(), at: Instant })),
  clock: ClockInfo,
});

export const FaultView = z.object({ id: z.string(), on: z.string(), fault: z.string(), times: z.number().int(), fired: z.number().int() });

export const SandboxPanel = z.object({
  url: z.string(),
  faults: z.array(FaultView),
  records: z.object({
    cms: z.object({ createCalls: z.number().int(), objects: z.array(z.object({ id: z.string(), slug: z.string(), status: z.string(), key: z.string() })) }),
    mail: z.object({ createCalls: z.number().int(), triggerCalls: z.number().int(), campaigns: z.array(z.object({ id: z.string(), status: z.string(), key: z.string() })), mailings: z.number().int() }),
  }),
  staleProbes: z.number().int(),
  bounces: z.number().int(),
  clock: ClockInfo,
});

/** An edit of the content: it makes new artifacts and sends the task back through checking. */
export const ContentEdit = z.object({
  title: z.string().trim().min(1).max(300),
  intro: z.string().max(4000),
  facts: z.array(z.object({ id: z.string().max(40), headline: z.string().trim().min(1).max(300), statement: z.string().trim().min(1).max(2000) })).min(1).max(50),
});

const ForTask = z.object({ taskId: TaskId });
const Nothing = z.object({});

export const contract = {
  "app.bootstrap": { input: Nothing, output: Bootstrap },
  "app.setPreferences": { input: Preferences.partial(), output: Preferences },
  "app.retryOpen": { input: Nothing, output: Bootstrap },
  "app.showFolder": { input: Nothing, output: Nothing },
  "workspace.openSandbox": { input: Nothing, output: Bootstrap },
  "today.get": { input: Nothing, output: Today },
  "edition.start": { input: z.object({ edition: z.string().regex(/^\d{4}-W\d{2}$/) }), output: CommandReply },
  "contentReview.get": { input: ForTask.extend({ compareWith: z.enum(["last_approved", "last_published", "nothing"]).optional() }), output: ContentReview.nullable() },
  "contentReview.snapshot": { input: ForTask.extend({ hash: Hash }), output: Snapshot.nullable() },
  "contentReview.approve": {
    input: ForTask.extend({
      expectedVersion: Version,
      packageHash: Hash,
      contentHash: Hash,
      comparedWith: z.object({ choice: z.enum(["last_approved", "last_published", "nothing"]), hash: Hash.nullable() }),
      acknowledgedWarnings: z.array(z.string()),
      readSections: z.array(z.string()),
    }),
    output: CommandReply,
  },
  "contentReview.reject": { input: ForTask.extend({ expectedVersion: Version, reason: Reason }), output: CommandReply },
  "contentReview.edit": { input: ForTask.extend({ expectedVersion: Version, basePackageHash: Hash, edit: ContentEdit }), output: CommandReply },
  "approval.revoke": { input: ForTask.extend({ approvalId: z.string(), reason: Reason }), output: CommandReply },
  "sendReview.get": { input: ForTask, output: SendReview.nullable() },
  "sendReview.approve": {
    input: ForTask.extend({ expectedVersion: Version, pageUrl: z.string(), bodyHash: Hash, audienceHash: Hash, typed: z.string(), acknowledgedAdditions: z.array(z.string()) }),
    output: CommandReply,
  },
  "sendReview.reject": { input: ForTask.extend({ expectedVersion: Version, reason: Reason }), output: CommandReply },
  "sendReview.editEmail": { input: ForTask.extend({ expectedVersion: Version, subject: z.string().trim().min(1).max(300), intro: z.string().max(4000) }), output: CommandReply },
  "run.get": { input: ForTask, output: Run.nullable() },
  "run.unblock": {
    input: ForTask.extend({ expectedVersion: Version, to: z.string(), evidence: Reason, newDeadlineAt: Instant.optional() }),
    output: CommandReply,
  },
  "run.giveVerdict": {
    input: ForTask.extend({ operationId: OperationId, verdict: z.enum(["happened", "did_not_happen", "cannot_tell"]), remoteId: z.string().max(200).nullable(), evidence: Reason }),
    output: CommandReply,
  },
  "run.lookNow": { input: ForTask.extend({ operationId: OperationId }), output: CommandReply },
  "run.closeProtectively": { input: ForTask.extend({ expectedVersion: Version, reason: Reason }), output: CommandReply },
  "run.closeRecipients": { input: ForTask.extend({ recipientIds: z.array(z.string()).min(1), evidence: Reason }), output: CommandReply },
  "sandbox.get": { input: Nothing, output: SandboxPanel.nullable() },
  "sandbox.addFault": { input: z.object({ on: z.string().max(40), fault: z.string().max(40), times: z.number().int().min(1).max(99) }), output: SandboxPanel.nullable() },
  "sandbox.clearFaults": { input: Nothing, output: SandboxPanel.nullable() },
  "sandbox.configure": { input: z.object({ staleProbes: z.number().int().min(0).max(20).optional(), bounces: z.number().int().min(0).max(63).optional() }), output: SandboxPanel.nullable() },
  "sandbox.setClock": { input: z.object({ skipsWaiting: z.boolean().optional(), advanceMs: z.number().int().min(0).max(604_800_000).optional() }), output: ClockInfo },
} as const;

/** Pushed by the main process; the renderer asks for what it shows. */
export const pushEvents = {
  "journal.changed": z.object({ seq: z.number().int(), taskIds: z.array(z.string()) }),
  "clock.changed": ClockInfo,
  "workspace.changed": Bootstrap,
} as const;

export type Contract = typeof contract;
export type Channel = keyof Contract;
export type Input<C extends Channel> = z.infer<Contract[C]["input"]>;
export type Output<C extends Channel> = z.infer<Contract[C]["output"]>;
export type PushEvent = keyof typeof pushEvents;
export type Pushed<E extends PushEvent> = z.infer<(typeof pushEvents)[E]>;

/** What the preload puts into the renderer's world: one function to ask, one to listen. */
export interface Api {
  invoke(channel: Channel, input: unknown): Promise<unknown>;
  /** Returns the function that stops listening. */
  on(event: PushEvent, listener: (value: unknown) => void): () => void;
}
