import { alertRuleOf } from "./alert-rules";
import type { CommandContext } from "./commands";
import { isTerminal } from "./definition";
import { canonicalJson, derivedId } from "./hashing";
import { assertNever, type Instant, type OperationId } from "./ids";
import { isOpenAccount } from "./open-account";
import type { Write } from "./plan";
import type { AlertRow, ApprovalRow, IncidentRow, OperationRow } from "./records";
import { isOpenStage } from "./recovery";
import { operationById, type TaskView } from "./view";

type AlertOperation = Pick<
  OperationRow,
  "operationKey" | "kind" | "phase" | "adapter" | "state" | "remoteId" | "intentHash" | "contentHash"
>;
type AlertApproval = Pick<
  ApprovalRow,
  "id" | "scope" | "approver" | "issuedAt" | "expiresAt" | "revokedAt" | "endedAt" | "contentHash"
>;
type AlertFreeze = Pick<IncidentRow, "id" | "rule" | "scope" | "scopeValue" | "openedAt">;

/** What an alert carries, so that nothing else has to be opened to act on it (domain 10). What there is none of is null or empty. */
export interface AlertContents {
  taskKey: string;
  edition: string;
  state: string;
  deadlineAt: Instant;
  owner: string;
  backupOwner: string;
  contentHash: string | null;
  operations: readonly AlertOperation[];
  lastApproval: AlertApproval | null;
  freezes: readonly AlertFreeze[];
}

/**
 * The facts behind an alert, from the journal as it is.
 * @param operationId the one call it is about; null: the task's own calls, without those of single recipients
 * @param owner who has to act, where it is not the task's owner
 */
export function alertContents(view: TaskView, operationId: OperationId | null, owner?: string): AlertContents {
  const { taskKey, edition, state, deadlineAt, backupOwner, owner: taskOwner, context } = view.task;
  const own = operationId === null ? null : operationById(view, operationId);
  const operations = own ? [own] : view.operations().filter((row) => row.recipientId === null);
  const contentHash = context["contentHash"];
  return {
    ...{ taskKey, edition, state, deadlineAt, backupOwner, owner: owner ?? taskOwner },
    contentHash: typeof contentHash === "string" ? contentHash : null,
    operations: operations.map(
      ({ operationKey, kind, phase, adapter, state: operationState, remoteId, intentHash, contentHash: hash }) => ({
        ...{ operationKey, kind, phase, adapter, state: operationState, remoteId, intentHash, contentHash: hash },
      }),
    ),
    lastApproval: approvalOf(view.approvals().at(-1)),
    freezes: view.freezes().map(({ id, rule, scope, scopeValue, openedAt }) => ({
      ...{ id, rule, scope, scopeValue, openedAt },
    })),
  };
}

function approvalOf(approval: ApprovalRow | undefined): AlertApproval | null {
  if (!approval) return null;
  const { id, scope, approver, issuedAt, expiresAt, revokedAt, endedAt, contentHash } = approval;
  return { id, scope, approver, issuedAt, expiresAt, revokedAt, endedAt, contentHash };
}

/** Raises an alert with everything that is known at this moment. Its id is of this event: raised again later, it is another. */
export function raiseAlert(
  view: TaskView,
  context: CommandContext,
  raised: {
    code: string;
    operationId?: OperationId | null;
    /** Absent: the operation, else the task. */
    subject?: string;
    owner?: string | undefined;
    more: Readonly<Record<string, unknown>>;
  },
): Write {
  const { task } = view;
  const { code, operationId = null } = raised;
  const subject = raised.subject ?? operationId ?? task.id;
  const raise = {
    ...{ id: derivedId("al", subject, code, task.taskSeq + 1), taskId: task.id, operationId, subject, code },
    urgency: alertRuleOf(code).urgency,
    at: context.now,
    details: canonicalJson({ ...alertContents(view, operationId, raised.owner), ...raised.more }),
  };
  return { table: "alert", raise };
}

/** True where what an alert is about is over, whoever saw to it: then nobody has to be told any more. */
export function isMatterOver(
  view: TaskView,
  alert: Pick<AlertRow, "code" | "subject" | "operationId" | "lastAt">,
): boolean {
  const { task } = view;
  const operation = alert.operationId === null ? null : operationById(view, alert.operationId);
  const { matter } = alertRuleOf(alert.code);
  switch (matter) {
    case "block":
      return task.state !== "blocked" || task.stateSince > alert.lastAt;
    case "locked":
    case "conflict":
      return operation?.state !== matter;
    case "incident":
      return !view
        .freezes()
        .some(
          (row) => row.id === alert.subject || (row.rule === "duplicate_remote" && row.scopeValue === operation?.slot),
        );
    case "undo": {
      const state = view.compensations().find(({ id }) => id === alert.subject)?.state;
      return state === "done" || state === "closed_by_person" || state === "not_needed";
    }
    case "reports":
      return isTerminal(task.state) || !view.recipients().some(isOpenAccount);
    case "item":
      return view.recoveryItems().some(({ id, stageAt }) => id === alert.subject && stageAt !== null);
    case "drill":
      return view
        .recoveryItems()
        .some(({ id, stage, verification }) => id === alert.subject && (verification !== null || !isOpenStage(stage)));
    case "differences":
      return !view.recoveryItems().some((row) => row.kind === "reconciliation_difference" && row.stageAt === null);
    // Whether it got better shows only in a week: a person's word ends it.
    case "dependency":
      return false;
    // The items of one cause belong to several editions: whoever looks at all of them settles it.
    case "review":
      return false;
    default:
      return assertNever(matter, "alert matter");
  }
}
