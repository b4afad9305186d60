import type { Output } from "../../../preload/contract";
import type { CommandContext, TransitionCommand } from "../../domain/commands";
import type { TransitionRule, WayOut } from "../../domain/definition";
import { evaluate } from "../../domain/guards";
import type { Unmet } from "../../domain/unmet";
import type { TaskView } from "../../domain/view";
import { type DryAnswer, dryRun } from "./dry-run";
import { type FrozenPackage, readFrozen } from "./frozen";
import { dryContext, type ViewPorts } from "./view-ports";

type Run = NonNullable<Output<"run.get">>;
type Way = Run["ways"][number];
type WayOutView = NonNullable<Run["blocked"]>["waysOut"][number];

/** Stands for what a person will have written; a guard asks only that it is there. */
const WRITTEN = "…";

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
  if (rule.event === "ContentApproved") return dryRun(view, contentApproval(ports, view), dryContext(ports, view, now));
  const context: CommandContext = {
    ...dryContext(ports, view, now),
    // A deadline is nearer for what runs by itself than for a person.
    ...(rule.by.includes("person") ? {} : { actor: "executor:state-map" as const }),
  };
  const unmet: Unmet[] = evaluate(rule.guards, { view, command: dryCommand(ports, view, rule, now), context });
  return { open: unmet.length === 0, unmet };
}

function contentApproval(ports: ViewPorts, view: TaskView) {
  const packageHash = String(view.task.context["packageHash"] ?? "");
  if (packageHash === "") return { unmet: [{ code: "package_missing" as const, values: {} }] };
  const { contentHash, warnings } = readFrozen<FrozenPackage>(ports.blobs, packageHash, "imprimatur-package/1");
  const comparedWith = { choice: "nothing", hash: null };
  return ports.pipeline.contentApproval(view, {
    packageHash,
    contentHash,
    comparedWith,
    acknowledged: warnings,
    readSections: [],
  });
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
  const { pageUrl, bodyHash, audienceHash } = task.context;
  const isEditing = rule.guards.includes("edited_draft_given");
  const isPublishing = rule.event === "PublishStarted";
  const isSending = rule.event === "SendApproved";
  return {
    type: "transition",
    taskId: task.id,
    event: rule.event,
    reason: WRITTEN,
    retryAt: now,
    payload: {
      approvalId: approval?.id ?? "",
      ...{ pageUrl, bodyHash, audienceHash },
      ...{ recomputed_pageUrl: pageUrl, recomputed_bodyHash: bodyHash, recomputed_audienceHash: audienceHash },
    },
    ...(isEditing ? { context: { editedDraftHash: WRITTEN } } : {}),
    ...(isPublishing ? { operations: ports.pipeline.publishIntents(view) } : {}),
    ...(isSending ? { operations: sendOperations(ports, view) } : {}),
  };
}

function sendOperations(ports: ViewPorts, view: TaskView) {
  const { pageUrl, bodyHash, audienceHash } = view.task.context;
  const seen = { pageUrl: String(pageUrl), bodyHash: String(bodyHash), audienceHash: String(audienceHash) };
  const made = ports.pipeline.sendApproval(view, { ...seen, typed: "", acknowledgedAdditions: [] });
  return "command" in made ? (made.command.operations ?? []) : [];
}
