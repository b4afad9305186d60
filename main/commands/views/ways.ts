import type { Output } from "../../../preload/contract";
import type { CommandContext, TransitionCommand } from "../../domain/commands";
import { planHash } from "../../domain/compensation";
import type { TransitionRule, WayOut } from "../../domain/definition";
import { evaluate } from "../../domain/guards";
import type { Unmet } from "../../domain/unmet";
import type { TaskView } from "../../domain/view";
import type { Made } from "../made";
import { dryContentApproval, dryRunSigned, drySendApproval } from "./dry-approvals";
import { type DryAnswer, dryRun, WRITTEN } from "./dry-run";
import { dryContext, type ViewPorts } from "./view-ports";

type Run = NonNullable<Output<"run.get">>;
type Way = Run["ways"][number];
type WayOutView = NonNullable<Run["blocked"]>["waysOut"][number];

/** Every way the definition has from the present state, open or with what stands against it (ux: state map). */
export function waysOf(ports: ViewPorts, view: TaskView, now: number): Way[] {
  const { task, definition } = view;
  return definition.transitions
    .filter((rule) => rule.from.includes(task.state))
    .flatMap((rule) => {
      const by = causerOf(rule);
      if (rule.to === "@way_out")
        return waysOut(ports, view, now).map(({ to, open, unmet }) => ({ event: rule.event, to, open, unmet, by }));
      const to = rule.to === "=" ? task.state : rule.to === "@resume" ? (task.resumeState ?? task.state) : rule.to;
      return [{ event: rule.event, to, ...answerTo(ports, view, rule, now), by }];
    });
}

/** The ways out that the present blocked reason has, each asked singly: they differ in what they need (domain 3). */
export function waysOut(ports: ViewPorts, view: TaskView, now: number): WayOutView[] {
  const { task, definition } = view;
  const ways = definition.blocked[task.blockedReason ?? ""]?.waysOut ?? [];
  return ways
    .filter((way) => way.blockedIn === undefined || way.blockedIn.includes(task.resumeState ?? ""))
    .map((way) => {
      const to = way.to === "@resume" ? (task.resumeState ?? task.state) : way.to;
      return { to, needsDeadline: needsDeadline(way), ...answerToWayOut(ports, view, way, to, now) };
    });
}

const needsDeadline = (way: WayOut): boolean => way.guards.includes("new_deadline_given");

function answerToWayOut(ports: ViewPorts, view: TaskView, way: WayOut, to: string, now: number): DryAnswer {
  const given = { to, evidence: WRITTEN, ...(needsDeadline(way) ? { newDeadlineAt: now + 1 } : {}) };
  return dryRun(view, { command: ports.pipeline.unblocking(view, given) }, dryContext(ports, view, now));
}

function causerOf(rule: TransitionRule): Way["by"] {
  const isForPerson = rule.by.includes("person");
  return isForPerson && rule.by.length > 1 ? "either" : isForPerson ? "person" : "executor";
}

function answerTo(ports: ViewPorts, view: TaskView, rule: TransitionRule, now: number): DryAnswer {
  const made = approvalOf(ports, view, rule);
  if (made !== null) return dryRunSigned(ports, view, made, dryContext(ports, view, now));
  const context: CommandContext = {
    ...dryContext(ports, view, now),
    // A deadline is nearer for what runs by itself than for a person.
    ...(rule.by.includes("person") ? {} : { actor: "executor:state-map" as const }),
  };
  const unmet: Unmet[] = evaluate(rule.guards, { view, command: dryCommand(ports, view, rule, now), context });
  return { open: unmet.length === 0, unmet };
}

function approvalOf(ports: ViewPorts, view: TaskView, rule: TransitionRule): Made | null {
  if (rule.event === "ContentApproved") return dryContentApproval(ports, view);
  return rule.event === "SendApproved" ? drySendApproval(ports, view) : null;
}

/**
 * The event as its causer would bring it, with everything given that is only ever given with the command: a reason, the
 * approval to revoke, an edited draft, the calls to prepare. What is left unmet is what the task itself lacks.
 */
function dryCommand(ports: ViewPorts, view: TaskView, rule: TransitionRule, now: number): TransitionCommand {
  const { task } = view;
  const gate = view.definition.gates[task.state];
  const approval = view
    .approvals()
    .filter((row) => row.scope === gate)
    .at(-1);
  const isEditing = rule.guards.includes("edited_draft_given");
  const isPublishing = rule.event === "PublishStarted";
  return {
    type: "transition",
    taskId: task.id,
    event: rule.event,
    reason: WRITTEN,
    retryAt: now,
    payload: { approvalId: approval?.id ?? "", planHash: planHash(view.compensations()) },
    ...(isEditing ? { context: { editedDraftHash: WRITTEN } } : {}),
    ...(isPublishing ? { operations: ports.pipeline.publishIntents(view) } : {}),
  };
}
