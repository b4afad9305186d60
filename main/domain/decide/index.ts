import type { Command, CommandContext, TransitionCommand } from "../commands";
import { gateOperations } from "../guards/input";
import { derivedId } from "../hashing";
import { assertNever } from "../ids";
import type { IncidentCommand } from "../incident-command";
import { hasLeft } from "../operation";
import { type Decision, draftEvent, refuse } from "../plan";
import type { SignerRow } from "../records";
import { unmet } from "../unmet";
import type { TaskView } from "../view";
import {
  decideAcknowledgeAlert,
  decideReportIncident,
  decideReportRetryRate,
  decideReportReviewOwed,
  decideReportUntouched,
  decideSettleAlert,
  decideSnoozeAlert,
  decideTellAlert,
} from "./alert";
import { decideAnswer, decideLateAnswer } from "./answer";
import { decideHandOver, decidePrepareUndo, decideRecordUndo, decideSkipUndo } from "./compensate";
import { decideCloseUndo, decideResumeUndo } from "./compensate-by-person";
import { decideReportDrill, decideReportDrillPassed } from "./drill";
import { decideEscalateBlocked } from "./escalate";
import { decideCloseIncident } from "./incident";
import { decideClaim, decideHeartbeat, decideRelease } from "./lease";
import { decideLook, decideStartLook } from "./look";
import { decideRecordRound } from "./reconciliation";
import { decideAccount, decideNote, decideRecordStep } from "./record";
import { decideMoveItem } from "./recovery";
import { decideRegisterSigner } from "./register-signer";
import { decideRequestSent } from "./request-sent";
import { decideTransition } from "./transition";
import { decideVerdict } from "./verdict";
import { decideDropDraft, decideKeepDraft } from "./working-draft";

export { decideCreateTask } from "./create-task";
export { decideIncident } from "./work-on-incident";

/** Commands that concern one existing task. */
export type TaskCommand = Exclude<Command, JournalCommand | IncidentCommand | { type: "create_task" }>;
export type JournalCommand = Extract<
  Command,
  { type: "suppress_recipient" | "release_recipient" | "raise_epoch" | "settle_epoch" | "register_signer" }
>;

/**
 * Decides one command on one task: pure, total, and the only place where rules about it stand (domain 4).
 * @returns what would be written, or a typed refusal with everything that is missing.
 */
export function decide(view: TaskView, command: TaskCommand, context: CommandContext): Decision {
  switch (command.type) {
    case "claim_lease":
      return decideClaim(view, context);
    case "heartbeat":
      return decideHeartbeat(view, context);
    case "release_lease":
      return decideRelease(view, context);
    case "transition":
      return decideTransition(view, command, context);
    case "record_step":
      return decideRecordStep(view, command, context);
    case "note":
      return decideNote(view, command, context);
    case "mark_request_sent":
      return decideRequestSent(view, command, context);
    case "record_answer":
      return decideAnswer(view, command, context);
    case "start_look":
      return decideStartLook(view, command, context);
    case "record_look":
      return decideLook(view, command, context);
    case "keep_late_answer":
      return decideLateAnswer(view, command, context);
    case "give_verdict":
      return decideVerdict(view, command, context);
    case "revoke_approval":
      return decideRevoke(view, command, context);
    case "prepare_compensation":
      return decidePrepareUndo(view, command, context);
    case "record_compensation":
      return decideRecordUndo(view, command, context);
    case "skip_compensation":
      return decideSkipUndo(view, command, context);
    case "hand_over_compensation":
      return decideHandOver(view, command, context);
    case "close_compensation":
      return decideCloseUndo(view, command, context);
    case "resume_compensation":
      return decideResumeUndo(view, command, context);
    case "close_incident":
      return decideCloseIncident(view, command, context);
    case "move_recovery_item":
      return decideMoveItem(view, command, context);
    case "tell_alert":
      return decideTellAlert(view, command, context);
    case "acknowledge_alert":
      return decideAcknowledgeAlert(view, command, context);
    case "snooze_alert":
      return decideSnoozeAlert(view, command, context);
    case "settle_alert":
      return decideSettleAlert(view, command, context);
    case "report_untouched":
      return decideReportUntouched(view, command, context);
    case "report_drill":
      return decideReportDrill(view, command, context);
    case "report_drill_passed":
      return decideReportDrillPassed(view, command, context);
    case "report_incident":
      return decideReportIncident(view, command, context);
    case "report_review_owed":
      return decideReportReviewOwed(view, command, context);
    case "report_retry_rate":
      return decideReportRetryRate(view, command, context);
    case "escalate_blocked":
      return decideEscalateBlocked(view, context);
    case "keep_working_draft":
      return decideKeepDraft(view, command, context);
    case "drop_working_draft":
      return decideDropDraft(view, command, context);
    case "record_round":
      return decideRecordRound(view, command, context);
    case "account_recipients":
      return decideAccount(view, command, context);
    default:
      return assertNever(command, "command");
  }
}

/** A revocation is a different event depending on whether something of the intent has left already (domain 3). */
function decideRevoke(
  view: TaskView,
  command: Extract<Command, { type: "revoke_approval" }>,
  context: CommandContext,
): Decision {
  const out = gateOperations(view).some(hasLeft);
  const transition: TransitionCommand = {
    type: "transition",
    taskId: command.taskId,
    event: out ? "RevocationNoted" : "ApprovalRevoked",
    reason: command.reason,
    payload: { approvalId: command.approvalId },
  };
  return decideTransition(view, transition, context);
}

/** What the journal knows of itself, for commands that concern no task. */
export interface JournalView {
  epoch: number;
  epochReconciled: number;
  suppressionVersion: number;
  isSuppressed(recipientId: string): boolean;
  /** Oldest first. */
  signers(): readonly SignerRow[];
}

type SuppressionCommand = Extract<JournalCommand, { type: "suppress_recipient" | "release_recipient" }>;

/** Onto the suppression list or off it again; either way its version rises, which every approved audience is bound to (domain 1). */
function decideSuppression(view: JournalView, command: SuppressionCommand, context: CommandContext): Decision {
  const { recipientId, reason } = command;
  const isRelease = command.type === "release_recipient";
  if (view.isSuppressed(recipientId) !== isRelease) {
    const code = isRelease ? "recipient_not_suppressed" : "recipient_suppressed";
    return refuse("guard_failed", unmet(code, { recipient: recipientId }));
  }
  const version = view.suppressionVersion + 1;
  const payload = { recipientId, version, ...(isRelease ? { released: true } : {}) };
  return {
    ok: true,
    plan: {
      task: {},
      events: [draftEvent("SuppressionChanged", { reason, payload })],
      writes: [
        isRelease
          ? { table: "suppression", remove: { recipientId } }
          : { table: "suppression", insertIfNew: { recipientId, version, reason, at: context.now } },
        { table: "journal_state", patch: { suppressionVersion: version } },
      ],
    },
  };
}

/** Decides commands on the journal as a whole: suppression list, epoch and signing keys. */
export function decideJournal(view: JournalView, command: JournalCommand, context: CommandContext): Decision {
  switch (command.type) {
    case "suppress_recipient":
    case "release_recipient":
      return decideSuppression(view, command, context);
    case "raise_epoch": {
      const epoch = view.epoch + 1;
      const incident = {
        id: derivedId("in", "journal_epoch", epoch),
        taskId: null,
        rule: "journal_epoch" as const,
        kind: "restored_backup" as const,
        operationId: null,
        scope: "all" as const,
        scopeValue: `epoch ${epoch}`,
        openedAt: context.now,
        openedBy: context.actor,
        closedAt: null,
      };
      return {
        ok: true,
        plan: {
          task: {},
          events: [draftEvent("EpochRaised", { reason: command.reason, payload: { epoch } })],
          writes: [
            { table: "journal_state", patch: { epoch } },
            { table: "incident", insertIfNew: incident },
          ],
        },
      };
    }
    case "register_signer":
      return decideRegisterSigner(view.signers(), command, context);
    case "settle_epoch":
      return {
        ok: true,
        plan: {
          task: {},
          events: [draftEvent("EpochReconciled", { payload: { epoch: view.epoch } })],
          writes: [{ table: "journal_state", patch: { epochReconciled: view.epoch } }],
        },
      };
    default:
      return assertNever(command, "journal command");
  }
}
