import { fsck } from "../../db/fsck";
import type { Sqlite } from "../../db/open";
import type { SandboxRecords } from "../adapters/sandbox-control";

/** What the demo prints with `--json`: everything read from the journal and from the remote's own records. */
export interface DemoReport {
  edition: string;
  state: string;
  blockedReason: string | null;
  stopped: string | null;
  contentHash: string | null;
  events: readonly string[];
  publish: {
    createCalls: number;
    remoteObjects: number;
    remoteId: number | string | null;
    unknown: number;
    reconciled: number;
    probeAttempts: number;
  };
  send: {
    createCalls: number;
    remoteObjects: number;
    remoteId: number | string | null;
    unknown: number;
    reconciled: number;
    accepted: number;
    delivered: number;
    bounced: number;
  };
  facts: number;
  /** Facts fewer than wanted; said, ticked by the approver, no failure. */
  shortfall: number;
  links: number;
  sources: { frozen: number; failed: Readonly<Record<string, string>> };
  /** `remote`: calls and objects as the remote counts them; `journal`: it offers no records, so these are our attempts. */
  countedBy: "remote" | "journal";
  violations: number;
  violationsFound: readonly string[];
  durationMs: number;
  workspace: string | null;
}

interface TaskFacts {
  id: string;
  edition: string;
  state: string;
  blockedReason: string | null;
  taskKey: string;
  context: string;
}

/** Builds the report for the newest task of the workspace. */
export function buildReport(input: {
  dir: string;
  reader: Sqlite;
  before: SandboxRecords | null;
  after: SandboxRecords | null;
  stopped: string | null;
  durationMs: number;
  kept: boolean;
}): DemoReport {
  const { reader, before, after } = input;
  const task = reader
    .prepare<[], TaskFacts>(
      "SELECT id, edition, state, blocked_reason AS blockedReason, task_key AS taskKey, context FROM task ORDER BY created_at DESC LIMIT 1",
    )
    .get();
  if (!task) throw new Error("the workspace has no edition");
  const context = JSON.parse(task.context) as Record<string, string | number | null>;
  const events = reader
    .prepare<[string], { type: string }>("SELECT type FROM event WHERE task_id = ? ORDER BY task_seq")
    .all(task.id);
  const violationsFound = violationsOf(input.dir);
  return {
    edition: task.edition,
    state: task.state,
    blockedReason: task.blockedReason,
    stopped: input.stopped,
    contentHash: (context["contentHash"] as string | undefined) ?? null,
    events: events.map((event) => event.type),
    publish: {
      ...sideOf(reader, task, "publish", before?.cms, after?.cms),
      probeAttempts: events.filter((event) => event.type === "ProbeAttempted").length,
    },
    send: { ...sideOf(reader, task, "send", before?.mail, after?.mail), ...outcomesOf(reader, task.id) },
    facts: Number(context["factCount"] ?? 0),
    shortfall: Number(context["shortfall"] ?? 0),
    links: Number(context["linkCount"] ?? 0),
    sources: sourcesOf(reader, task.id),
    countedBy: after === null ? "journal" : "remote",
    violations: violationsFound.length,
    violationsFound,
    durationMs: Math.round(input.durationMs),
    workspace: input.kept ? input.dir : null,
  };
}

/** Broken promises and failed checks of a workspace, in words. */
export function violationsOf(dir: string): string[] {
  const checked = fsck(dir);
  return [
    ...checked.violations.map((violation) => `${violation.invariant} ${violation.subject}: ${violation.detail}`),
    ...checked.checks.filter((check) => !check.ok).map((check) => `${check.name}: ${check.detail}`),
  ];
}

type RemoteSide = { createCalls: number } & (
  | { objects: readonly { key: string }[] }
  | { campaigns: readonly { key: string }[] }
);

function sideOf(
  reader: Sqlite,
  task: TaskFacts,
  kind: "publish" | "send",
  before: RemoteSide | undefined,
  after: RemoteSide | undefined,
) {
  const attempts = reader
    .prepare<[string, string], { outcome: string | null }>(
      "SELECT a.outcome FROM attempt a JOIN operation o ON o.id = a.operation_id WHERE o.task_id = ? AND o.kind = ? AND o.phase = 'create'",
    )
    .all(task.id, kind);
  const unknown = reader
    .prepare<[string, string], { n: number }>(
      "SELECT count(*) AS n FROM attempt a JOIN operation o ON o.id = a.operation_id WHERE o.task_id = ? AND o.kind = ? AND a.outcome = 'unknown'",
    )
    .get(task.id, kind);
  const reconciled = reader
    .prepare<[string, string], { n: number }>(
      "SELECT count(*) AS n FROM event e JOIN operation o ON o.id = e.operation_id WHERE e.task_id = ? AND o.kind = ? AND e.type = 'RemoteConfirmed' AND json_extract(e.payload, '$.by') = 'reconciliation'",
    )
    .get(task.id, kind);
  const remote = reader
    .prepare<[string, string], { remoteId: string | null }>(
      "SELECT remote_id AS remoteId FROM operation WHERE task_id = ? AND kind = ? AND phase = 'create' ORDER BY prepared_at DESC LIMIT 1",
    )
    .get(task.id, kind);
  const objects = after === undefined ? null : "objects" in after ? after.objects : after.campaigns;
  const own = objects?.filter((object) => object.key.startsWith(`${kind}:${task.taskKey}:`)).length;
  return {
    createCalls:
      after === undefined
        ? attempts.filter((attempt) => attempt.outcome !== "not_sent").length
        : after.createCalls - (before?.createCalls ?? 0),
    remoteObjects: own ?? confirmedCreates(reader, task.id, kind),
    remoteId: asNumber(remote?.remoteId ?? null),
    unknown: unknown?.n ?? 0,
    reconciled: reconciled?.n ?? 0,
  };
}

/** Without the remote's records: the objects that the journal has a confirmation of. */
function confirmedCreates(reader: Sqlite, taskId: string, kind: string): number {
  const row = reader
    .prepare<[string, string], { n: number }>(
      "SELECT count(*) AS n FROM operation WHERE task_id = ? AND kind = ? AND phase = 'create' AND state = 'confirmed'",
    )
    .get(taskId, kind);
  return row?.n ?? 0;
}

const asNumber = (id: string | null): number | string | null =>
  id !== null && /^\d{1,15}$/.test(id) ? Number(id) : id;

function outcomesOf(reader: Sqlite, taskId: string) {
  const rows = reader
    .prepare<[string], { outcome: string; n: number }>(
      "SELECT outcome, count(*) AS n FROM recipient_account WHERE task_id = ? GROUP BY outcome",
    )
    .all(taskId);
  const count = (...outcomes: string[]) =>
    rows.filter((row) => outcomes.includes(row.outcome)).reduce((sum, row) => sum + row.n, 0);
  return {
    accepted: count("accepted", "delivered", "bounced", "complained"),
    delivered: count("delivered", "complained"),
    bounced: count("bounced"),
  };
}

function sourcesOf(reader: Sqlite, taskId: string) {
  const row = reader
    .prepare<[string], { checkpoint: string }>(
      "SELECT checkpoint FROM step WHERE task_id = ? AND name = 'collecting' ORDER BY round DESC LIMIT 1",
    )
    .get(taskId);
  const sources = Object.entries(
    (JSON.parse(row?.checkpoint ?? "{}") as { sources?: Record<string, { state: string; errorCode: string | null }> })
      .sources ?? {},
  );
  const failed = sources.filter(([, source]) => source.state === "failed");
  return {
    frozen: sources.filter(([, source]) => source.state === "frozen").length,
    failed: Object.fromEntries(failed.map(([id, source]) => [id, source.errorCode ?? "unknown"])),
  };
}
