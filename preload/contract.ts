import { z } from "zod";
import { AcknowledgeAlert, AlertId, Alerts, SnoozeAlert } from "./contract/alerts";
import { Bootstrap, ClockInfo, Preferences } from "./contract/app";
import {
  CloseCompensation,
  Compensation,
  ForUndo,
  ResumeCompensation,
  StartCompensation,
  UndoLook,
} from "./contract/compensation";
import { ContentReview, Snapshot } from "./contract/content-review";
import { Draft, DraftKept, EditOfDraft, PickedQuote, QuoteSpan, WeighedDraft } from "./contract/draft";
import { DrillAnswer, DrillAnswered } from "./contract/drill-question";
import {
  DrillCancelled,
  DrillChanged,
  DrillJudged,
  DrillJudgement,
  DrillProgress,
  DrillStart,
  DrillStarted,
  Drills,
} from "./contract/drills";
import {
  Evidence,
  EvidenceChoice,
  EvidencePlanned,
  EvidenceSaved,
  EvidenceStarted,
  EvidenceToOpen,
  KeyReason,
  KeyRegistered,
  TimestampSet,
  TimestampSetting,
} from "./contract/evidence";
import { AskHealth, Health } from "./contract/health";
import {
  CloseIncident,
  ForIncident,
  Incident,
  Incidents,
  NoteIncident,
  OpenIncident,
  PassStep,
  PinEvent,
  SettleIncident,
} from "./contract/incident";
import {
  AskLedger,
  AskLedgerRows,
  ExportLedger,
  Ledger,
  LedgerExported,
  LedgerFacts,
  LedgerRows,
} from "./contract/ledger";
import { LinkedPlace } from "./contract/place-link";
import { CommandReply, ForTask, Hash, Instant, Nothing, OperationId, Reason, Version } from "./contract/primitives";
import { Reconciliation } from "./contract/reconciliation";
import { AskRecovery, MoveRecovery, Recovery } from "./contract/recovery";
import { Run } from "./contract/run";
import { SandboxPanel } from "./contract/sandbox";
import { SendReview } from "./contract/send-review";
import {
  AskPreview,
  AudienceChosen,
  AudienceImported,
  AudiencePreview,
  BackupChosen,
  Backups,
  ImportAudience,
  KeepBackups,
  ReleaseRecipient,
  ResumeSchedule,
  ScheduleResumed,
  Settings,
  SuppressRecipient,
} from "./contract/settings";
import { Today } from "./contract/today";
import { JudgedAction, NewAction, NewWorkflow, WorkflowWritten } from "./contract/workflow";

/**
 * Every channel between the renderer and the main process: name, request schema, reply schema, and the push events.
 * No logic. It is the only thing both sides share. Both sides parse: the main process each request, the renderer's bridge
 * each reply. Texts in replies that come from sources, drafts or remotes are plain text, to be rendered as text only.
 */

export * from "./contract/alerts";
export * from "./contract/app";
export * from "./contract/compensation";
export * from "./contract/content-review";
export * from "./contract/draft";
export * from "./contract/drill-question";
export * from "./contract/drills";
export * from "./contract/evidence";
export * from "./contract/health";
export * from "./contract/ledger";
export * from "./contract/ledger-view";
export * from "./contract/reconciliation";
export * from "./contract/recovery";
export * from "./contract/run";
export * from "./contract/sandbox";
export * from "./contract/send-review";
export * from "./contract/settings";
export * from "./contract/today";
export * from "./contract/workflow";

export const contract = {
  "app.bootstrap": { input: Nothing, output: Bootstrap },
  "app.setPreferences": { input: Preferences.partial(), output: Preferences },
  "app.retryOpen": { input: Nothing, output: Bootstrap },
  "app.showFolder": { input: Nothing, output: Nothing },
  "workspace.openSandbox": { input: Nothing, output: Bootstrap },
  /** Opens the sample ledger; where there is none yet, begins to make it, and it is opened by being asked for again. */
  "workspace.openLedger": { input: Nothing, output: Bootstrap },
  "workspace.cancelLedger": { input: Nothing, output: Bootstrap },
  "today.get": { input: Nothing, output: Today },
  "edition.start": { input: z.object({ edition: z.string().regex(/^\d{4}-W\d{2}$/) }), output: CommandReply },
  "contentReview.get": {
    input: ForTask.extend({ compareWith: z.enum(["last_approved", "last_published", "nothing"]).optional() }),
    output: ContentReview.nullable(),
  },
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
  "draft.get": { input: ForTask, output: Draft.nullable() },
  "draft.pick": { input: ForTask.extend({ span: QuoteSpan }), output: PickedQuote },
  /** What saving would bring about: nothing is written. */
  "draft.weigh": { input: EditOfDraft, output: WeighedDraft },
  "draft.keep": { input: EditOfDraft, output: DraftKept },
  "draft.drop": { input: ForTask.extend({ workingHash: Hash }), output: CommandReply },
  "draft.use": { input: EditOfDraft.extend({ expectedVersion: Version }), output: CommandReply },
  "approval.revoke": { input: ForTask.extend({ approvalId: z.string(), reason: Reason }), output: CommandReply },
  "sendReview.get": { input: ForTask, output: SendReview.nullable() },
  "sendReview.approve": {
    input: ForTask.extend({
      expectedVersion: Version,
      pageUrl: z.string(),
      bodyHash: Hash,
      audienceHash: Hash,
      typed: z.string(),
      acknowledgedAdditions: z.array(z.string()),
    }),
    output: CommandReply,
  },
  "sendReview.reject": { input: ForTask.extend({ expectedVersion: Version, reason: Reason }), output: CommandReply },
  "sendReview.editEmail": {
    input: ForTask.extend({
      expectedVersion: Version,
      subject: z.string().trim().min(1).max(300),
      intro: z.string().max(4000),
    }),
    output: CommandReply,
  },
  "run.get": { input: ForTask, output: Run.nullable() },
  "run.unblock": {
    input: ForTask.extend({
      expectedVersion: Version,
      to: z.string(),
      evidence: Reason,
      newDeadlineAt: Instant.optional(),
    }),
    output: CommandReply,
  },
  "run.giveVerdict": {
    input: ForTask.extend({
      operationId: OperationId,
      verdict: z.enum(["happened", "did_not_happen", "cannot_tell"]),
      remoteId: z.string().max(200).nullable(),
      evidence: Reason,
    }),
    output: CommandReply,
  },
  "run.lookNow": { input: ForTask.extend({ operationId: OperationId }), output: CommandReply },
  "run.closeProtectively": {
    input: ForTask.extend({ expectedVersion: Version, reason: Reason }),
    output: CommandReply,
  },
  /** A further version of an edition that has ended, by a person's word. */
  "run.startNextVersion": { input: ForTask.extend({ deadlineAt: Instant, reason: Reason }), output: CommandReply },
  "run.closeRecipients": {
    input: ForTask.extend({ recipientIds: z.array(z.string()).min(1), evidence: Reason }),
    output: CommandReply,
  },
  "run.startCompensation": { input: StartCompensation, output: CommandReply },
  "run.resumeCompensation": { input: ResumeCompensation, output: CommandReply },
  "run.closeCompensation": { input: CloseCompensation, output: CommandReply },
  "compensation.get": { input: ForTask, output: Compensation.nullable() },
  "compensation.look": { input: ForUndo, output: UndoLook.nullable() },
  "incident.list": { input: Nothing, output: Incidents },
  "incident.get": { input: ForIncident, output: Incident.nullable() },
  "incident.open": { input: OpenIncident, output: CommandReply },
  "incident.passStep": { input: PassStep, output: CommandReply },
  "incident.note": { input: NoteIncident, output: CommandReply },
  "incident.pin": { input: PinEvent, output: CommandReply },
  "incident.settle": { input: SettleIncident, output: CommandReply },
  "incident.close": { input: CloseIncident, output: CommandReply },
  "reconciliation.get": { input: Nothing, output: Reconciliation },
  /** Answers once the round is over; one that is under way is that one. */
  "reconciliation.start": { input: Nothing, output: Reconciliation },
  "alerts.get": { input: Nothing, output: Alerts },
  "alerts.acknowledge": { input: AcknowledgeAlert, output: CommandReply },
  "alerts.snooze": { input: SnoozeAlert, output: CommandReply },
  "recovery.get": { input: AskRecovery, output: Recovery },
  "health.get": { input: AskHealth, output: Health },
  /** What may be done with an external action as it is described. */
  "workflow.judge": { input: NewAction, output: JudgedAction },
  /** Lets the person choose a folder, and writes the package of a new workflow there. */
  "workflow.write": { input: NewWorkflow, output: WorkflowWritten },
  "settings.get": { input: Nothing, output: Settings },
  /** A person has looked at the clock: what was paused because it jumped goes on. */
  "settings.resumeSchedule": { input: ResumeSchedule, output: ScheduleResumed },
  /** Lets the person choose a file. */
  "audience.choose": { input: Nothing, output: AudienceChosen },
  "audience.preview": { input: AskPreview, output: AudiencePreview },
  "audience.import": { input: ImportAudience, output: AudienceImported },
  "audience.suppress": { input: SuppressRecipient, output: CommandReply },
  "audience.release": { input: ReleaseRecipient, output: CommandReply },
  "backups.get": { input: Nothing, output: Backups },
  /** Lets the person choose a folder. */
  "backups.choose": { input: Nothing, output: BackupChosen },
  "backups.turnOff": { input: Nothing, output: BackupChosen },
  "backups.setKeep": { input: KeepBackups, output: BackupChosen },
  "backups.start": { input: Nothing, output: Backups },
  "backups.cancel": { input: Nothing, output: Backups },
  "backups.show": { input: Nothing, output: Nothing },
  "ledger.get": { input: AskLedger, output: Ledger },
  "ledger.rows": { input: AskLedgerRows, output: LedgerRows },
  "ledger.facts": { input: ForTask, output: LedgerFacts },
  /** Asks the person for a file first. */
  "ledger.export": { input: ExportLedger, output: LedgerExported },
  "recovery.move": { input: MoveRecovery, output: CommandReply },
  "sandbox.get": { input: Nothing, output: SandboxPanel.nullable() },
  "sandbox.addFault": {
    input: z.object({ on: z.string().max(40), fault: z.string().max(40), times: z.number().int().min(1).max(99) }),
    output: SandboxPanel.nullable(),
  },
  "sandbox.clearFaults": { input: Nothing, output: SandboxPanel.nullable() },
  "sandbox.configure": {
    input: z.object({
      staleProbes: z.number().int().min(0).max(20).optional(),
      bounces: z.number().int().min(0).max(63).optional(),
    }),
    output: SandboxPanel.nullable(),
  },
  "sandbox.setClock": {
    input: z.object({
      skipsWaiting: z.boolean().optional(),
      advanceMs: z.number().int().min(0).max(604_800_000).optional(),
    }),
    output: ClockInfo,
  },
  "drills.get": { input: Nothing, output: Drills },
  "drills.start": { input: DrillStart, output: DrillStarted },
  "drills.cancel": { input: Nothing, output: DrillCancelled },
  "drills.judge": { input: DrillJudgement, output: DrillJudged },
  "drills.answer": { input: DrillAnswer, output: DrillAnswered },
  "evidence.get": { input: Nothing, output: Evidence },
  "evidence.plan": { input: EvidenceChoice, output: EvidencePlanned },
  /** Asks the person for a file first. */
  "evidence.export": { input: EvidenceChoice, output: EvidenceStarted },
  "evidence.open": { input: EvidenceToOpen, output: EvidenceStarted },
  "evidence.cancel": { input: Nothing, output: Nothing },
  /** Puts away the bundle that is open, and what the last work came to. */
  "evidence.putAway": { input: Nothing, output: Nothing },
  "evidence.check": { input: Nothing, output: Nothing },
  "evidence.makeKey": { input: Nothing, output: Nothing },
  "evidence.saveAllowedSigners": { input: Nothing, output: EvidenceSaved },
  /** Another key signs from now on; the old one's public side stays. */
  "evidence.registerKey": { input: KeyReason, output: KeyRegistered },
  /** The private key, into a file that the person chooses; the page never gets it. */
  "evidence.exportKey": { input: Nothing, output: EvidenceSaved },
  /** The ssh-agent's key is not waited for any more. */
  "evidence.cancelSigning": { input: Nothing, output: Nothing },
  /** Looks again which keys the ssh-agent has. */
  "evidence.findAgentKeys": { input: Nothing, output: Nothing },
  "evidence.setTimestampServer": { input: TimestampSetting, output: TimestampSet },
} as const;

/** Pushed by the main process; the renderer asks for what it shows. */
export const pushEvents = {
  "journal.changed": z.object({ seq: z.number().int(), taskIds: z.array(z.string()) }),
  "clock.changed": ClockInfo,
  "workspace.changed": Bootstrap,
  "drill.progress": DrillProgress,
  "drill.changed": DrillChanged,
  "evidence.changed": Evidence,
  "backups.changed": Backups,
  /** The inbox holds something else than before. */
  "alerts.changed": Nothing,
  /** A notification was clicked: the page goes to the alert, and nothing more. */
  "alerts.open": z.object({ alertId: AlertId }),
  /** A link from outside was followed: the page goes there, and nothing more. Null: the link was not understood. */
  "place.open": z.object({ place: LinkedPlace.nullable() }),
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
