import type { Rules } from "../../db/journal";
import type { Sqlite } from "../../db/open";
import type { Command, CommandContext } from "../domain/commands";
import { decide, decideCreateTask, decideJournal, type TaskCommand } from "../domain/decide";
import { isTerminal } from "../domain/definition";
import type { GuardName } from "../domain/guards/names";
import { asApprovalId } from "../domain/ids";
import type { InvariantId } from "../domain/invariants";
import type { Decision, Write } from "../domain/plan";
import type { ApprovalRow } from "../domain/records";
import type { TaskView } from "../domain/view";

/**
 * Switches one invariant off, its guard and its database constraint, so that a simulation can be seen to see. They exist here
 * and in no program that anybody works with: the guard is not removed, it is shown a task in which it has nothing to object to.
 */

/** What the database itself refuses, per invariant. The operation's machine is what keeps a call from leaving twice. */
const CONSTRAINTS: Readonly<Record<InvariantId, readonly string[]>> = {
  I01: ["INDEX i01_one_live_task"],
  I02: ["TRIGGER i02_publish_needs_approval"],
  I03: [
    "INDEX i03_one_open_create",
    "TRIGGER i03_slot_has_object",
    "TRIGGER i03_reopened_slot",
    "TRIGGER operation_machine",
  ],
  I04: ["TRIGGER i04_send_needs_page", "TRIGGER i04_send_needs_approval"],
  I05: ["TRIGGER i05_attempt_token", "TRIGGER i05_event_token"],
  I06: ["TRIGGER i06_succeeded"],
  I07: ["TRIGGER i07_compensated"],
  I08: ["TRIGGER i08_terminal_is_final"],
};

export function dropConstraints(sqlite: Sqlite, invariant: InvariantId): void {
  for (const constraint of CONSTRAINTS[invariant]) sqlite.exec(`DROP ${constraint}`);
}

/** Guards of the transition table that hold an invariant. */
const GUARDS: Partial<Readonly<Record<InvariantId, readonly GuardName[]>>> = {
  I02: ["package_as_seen", "warnings_acknowledged", "publish_approval_living"],
  I04: ["send_terms_as_seen"],
  I06: ["operations_settled_well", "recipients_accounted"],
  I07: ["nothing_unsettled", "undo_settled", "compensation_finished"],
};

/** The domain's rules without one of them. */
export function weakenedRules(invariant: InvariantId): Rules {
  return {
    decideJournal,
    decideCreateTask: (existing, definition, command, context) => {
      const shown = invariant === "I01" ? existing.map((task) => ({ ...task, state: "closed" })) : existing;
      return decideCreateTask(shown, definition, command, context);
    },
    decide: (view, command, context) =>
      repaired(view, decide(shownTo(invariant, view, command, context), command, context)),
  };
}

/** The task as the weakened rule is shown it. */
function shownTo(invariant: InvariantId, view: TaskView, command: TaskCommand, context: CommandContext): TaskView {
  const { task } = view;
  const shown = { ...view, definition: withoutGuards(view.definition, GUARDS[invariant] ?? []) };
  if (command.type === "mark_request_sent" && (invariant === "I02" || invariant === "I04"))
    return { ...shown, approvals: () => [...view.approvals(), inventedApproval(view, command)] };
  if (command.type === "mark_request_sent" && invariant === "I03")
    return {
      ...shown,
      operations: () =>
        view
          .operations()
          .map((row) => (row.id === command.operationId && row.state === "unknown" ? asAbsent(row) : row)),
    };
  if (invariant === "I05" && command.type === "note" && context.actor.startsWith("executor:")) {
    const leaseOwner = context.actor;
    return {
      ...shown,
      task: { ...task, leaseOwner, leaseExpiresAt: context.now + 1, fencingToken: context.fencingToken ?? 0 },
    };
  }
  if (invariant === "I08" && command.type === "transition" && isTerminal(task.state))
    return { ...shown, task: { ...task, state: "blocked" } };
  return shown;
}

type Definition = TaskView["definition"];

function withoutGuards(definition: Definition, names: readonly GuardName[]): Definition {
  if (names.length === 0) return definition;
  const transitions = definition.transitions.map((rule) => ({
    ...rule,
    guards: rule.guards.filter((guard) => !names.includes(guard)),
  }));
  return { ...definition, transitions };
}

const INVENTED = asApprovalId("ap-invented");
const FOR_EVER = Number.MAX_SAFE_INTEGER;

function inventedApproval(view: TaskView, command: Extract<Command, { type: "mark_request_sent" }>): ApprovalRow {
  const operation = view.operations().find((row) => row.id === command.operationId);
  const { contentHash, pageUrl, bodyHash, audienceHash } = command.recomputed;
  return {
    ...{ id: INVENTED, taskId: view.task.id, scope: operation?.kind === "send" ? "send" : "publish" },
    ...{ intentKey: operation?.intentKey ?? "", hashRuleVersion: operation?.hashRuleVersion ?? 0 },
    ...{ contentHash, packageHash: null, pageUrl, bodyHash, audienceHash, checkReceiptId: null },
    ...{ approver: "nobody", issuedAt: 0, expiresAt: FOR_EVER, timeSource: "none", zone: "UTC", statement: "" },
    ...{ signature: null, signedBy: null, revokedAt: null, revokedBy: null, endedAt: null },
  };
}

const asAbsent = (row: ReturnType<TaskView["operations"]>[number]): typeof row => ({
  ...row,
  ...{ state: "not_found", settled: true, nextLookAt: null },
});

/** What was decided about the shown task, fitted to the real one: the journal still writes only onto what is there. */
function repaired(view: TaskView, decision: Decision): Decision {
  if (!decision.ok) return decision;
  const writes = decision.plan.writes.map((write): Write => {
    if (write.table === "attempt" && "insert" in write && write.insert.approvalId === INVENTED)
      return { ...write, insert: { ...write.insert, approvalId: null } };
    if (write.table !== "operation" || !("update" in write)) return write;
    const real = view.operations().find((row) => row.id === write.update.id);
    return real ? { ...write, was: real.state } : write;
  });
  return { ok: true, plan: { ...decision.plan, writes } };
}
