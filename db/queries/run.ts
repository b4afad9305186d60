import type { Instant, TaskId } from "../../main/domain/ids";
import type { AttemptRow, LookVerdict, RecipientOutcome } from "../../main/domain/records";
import type { TaskView } from "../../main/domain/view";
import type { Queries } from "./open-queries";

export interface RunEventRow {
  seq: number;
  type: string;
  fromState: string | null;
  toState: string | null;
  actor: string;
  at: Instant;
  reason: string | null;
  operationId: string | null;
  fencingToken: number | null;
  hash: string;
  payload: string | null;
}

export type RunAttemptRow = Pick<
  AttemptRow,
  "operationId" | "number" | "startedAt" | "endedAt" | "outcome" | "rawCode" | "errorClass" | "fencingToken"
>;

export interface RunLookRow {
  operationId: string;
  at: Instant;
  query: string;
  able: number;
  verdict: LookVerdict;
  objects: string;
  actor: string;
  nextLookAt: Instant | null;
}

export interface RunArtifactRow {
  hash: string;
  kind: string;
  bytes: number;
  at: Instant;
}

export interface CareRow {
  /** `bounced:R7`: what became of whom. */
  subject: string;
  at: Instant;
}

/** One task and everything that belongs to it, as it was at one moment of the journal. */
export interface RunRows {
  view: TaskView;
  events: readonly RunEventRow[];
  attempts: readonly RunAttemptRow[];
  looks: readonly RunLookRow[];
  artifacts: readonly RunArtifactRow[];
  outcomes: Readonly<Partial<Record<RecipientOutcome, number>>>;
  care: readonly CareRow[];
}

const EVENTS = `
  SELECT seq, type, from_state AS fromState, to_state AS toState, actor, at, reason, operation_id AS operationId,
    fencing_token AS fencingToken, hash, payload
  FROM event WHERE task_id = ? ORDER BY task_seq`;

const ATTEMPTS = `
  SELECT a.operation_id AS operationId, a.number, a.started_at AS startedAt, a.ended_at AS endedAt, a.outcome,
    a.raw_code AS rawCode, a.error_class AS errorClass, a.fencing_token AS fencingToken
  FROM operation o CROSS JOIN attempt a ON a.operation_id = o.id WHERE o.task_id = ? ORDER BY o.prepared_at, a.number`;

const LOOKS = `
  SELECT r.operation_id AS operationId, r.at, r.query, r.able, r.verdict, r.objects, r.actor, r.next_look_at AS nextLookAt
  FROM operation o CROSS JOIN reconciliation r ON r.operation_id = o.id WHERE o.task_id = ? ORDER BY r.at, r.rowid`;

const ARTIFACTS = "SELECT hash, kind, bytes, at FROM artifact WHERE task_id = ? ORDER BY at, kind, hash";

const OUTCOMES = "SELECT outcome, count(*) AS n FROM recipient_account WHERE task_id = ? GROUP BY outcome";

const CARE = `
  SELECT subject, created_at AS at FROM recovery_item WHERE task_id = ? AND kind = 'customer_care' ORDER BY created_at, id`;

/**
 * Everything about one task by its id alone, within one snapshot. What the view reads lazily is read by `use`, so that it
 * belongs to the same moment.
 */
export function readRun<T>(queries: Queries, taskId: TaskId, use: (rows: RunRows) => T): T | null {
  return queries.consistent(() => {
    const view = queries.tasks.view(taskId);
    if (!view) return null;
    const outcomes = queries.all<{ outcome: RecipientOutcome; n: number }>(OUTCOMES, taskId);
    return use({
      view,
      events: queries.all<RunEventRow>(EVENTS, taskId),
      attempts: queries.all<RunAttemptRow>(ATTEMPTS, taskId),
      looks: queries.all<RunLookRow>(LOOKS, taskId),
      artifacts: queries.all<RunArtifactRow>(ARTIFACTS, taskId),
      outcomes: Object.fromEntries(outcomes.map(({ outcome, n }) => [outcome, n])),
      care: queries.all<CareRow>(CARE, taskId),
    });
  });
}
