import { hasEdition, type LiveTaskRow, type OpenIncidentRow, readToday } from "../../../db/queries/today";
import type { Output } from "../../../preload/contract";
import { rulesFor } from "../../domain/definition";
import { effectiveDeadline } from "../../domain/guards/evidence";
import { approvalExpiredAt } from "../../domain/guards/gates";
import type { Instant } from "../../domain/ids";
import { taskKeyOf } from "../../domain/keys";
import { isLeaseFree } from "../../domain/lease";
import { earliest } from "../../domain/next-action";
import { deadlineOf, editionOf } from "../../domain/schedule";
import { newestItem, undoStatus } from "./undo-entry";
import type { ViewPorts } from "./view-ports";

type Today = Output<"today.get">;
type WaitingItem = Today["waiting"][number];

/** An executor looks at a silent call within seconds; what is silent for a minute is for a person to see. */
const SILENT_FOR_MS = 60_000;
/** States of an operation that only a person ends. */
const FOR_A_PERSON = ["locked", "conflict"];
/** Blocked for these reasons, the task says itself that an outcome is unknown. */
const SAYS_UNKNOWN = ["outcome_unknown", "key_window_expired", "duplicate_remote", "remote_conflict"];

/** What waits for the editor, what happens now, how healthy it is (domain 11). */
export function todayView(ports: ViewPorts): Today {
  const clock = ports.clock();
  const { now } = clock;
  return ports.queries.consistent(() => {
    const { live, ended, incidents, journalIncidents, health } = readToday(ports.queries, now);
    return {
      clock,
      waiting: [...live.flatMap((row) => waitingItems(ports, row, now)), ...incidents.map(incidentItem)].sort(
        byUrgency,
      ),
      journalIncidents: journalIncidents.map((row) => ({ ...row })),
      live: live.map((row) => liveTask(row)),
      ended: ended.map(({ version, ...row }) => ({ ...row, ...laterVersion(version) })),
      startable: startable(ports, now),
      health: { ...health, openBreakers: [...health.openBreakers], ...ports.checks() },
    };
  });
}

const laterVersion = (version: number) => (version > 1 ? { version } : {});

/** The soonest limit first, then what has waited longest. */
function byUrgency(a: WaitingItem, b: WaitingItem): number {
  return (a.until ?? Number.MAX_SAFE_INTEGER) - (b.until ?? Number.MAX_SAFE_INTEGER) || a.since - b.since;
}

function waitingItems(ports: ViewPorts, row: LiveTaskRow, now: Instant): WaitingItem[] {
  const { task } = row;
  const about = { taskId: task.id, edition: task.edition, ...laterVersion(task.taskVersion), blockedReason: null };
  const silent = silentSince(row, now);
  const unknown: WaitingItem[] =
    silent === null ? [] : [{ ...about, kind: "unknown_outcome", since: silent, until: null }];
  const since = task.stateSince;
  switch (task.state) {
    case "awaiting_content_approval":
      return [{ ...about, kind: "content_approval", since, until: gateEnd(ports, row) }, ...unknown];
    case "awaiting_send_approval":
      return [{ ...about, kind: "send_approval", since, until: gateEnd(ports, row) }, ...unknown];
    case "published":
      // A rejected mailing waits for new words, on the same screen.
      return task.context["sendRejected"] === 1
        ? [{ ...about, kind: "send_approval", since, until: gateEnd(ports, row) }, ...unknown]
        : unknown;
    case "blocked": {
      const until = blockedUntil(ports, row);
      const blocked: WaitingItem = { ...about, kind: "blocked", blockedReason: task.blockedReason, since, until };
      return SAYS_UNKNOWN.includes(task.blockedReason ?? "") ? [blocked] : [blocked, ...unknown];
    }
    case "awaiting_observation":
      return [{ ...about, kind: "observation", since, until: null }, ...unknown];
    case "compensating":
      return [...undoItems(ports, row, now), ...unknown];
    case "created":
      return isLeftLying(row, now) ? [{ ...about, kind: "ready_to_start", since, until: task.deadlineAt }] : [];
    default:
      return unknown;
  }
}

/** The undo entries that nobody but a person carries on: one that failed, and one that is theirs to do (domain 9). */
function undoItems(ports: ViewPorts, { task, undoItems }: LiveTaskRow, now: Instant): WaitingItem[] {
  const view = ports.queries.tasks.viewOf(task);
  return view.compensations().flatMap((entry): WaitingItem[] => {
    const status = undoStatus(view, entry, now);
    if (status !== "failed" && status !== "for_person") return [];
    const owed = newestItem(view, entry, undoItems);
    return [
      {
        taskId: task.id,
        edition: task.edition,
        ...laterVersion(task.taskVersion),
        kind: status === "failed" ? "undo_failed" : "undo_by_person",
        blockedReason: null,
        undo: { action: entry.action, code: entry.code },
        since: owed?.createdAt ?? task.stateSince,
        until: owed?.dueAt ?? null,
      },
    ];
  });
}

/** An incident keeps a place frozen until somebody has closed it with its evidence (domain 10). */
const incidentItem = ({ id, taskId, edition, rule, openedAt }: OpenIncidentRow): WaitingItem => ({
  ...{ taskId, edition, rule, incidentId: id, since: openedAt },
  kind: "incident",
  blockedReason: null,
  until: null,
});

/** When this gate closes by itself: by what the sweep does in this state, whichever comes first. */
function gateEnd(ports: ViewPorts, { task }: LiveTaskRow): Instant | null {
  const view = ports.queries.tasks.viewOf(task);
  const isSwept = (event: string) => rulesFor(view.definition, task.state, event) !== null;
  return earliest(
    isSwept("ApprovalExpired") ? approvalExpiredAt(view) : null,
    isSwept("DeadlineReached") ? effectiveDeadline(view) : null,
  );
}

function blockedUntil(ports: ViewPorts, { task }: LiveTaskRow): Instant | null {
  const rule = ports.queries.tasks.viewOf(task).definition.blocked[task.blockedReason ?? ""];
  return rule === undefined ? null : task.stateSince + rule.expiresAfterMs;
}

/** Since when the longest silent call has been without a certain outcome, or null. */
function silentSince({ open }: LiveTaskRow, now: Instant): Instant | null {
  const times = open.flatMap((operation) => {
    const since = operation.unknownSince ?? operation.requestSentAt;
    if (since === null || operation.settled === 1) return [];
    if (FOR_A_PERSON.includes(operation.state)) return [since];
    const isSilent = operation.state === "unknown" || operation.state === "request_sent";
    return isSilent && now - since > SILENT_FOR_MS ? [since] : [];
  });
  return earliest(...times);
}

/** Due, and nobody has taken it up for longer than an executor's tick. */
function isLeftLying({ task }: LiveTaskRow, now: Instant): boolean {
  const startAt = Math.max(Number(task.context["startAt"] ?? 0), task.stateSince);
  return isLeaseFree(task, now) && now - startAt > SILENT_FOR_MS;
}

function liveTask(row: LiveTaskRow): Today["live"][number] {
  const { id: taskId, edition, state, stateVersion, stateSince: since, deadlineAt } = row.task;
  const version = laterVersion(row.task.taskVersion);
  return {
    taskId,
    edition,
    ...version,
    state,
    stateVersion,
    since,
    deadlineAt,
    nextAt: nextAt(row),
    detail: row.lastEvent,
  };
}

/** The next moment at which something happens by itself. What a stage left behind in the context counts in that stage only. */
function nextAt({ task, open }: LiveTaskRow): Instant | null {
  const moment = (name: string) => {
    const value = task.context[name];
    return typeof value === "number" && value > 0 ? value : null;
  };
  const isObserving = task.state === "send_pending" || task.state === "awaiting_observation";
  return earliest(
    task.retryAt,
    task.state === "created" ? moment("startAt") : null,
    task.state === "publishing" ? moment("nextProbeAt") : null,
    isObserving ? moment("nextObserveAt") : null,
    ...open.map((operation) => operation.nextLookAt),
  );
}

/** The edition of this week, as long as it was never begun. */
function startable(ports: ViewPorts, now: Instant): Today["startable"] {
  const { definition, language } = ports.start;
  const { zone, dueLocal } = definition.deadlines;
  const edition = editionOf(now, zone);
  if (hasEdition(ports.queries, taskKeyOf(definition.name, edition, language))) return null;
  return { edition, dueAt: deadlineOf(edition, dueLocal, zone) };
}
