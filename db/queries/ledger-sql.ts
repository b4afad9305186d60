import { FAULTS, LOST, measured, WAITED } from "./metrics-sql";

/**
 * The ledger's queries. A column is an expression over `task`, so that what is shown is what is sorted by; each looks into the
 * task's own events by their type, and costs some microseconds.
 */

const ENDED = "task.state IN ('succeeded', 'compensated', 'closed')";
const eventsOf = (type: string): string => `event WHERE event.task_id = task.id AND event.type = '${type}'`;

/** A failed look tells of an unknown outcome as well: what counts is the operation's state. */
const UNKNOWN = `${eventsOf("OutcomeUnknown")} AND coalesce(json_extract(payload, '$.operationState'), 'unknown') = 'unknown'`;
const MOVES = "event INDEXED BY event_moved WHERE event.task_id = task.id AND event.to_state IS NOT NULL";

/** What came and was overcome: reads that failed and were frozen after all, unknown outcomes that were settled, blocks that were left. */
const RECOVERED = `
    (SELECT count(DISTINCT json_extract(event.payload, '$.sourceId')) FROM ${eventsOf("SourceReadFailed")}
      AND EXISTS (SELECT 1 FROM event frozen INDEXED BY event_source_frozen WHERE frozen.task_id = event.task_id
        AND frozen.type = 'SourceFrozen'
        AND json_extract(frozen.payload, '$.sourceId') = json_extract(event.payload, '$.sourceId')))
    + (SELECT count(DISTINCT event.operation_id) FROM ${UNKNOWN}
      AND (SELECT settled FROM operation WHERE operation.id = event.operation_id) = 1)
    + (SELECT count(*) FROM ${MOVES} AND event.from_state = 'blocked' AND event.to_state NOT IN ('blocked', 'closed'))`;

const remoteId = (kind: string): string => `
    (SELECT remote_id FROM operation WHERE operation.task_id = task.id AND operation.kind = '${kind}'
      AND operation.parent_id IS NULL AND operation.remote_id IS NOT NULL ORDER BY operation.prepared_at DESC LIMIT 1)`;

const COLUMNS = {
  edition: "task.edition",
  state: "task.state",
  started: "task.created_at",
  ended: `CASE WHEN ${ENDED} THEN task.state_since END`,
  recovered: RECOVERED,
  unknowns: `(SELECT count(DISTINCT event.operation_id) FROM ${UNKNOWN})`,
  blocks: `(SELECT count(*) FROM ${MOVES} AND event.to_state = 'blocked' AND event.from_state IS NOT 'blocked')`,
  compensations: `(SELECT count(*) FROM ${eventsOf("CompensationStarted")})`,
  duplicates: "(SELECT count(*) FROM incident WHERE incident.task_id = task.id AND incident.rule = 'duplicate_remote')",
  human: `
    (SELECT coalesce(sum(${WAITED}), 0) FROM event given
      WHERE given.task_id = task.id AND given.type IN ('ContentApproved', 'SendApproved'))
    + (SELECT 60000 * coalesce(sum(json_extract(payload, '$.minutes')), 0) FROM ${eventsOf("RecoveryItemMoved")})`,
} as const;
export type LedgerColumn = keyof typeof COLUMNS;

export const LEDGER_COLUMNS = Object.keys(COLUMNS) as [LedgerColumn, ...LedgerColumn[]];

/** One condition for every choice: what is not asked for is not looked at. */
const SELECTED = `
  WHERE task.task_version >= 1
    AND (:outcomes = '[]' OR CASE WHEN ${ENDED} OR task.state = 'blocked' THEN task.state ELSE 'running' END
      IN (SELECT value FROM json_each(:outcomes)))
    AND (:unknown = 0 OR task.id IN (SELECT task_id FROM ${LOST}))
    AND (:recovered = 0 OR task.state = 'succeeded' AND task.id IN (SELECT task_id FROM (${FAULTS})))
    AND (:blocked = 0 OR task.id IN (SELECT task_id FROM event INDEXED BY event_blocked WHERE to_state = 'blocked'))
    AND (:compensated = 0 OR task.id IN (SELECT task_id FROM ${measured("CompensationStarted")}))
    AND (:duplicate = 0 OR task.id IN (SELECT task_id FROM incident WHERE rule = 'duplicate_remote'))
    AND (:from IS NULL OR task.created_at >= :from)
    AND (:before IS NULL OR task.created_at < :before)
    AND (:text = '' OR instr(lower(task.edition), :text) > 0 OR task.id = :text
      OR task.id IN (SELECT task_id FROM operation WHERE remote_id = :text)
      OR :hash IS NOT NULL AND (instr(task.task_head, :hash) = 1 OR instr(task.context, '"' || :hash) > 0))`;

const orderedBy = (column: LedgerColumn, direction: "ASC" | "DESC"): string => {
  const newest = "task.created_at DESC, task.task_version DESC, task.id DESC";
  // What has not ended has no end to be sorted by, and comes last either way.
  const key = `${column === "ended" ? `NOT (${ENDED}), ` : ""}${COLUMNS[column]} ${direction}`;
  const [oldest, version] = ["task.created_at, task.task_version, task.id", `task.task_version ${direction}`];
  const order = {
    started: direction === "DESC" ? newest : oldest,
    edition: `${key}, ${version}, task.id`,
  };
  return `SELECT task.id FROM task ${SELECTED} ORDER BY ${order[column as "started"] ?? `${key}, ${newest}`}`;
};

export const LEDGER_ORDER = Object.fromEntries(
  LEDGER_COLUMNS.map((column) => [
    column,
    { ascending: orderedBy(column, "ASC"), descending: orderedBy(column, "DESC") },
  ]),
) as Readonly<Record<LedgerColumn, { ascending: string; descending: string }>>;

export const LEDGER_ROWS = `
  SELECT task.id AS taskId, task.edition, task.task_version AS version, task.state, task.created_at AS startedAt,
    ${COLUMNS.ended} AS endedAt, ${COLUMNS.recovered} AS recovered, ${COLUMNS.unknowns} AS unknowns,
    ${COLUMNS.blocks} AS blocks, ${COLUMNS.compensations} AS compensations, ${COLUMNS.duplicates} AS duplicates,
    ${COLUMNS.human} AS humanMs, ${remoteId("publish")} AS articleId, ${remoteId("send")} AS campaignId,
    task.calls_used AS calls, task.context, task.task_head AS headHash
  FROM json_each(?) asked CROSS JOIN task ON task.id = asked.value ORDER BY asked.key`;
