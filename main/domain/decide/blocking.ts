import { raiseAlert } from "../alert";
import type { CommandContext, TransitionCommand } from "../commands";
import { gateOperations } from "../guards/input";
import { derivedId } from "../hashing";
import { isOpenAccount } from "../open-account";
import type { Write } from "../plan";
import type { OperationRow } from "../records";
import type { TaskView } from "../view";

/** Events whose name is their reason. */
const REASONS: Readonly<Record<string, string>> = {
  ApprovalExpired: "approval_expired",
  ApprovalRevoked: "approval_revoked",
  DeadlineReached: "deadline",
  PageChanged: "page_mismatch",
  AccountMismatch: "account_mismatch",
  CollectBlocked: "source_missing",
  DraftBlocked: "draft_structure",
};

export const blockedReasonOf = (command: TransitionCommand): string =>
  command.blockedReason ?? REASONS[command.event] ?? command.event;

/** What a block leaves behind besides the state: somebody is told, and what was given up has an owner (domain 8, 10). */
export function blockedWrites(view: TaskView, command: TransitionCommand, context: CommandContext): Write[] {
  const reason = blockedReasonOf(command);
  const given = reason === "outcome_unknown" ? gateOperations(view).filter((row) => isGivenUp(view, row)) : [];
  return [alertOf(view, command, reason, context), ...given.map((row) => deadLetterOf(view, row, context))];
}

function alertOf(view: TaskView, command: TransitionCommand, reason: string, context: CommandContext): Write {
  const rule = view.definition.blocked[reason];
  const more = { event: command.event, reason, evidenceNeeded: [...(rule?.evidenceNeeded ?? [])] };
  return raiseAlert(view, context, { code: `blocked_${reason}`, owner: rule?.owner, more });
}

/** Reports are late: a person is told within working hours, since every mail is out and nothing more can be done twice. */
export function recipientsOpen(view: TaskView, context: CommandContext): Write {
  const { task } = view;
  const open = view.recipients().filter(isOpenAccount).length;
  const more = { open, audienceHash: task.context["audienceHash"] ?? null };
  return raiseAlert(view, context, { code: "recipients_open", more });
}

/** Its tries are spent. What is locked has its recovery item from the look that locked it. */
const isGivenUp = (view: TaskView, { id, state }: OperationRow): boolean =>
  (state === "prepared" || state === "not_found") && view.attempts(id).length > 0;

/** An owner must look at a dead letter within the hour: behind it readers wait for an edition. */
const DEAD_LETTER_DUE_MS = 3_600_000;

function deadLetterOf(view: TaskView, operation: OperationRow, context: CommandContext): Write {
  const { task } = view;
  return {
    table: "recovery_item",
    insertIfNew: {
      id: derivedId("ri", operation.id, "dead_letter", task.stateVersion + 1),
      taskId: task.id,
      operationId: operation.id,
      kind: "dead_letter",
      stage: "to_triage",
      subject: operation.operationKey,
      errorClass: view.attempts(operation.id).at(-1)?.errorClass ?? null,
      owner: task.owner,
      backupOwner: task.backupOwner,
      createdAt: context.now,
      dueAt: context.now + DEAD_LETTER_DUE_MS,
    },
  };
}
