import { fsck } from "../../db/fsck";
import type { Sqlite } from "../../db/open";
import type { SandboxRecords } from "../adapters/sandbox-control";

/** Everything that is frozen about one played scenario. Ids that depend on ports and hashes that depend on ids are left out. */
export interface ScenarioOutcome {
  state: string;
  blockedReason: string | null;
  /** All events in the journal's order: type, the operation it is about, the reason of a block, who but an executor A. */
  events: readonly string[];
  operations: readonly OperationOutcome[];
  remote: RemoteOutcome;
  alerts: readonly string[];
  recoveryItems: readonly string[];
  incidents: readonly string[];
  /** Refused mismatches of one key with two intents. */
  intentConflicts: number;
  recipients: Readonly<Record<string, number>>;
  /** What the operator asked for and was answered. */
  answers: readonly string[];
  /** What the editor was shown, at named moments and at the end. */
  shown: Readonly<Record<string, readonly string[]>>;
  /** Found by the checker that reads only the journal. */
  violations: readonly string[];
  /** Commits of the journal from the edition's start on, where they are what is counted. */
  commits?: number;
}

export interface OperationOutcome {
  operation: string;
  state: string;
  remoteId: string | null;
  /** Outcome, raw code and whose it was. */
  attempts: readonly string[];
  /** Receipts: verdict, number of objects seen, raw code. */
  looks: readonly string[];
}

/** The remote's own records: requests it received, and what it holds. */
export interface RemoteOutcome {
  calls: Readonly<Record<string, number>>;
  posts: readonly string[];
  campaigns: readonly string[];
  mails: number;
}

interface EventFacts {
  type: string;
  actor: string;
  kind: string | null;
  phase: string | null;
  payload: string | null;
  taskVersion: number | null;
}

/** Reads the outcome from the journal's files and the remote's own records. */
export function readOutcome(input: {
  dir: string;
  reader: Sqlite;
  records: SandboxRecords;
  answers: readonly string[];
  shown: ScenarioOutcome["shown"];
}): ScenarioOutcome {
  const { reader, dir } = input;
  const task = reader
    .prepare<[], { id: string; state: string; blockedReason: string | null }>(
      "SELECT id, state, blocked_reason AS blockedReason FROM task ORDER BY created_at DESC, task_version DESC LIMIT 1",
    )
    .get();
  if (!task) throw new Error("the scenario has no edition");
  const checked = fsck(dir);
  return {
    state: task.state,
    blockedReason: task.blockedReason,
    events: orderReads(readEvents(reader)),
    operations: readOperations(reader),
    remote: remoteOf(input.records),
    alerts: strings(
      reader,
      `SELECT code || ' ' || urgency || coalesce(' ' || json_extract(details, '$.ways'), '') AS s
       FROM alert ORDER BY at, code`,
    ),
    recoveryItems: strings(
      reader,
      "SELECT kind || ' ' || stage AS s FROM recovery_item ORDER BY created_at, kind, subject",
    ),
    incidents: strings(
      reader,
      "SELECT rule || CASE WHEN closed_at IS NULL THEN ' open' ELSE ' closed' END AS s FROM incident ORDER BY opened_at",
    ),
    intentConflicts: strings(reader, "SELECT id AS s FROM intent_conflict").length,
    recipients: countRecipients(reader, task.id),
    answers: input.answers,
    shown: input.shown,
    violations: [
      ...checked.violations.map((violation) => `${violation.invariant} ${violation.detail}`),
      ...checked.checks.filter((check) => !check.ok).map((check) => `${check.name}: ${check.detail}`),
    ],
  };
}

const strings = (reader: Sqlite, sql: string): string[] =>
  reader
    .prepare<[], { s: string }>(sql)
    .all()
    .map((row) => row.s);

function readEvents(reader: Sqlite): string[] {
  return reader
    .prepare<[], EventFacts>(
      `SELECT e.type, e.actor, e.payload, o.kind, o.phase, t.task_version AS taskVersion FROM event e
       LEFT JOIN operation o ON o.id = e.operation_id LEFT JOIN task t ON t.id = e.task_id ORDER BY e.seq`,
    )
    .all()
    .map(describeEvent);
}

function describeEvent(event: EventFacts): string {
  const payload = JSON.parse(event.payload ?? "{}") as { blockedReason?: string; sourceId?: string };
  const version = event.taskVersion !== null && event.taskVersion > 1 ? `v${event.taskVersion} ` : "";
  const about = event.kind === null ? "" : ` ${event.kind}.${event.phase}`;
  const reason = payload.blockedReason === undefined ? "" : ` ${payload.blockedReason}`;
  const source = event.type === "SourceReadFailed" || event.type === "SourceChangeWarned" ? ` ${payload.sourceId}` : "";
  return `${version}${event.type}${about}${reason}${source}${byWhom(event.actor)}`;
}

/** An executor named A is the rule and a person's events have names of their own; the others are said. */
function byWhom(actor: string): string {
  if (actor === "system" || actor === "scheduler") return ` by ${actor}`;
  return actor.startsWith("executor:") && actor !== "executor:A" ? ` by ${actor.slice("executor:".length)}` : "";
}

/**
 * Three sources are read at a time, and which of the three answers first is the network's choice. Within one run of reads the
 * failures are listed first; every other event stands where it stood. Equal neighbours are counted.
 */
function orderReads(events: readonly string[]): string[] {
  const isRead = (event: string) => event.startsWith("SourceFrozen") || event.startsWith("SourceReadFailed");
  const ordered: string[] = [];
  for (let at = 0; at < events.length; ) {
    let end = at;
    while (end < events.length && isRead(events[end] as string)) end += 1;
    ordered.push(...events.slice(at, end).sort().reverse());
    if (end === at) ordered.push(events[end++] as string);
    at = end;
  }
  return countEqual(ordered);
}

function countEqual(events: readonly string[]): string[] {
  const runs: { event: string; times: number }[] = [];
  for (const event of events) {
    const last = runs[runs.length - 1];
    if (last?.event === event) last.times += 1;
    else runs.push({ event, times: 1 });
  }
  return runs.map(({ event, times }) => (times === 1 ? event : `${event} ×${times}`));
}

function readOperations(reader: Sqlite): OperationOutcome[] {
  const rows = reader
    .prepare<[], { id: string; operation: string; state: string; remoteId: string | null }>(
      "SELECT id, kind || '.' || phase AS operation, state, remote_id AS remoteId FROM operation ORDER BY rowid",
    )
    .all();
  const attempts = reader.prepare<[string], { s: string }>(
    `SELECT coalesce(outcome, 'open') || coalesce(' ' || raw_code, '') ||
       CASE actor WHEN 'executor:A' THEN '' ELSE ' by ' || substr(actor, 10) END AS s
     FROM attempt WHERE operation_id = ? ORDER BY number`,
  );
  const looks = reader.prepare<[string], { s: string }>(
    `SELECT verdict || ' ' || json_array_length(objects) || coalesce(' ' || raw_code, '') AS s
     FROM reconciliation WHERE operation_id = ? ORDER BY rowid`,
  );
  return rows.map(({ id, ...row }) => ({
    ...row,
    attempts: attempts.all(id).map(({ s }) => s),
    looks: looks.all(id).map(({ s }) => s),
  }));
}

function countRecipients(reader: Sqlite, taskId: string): Record<string, number> {
  const rows = reader
    .prepare<[string], { outcome: string; n: number }>(
      "SELECT outcome, count(*) AS n FROM recipient_account WHERE task_id = ? GROUP BY outcome ORDER BY outcome",
    )
    .all(taskId);
  return Object.fromEntries(rows.map(({ outcome, n }) => [outcome, n]));
}

function remoteOf(records: SandboxRecords): RemoteOutcome {
  const { cms, mail, site, links, sources } = records;
  const calls = {
    "cms.create": cms.createCalls,
    "cms.update": cms.updateCalls,
    "cms.status": cms.statusCalls,
    "cms.query": cms.queries,
    "mail.create": mail.createCalls,
    "mail.trigger": mail.triggerCalls,
    "mail.query": mail.queries,
    "mail.report": mail.reports,
    "site.read": site.reads,
    "link.read": links.reads,
    "source.read": Object.values(sources.reads).reduce((sum, reads) => sum + reads, 0),
  };
  return {
    calls: Object.fromEntries(Object.entries(calls).filter(([, times]) => times > 0)),
    posts: cms.objects.map(({ id, status }) => `${id} ${status}`),
    campaigns: mail.campaigns.map(({ id, status }) => `${id} ${status}`),
    mails: mail.mailings.length,
  };
}
