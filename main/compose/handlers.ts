import type { ExecuteResult } from "../../db/journal";
import type { Channel } from "../../preload/contract";
import { acknowledgeAlert } from "../commands/acknowledge-alert";
import { approveContentAsking } from "../commands/approve-content";
import { approveSendAsking } from "../commands/approve-send";
import { closeCompensation } from "../commands/close-compensation";
import { closeProtectively } from "../commands/close-protectively";
import { closeRecipients } from "../commands/close-recipients";
import type { Desk } from "../commands/desk";
import { editEmail } from "../commands/edit-email";
import { giveVerdict } from "../commands/give-verdict";
import { moveRecoveryItem } from "../commands/move-recovery-item";
import { reconcile } from "../commands/reconcile";
import { rejectContent } from "../commands/reject-content";
import { rejectSend } from "../commands/reject-send";
import { resumeCompensation } from "../commands/resume-compensation";
import { revokeApproval } from "../commands/revoke-approval";
import type { ApprovalSigner } from "../commands/sign-approval";
import { snoozeAlert } from "../commands/snooze-alert";
import { startCompensation } from "../commands/start-compensation";
import { startEdition } from "../commands/start-edition";
import { startNextVersion } from "../commands/start-next-version";
import { unblock } from "../commands/unblock";
import type { CompensationId, OperationId, TaskId } from "../domain/ids";
import { briefingDefinition } from "../pipeline/briefing/definition";
import type { ChooseTable } from "./audience-desk";
import type { Handlers } from "./channel-handlers";
import { draftHandlers } from "./draft-handlers";
import { editorName } from "./editor-name";
import { incidentHandlers } from "./incident-handlers";
import { LANGUAGE } from "./language";
import { type ExportFiles, ledgerHandlers } from "./ledger-handlers";
import { lookAtUndo } from "./look-at-undo";
import { lookNow } from "./look-now";
import type { OpenSandbox } from "./open-sandbox";
import { replyOf } from "./reply";
import { settingsHandlers } from "./settings-handlers";
import type { Views } from "./views";
import { workflowHandlers } from "./workflow-handlers";
import type { Workspace } from "./workspace";

type WorkspaceChannel = Exclude<Channel, `${"app" | "backups" | "drills" | "evidence" | "workspace"}.${string}`>;
export type WorkspaceHandlers = Pick<Handlers, WorkspaceChannel>;

/** Files that a person chooses in the system's own dialogs. */
type DeskFiles = ExportFiles & { chooseTable: ChooseTable };

/** The handlers of an open workspace: each person's command through the one way, each screen through its read model. */
export function workspaceHandlers(
  sandbox: OpenSandbox,
  views: Views,
  signer: ApprovalSigner,
  files: DeskFiles,
): WorkspaceHandlers {
  const { workspace } = sandbox;
  const desk: Desk = { ...workspace.desk(editorName()), signer };
  const reply = (result: ExecuteResult) => replyOf(result, workspace.database.path);
  const task = <T extends { taskId: string }>(input: T) => ({ ...input, taskId: input.taskId as TaskId });
  return {
    "today.get": () => views.today(),
    "edition.start": ({ edition }) =>
      reply(startEdition({ ...desk, definition: briefingDefinition }, { edition, language: LANGUAGE })),
    "contentReview.get": (input) => views.contentReview(input),
    "contentReview.snapshot": (input) => views.snapshot(input),
    "contentReview.approve": async ({ acknowledgedWarnings, ...input }) =>
      reply(await approveContentAsking(desk, { ...task(input), acknowledged: acknowledgedWarnings })),
    "contentReview.reject": (input) => reply(rejectContent(desk, task(input))),
    "approval.revoke": (input) => reply(revokeApproval(desk, task(input))),
    "sendReview.get": (input) => views.sendReview(input),
    "sendReview.approve": async (input) => reply(await approveSendAsking(desk, task(input))),
    "sendReview.reject": (input) => reply(rejectSend(desk, task(input))),
    "sendReview.editEmail": (input) => reply(editEmail(desk, task(input))),
    "run.get": (input) => views.run(input),
    "run.unblock": (input) => reply(unblock(desk, task(input))),
    "run.giveVerdict": (input) =>
      reply(giveVerdict(desk, { ...task(input), operationId: input.operationId as OperationId })),
    "run.lookNow": async (input) =>
      reply(await lookNow(workspace, desk, input.taskId as TaskId, input.operationId as OperationId)),
    "run.closeProtectively": (input) => reply(closeProtectively(desk, task(input))),
    "run.startNextVersion": (input) =>
      reply(startNextVersion({ ...desk, definition: briefingDefinition }, task(input))),
    "run.closeRecipients": (input) => reply(closeRecipients(desk, task(input))),
    "reconciliation.get": () => views.reconciliation(),
    "reconciliation.start": async () => {
      await reconcile(desk, workspace.reconciliation);
      return views.reconciliation();
    },
    "alerts.get": () => views.alerts(),
    "alerts.acknowledge": (input) => reply(acknowledgeAlert(desk, task(input))),
    "alerts.snooze": (input) => reply(snoozeAlert(desk, task(input))),
    "recovery.get": (input) => views.recovery(input),
    "health.get": (input) => views.health(input),
    "recovery.move": (input) => reply(moveRecoveryItem(desk, task(input))),
    ...draftHandlers(views, desk, reply),
    ...ledgerHandlers(views, files),
    ...workflowHandlers(files),
    ...settingsHandlers(sandbox, views, desk, files.chooseTable),
    ...incidentHandlers(workspace, views, desk, reply),
    ...undoHandlers(workspace, views, desk),
    ...sandboxHandlers(sandbox, views),
  };
}

function undoHandlers(
  workspace: Workspace,
  views: Views,
  desk: Desk,
): Pick<
  Handlers,
  | "run.startCompensation"
  | "run.resumeCompensation"
  | "run.closeCompensation"
  | "compensation.get"
  | "compensation.look"
> {
  const reply = (result: ExecuteResult) => replyOf(result, workspace.database.path);
  const entry = <T extends { taskId: string; compensationId: string }>(input: T) => ({
    ...input,
    taskId: input.taskId as TaskId,
    compensationId: input.compensationId as CompensationId,
  });
  return {
    "run.startCompensation": (input) => reply(startCompensation(desk, { ...input, taskId: input.taskId as TaskId })),
    "run.resumeCompensation": (input) => reply(resumeCompensation(desk, entry(input))),
    "run.closeCompensation": (input) => reply(closeCompensation(desk, entry(input))),
    "compensation.get": (input) => views.compensation(input),
    "compensation.look": (input) => lookAtUndo(workspace, desk, input),
  };
}

function sandboxHandlers(
  sandbox: OpenSandbox,
  views: Views,
): Pick<
  Handlers,
  "sandbox.get" | "sandbox.addFault" | "sandbox.clearFaults" | "sandbox.configure" | "sandbox.setClock"
> {
  const { control, clock, skip, loop } = sandbox;
  return {
    "sandbox.get": () => views.panel(),
    "sandbox.addFault": async (rule) => {
      await control.addFault(rule);
      return views.panel();
    },
    "sandbox.clearFaults": async () => {
      await control.clearFaults();
      return views.panel();
    },
    "sandbox.configure": async (change) => {
      await control.configure(change);
      return views.panel();
    },
    "sandbox.setClock": async ({ skipsWaiting, advanceMs }) => {
      if (skipsWaiting !== undefined) skip.enabled = skipsWaiting;
      if (advanceMs !== undefined) await clock.advanceBy(advanceMs);
      loop.nudge();
      return views.clock();
    },
  };
}
