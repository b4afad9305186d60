import { type RunRows, readRun } from "../../../db/queries/run";
import type { Input, Output } from "../../../preload/contract";
import type { Sha256, TaskId } from "../../domain/ids";
import { isOpenAccount } from "../../domain/open-account";
import type { SourceConfig } from "../../domain/ports";
import type { TaskView } from "../../domain/view";
import { approvalViews } from "./approval-view";
import { incidentViews } from "./incident";
import { operationViews } from "./operation-views";
import { readOrigins, sourceViews } from "./source-views";
import type { ViewPorts } from "./view-ports";
import { waysOf, waysOut } from "./ways";

type Run = NonNullable<Output<"run.get">>;

/** Everything the journal knows of one task, by its id alone and as of one moment (domain 1). */
export async function runView(ports: ViewPorts, asked: Input<"run.get">): Promise<Output<"run.get">> {
  const configs = await ports.sources();
  const clock = ports.clock();
  return readRun(ports.queries, asked.taskId as TaskId, (rows) => assemble(ports, rows, configs, clock));
}

function assemble(ports: ViewPorts, rows: RunRows, configs: readonly SourceConfig[], clock: Run["clock"]): Run {
  const { view } = rows;
  const { task } = view;
  const { leaseOwner: owner, leaseExpiresAt: expiresAt, fencingToken: token } = task;
  const open = openRecipients(ports, view);
  return {
    taskId: task.id,
    taskKey: task.taskKey,
    taskVersion: task.taskVersion,
    edition: task.edition,
    state: task.state,
    stateVersion: task.stateVersion,
    resumeState: task.resumeState,
    blocked: blockedView(ports, view, clock.now),
    deadlineAt: task.deadlineAt,
    zone: task.zone,
    lease: owner === null || expiresAt === null ? null : { owner, token, expiresAt },
    sources: sourceViews(view, readOrigins(view), configs),
    operations: operationViews(ports, rows),
    events: [...rows.events],
    approvals: approvalViews(view, ports.trusted.read().at),
    artifacts: [...rows.artifacts],
    recipients: balance(rows),
    ...(open === null ? {} : { openRecipients: open }),
    ways: waysOf(ports, view, clock.now),
    incidents: incidentViews(view),
    careQueue: rows.care.map(({ subject, at }) => careEntry(subject, at)),
    clock,
  };
}

function blockedView(ports: ViewPorts, view: TaskView, now: number): Run["blocked"] {
  const { task, definition } = view;
  if (task.blockedReason === null) return null;
  const rule = definition.blocked[task.blockedReason];
  return {
    reason: task.blockedReason,
    owner: rule?.owner ?? task.owner,
    evidenceNeeded: [...(rule?.evidenceNeeded ?? [])],
    waysOut: waysOut(ports, view, now),
    expiresAt: rule === undefined ? null : task.stateSince + rule.expiresAfterMs,
  };
}

/** The account of every recipient against the audience it was counted from: a difference shows as one. */
function balance({ view, outcomes }: RunRows): Run["recipients"] {
  const audienceHash = view.task.context["audienceHash"];
  const audience = typeof audienceHash === "string" ? view.audience(audienceHash as Sha256) : null;
  return {
    total: audience === null ? 0 : audience.count + audience.excluded,
    accepted: outcomes.accepted ?? 0,
    delivered: outcomes.delivered ?? 0,
    bounced: outcomes.bounced ?? 0,
    complained: outcomes.complained ?? 0,
    excluded: outcomes.excluded ?? 0,
    closedByPerson: outcomes.closed_by_person ?? 0,
    unknown: outcomes.unknown ?? 0,
  };
}

/**
 * Recipients a person may account for: when reports are late, or when the provider never gives any (domain 6).
 * @returns null where that is not offered.
 */
function openRecipients(ports: ViewPorts, view: TaskView): string[] | null {
  const { state } = view.task;
  const mailing = view.operations().find((operation) => operation.kind === "send" && operation.state === "confirmed");
  const isNeverReported = mailing !== undefined && !ports.manifestOf(mailing.adapter).deliveryObservable;
  if (state !== "awaiting_observation" && !(state === "send_pending" && isNeverReported)) return null;
  return view
    .recipients()
    .filter(isOpenAccount)
    .map((row) => row.recipientId);
}

/** `bounced:R7`: the outcome comes first and has no colon in it. */
function careEntry(subject: string, at: number): Run["careQueue"][number] {
  const cut = subject.indexOf(":");
  return { outcome: subject.slice(0, cut), recipientId: subject.slice(cut + 1), at };
}
