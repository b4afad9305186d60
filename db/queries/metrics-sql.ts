/**
 * The metrics' queries. Each gives rows of task, moment, what it adds to the denominator (`of`) and to the numerator (`hits`), and
 * how long it took (`ms`). `:since` is the beginning of the time that is looked back at; what is only counted comes day by day,
 * without a task, at the day's end.
 */

/** Events of a type, in the words of the partial index that has them: SQLite takes it only where the query repeats them. */
export const measured = (type: string): string => `event INDEXED BY event_measured
  WHERE type IN ('SourceFrozen', 'RequestSent', 'CompensationStarted', 'RecoveryItemMoved') AND type = '${type}'`;

/** The days that are looked back at, each from `first` (excluded) to `last`: a range of an index is counted without being sorted. */
const DAYS = `WITH RECURSIVE day (first, last) AS (
    SELECT :since, :since + 86400000 UNION ALL SELECT last, last + 86400000 FROM day WHERE last < :now)`;
const countOf = (type: string): string =>
  `(SELECT count(*) FROM ${measured(type)} AND at > day.first AND at <= day.last)`;
const AGAIN = "(SELECT count(*) FROM attempt WHERE number > 1 AND started_at > day.first AND started_at <= day.last)";

/** A failed look tells of an unknown outcome as well, also where the outcome is known: what counts is the operation's state. */
export const LOST = `event INDEXED BY event_unknown WHERE type = 'OutcomeUnknown' AND at > :since
    AND coalesce(json_extract(payload, '$.operationState'), 'unknown') = 'unknown'`;

/** Reads of sources and requests to remotes; one that is made again is a retry. A read is made again where one was arranged. */
export const CALLS = `
  ${DAYS}
  SELECT NULL AS taskId, day.last AS at, "of", 0 AS hits, NULL AS ms
  FROM (SELECT last, ${countOf("SourceFrozen")} + ${countOf("RequestSent")} - ${AGAIN} AS "of" FROM day) day WHERE "of" > 0
  UNION ALL
  SELECT task_id, at, 1, coalesce(json_type(payload, '$.retry'), 'null') = 'object', NULL
  FROM event INDEXED BY event_read_failed WHERE type = 'SourceReadFailed' AND at > :since
  UNION ALL
  SELECT task_id, started_at, 1, 1, NULL FROM attempt WHERE number > 1 AND started_at > :since`;

/** Tasks that were begun. Which of them had a call made again, the calls tell. */
export const TASKS = `
  SELECT id AS taskId, created_at AS at, 1 AS "of", 0 AS hits, NULL AS ms FROM task
  WHERE task_version >= 1 AND created_at > :since`;

/** From the request that got no answer until it was confirmed or locked. */
export const UNKNOWNS = `
  SELECT taskId, at, 1 AS "of", known IS NOT NULL AS hits, known - sent AS ms FROM (
    SELECT lost.task_id AS taskId, lost.at AS at,
      (SELECT max(sent.at) FROM event sent WHERE sent.task_id = lost.task_id AND sent.type = 'RequestSent'
        AND sent.operation_id = lost.operation_id AND sent.seq < lost.seq) AS sent,
      (SELECT min(known.at) FROM event known WHERE known.task_id = lost.task_id
        AND known.type IN ('RemoteConfirmed', 'OperationLocked')
        AND known.operation_id = lost.operation_id AND known.seq > lost.seq) AS known
    FROM (SELECT task_id, operation_id, min(seq) AS seq, min(at) AS at
      FROM ${LOST} GROUP BY operation_id) lost)`;

/** How long an approval (`given`) was waited for: from the moment the state was entered in which it was given, as the ledger counts it. */
export const WAITED = `given.at - coalesce((SELECT entered.at FROM event entered INDEXED BY event_moved
      WHERE entered.task_id = given.task_id AND entered.task_seq < given.task_seq
      AND entered.to_state IS NOT NULL AND entered.to_state = given.from_state
      AND entered.from_state IS NOT given.from_state ORDER BY entered.task_seq DESC LIMIT 1), given.at)`;

/** Approvals of one kind, each with how long it was waited for. */
export const APPROVAL_WAITS = `
  SELECT given.task_id AS taskId, given.at AS at, 1 AS "of", 1 AS hits, ${WAITED} AS ms
  FROM event given INDEXED BY event_approved
  WHERE given.type IN ('ContentApproved', 'SendApproved') AND given.type = :type AND given.at > :since`;

/** The moments at which a task came to need recovery. */
export const FAULTS = `
  SELECT task_id, at FROM ${LOST}
  UNION ALL SELECT task_id, at FROM ${measured("CompensationStarted")} AND at > :since
  UNION ALL SELECT task_id, at FROM event INDEXED BY event_blocked WHERE to_state = 'blocked' AND at > :since`;

/**
 * Tasks that needed recovery, and those whose result was verified: succeeded (the page held against what was approved, every
 * recipient accounted for) or compensated (each undo looked at), with no recovery item that still waits for its proof. What a
 * customer is owed is a matter of its own.
 */
export const RECOVERIES = `
  SELECT fault.task_id AS taskId, min(fault.at) AS at, 1 AS "of", NULL AS ms,
    task.state IN ('succeeded', 'compensated') AND NOT EXISTS (SELECT 1 FROM recovery_item item
      WHERE item.task_id = fault.task_id AND item.stage NOT IN ('closed', 'reviewed') AND item.kind <> 'customer_care') AS hits
  FROM (${FAULTS}) fault CROSS JOIN task ON task.id = fault.task_id GROUP BY fault.task_id`;

/**
 * Everything by which the faults of those tasks came and went, in its order: where they were blocked, undone or
 * ended, their unknown calls, their incidents.
 */
export const FAULT_MARKS = `
  WITH faulty AS (SELECT DISTINCT task_id AS id FROM (${FAULTS})),
  lost AS (SELECT DISTINCT faulty.id AS task_id, operation_id FROM faulty CROSS JOIN event ON event.task_id = faulty.id
    AND type = 'OutcomeUnknown'),
  mark AS (
    SELECT event.task_id AS taskId, at, task_seq AS place, type, to_state AS toState, NULL AS subject, NULL AS operationState
    FROM faulty CROSS JOIN event INDEXED BY event_moved ON event.task_id = faulty.id
    WHERE to_state IS NOT NULL AND to_state IS NOT from_state
      AND (to_state IN ('blocked', 'compensating', 'succeeded', 'compensated', 'closed')
        OR from_state IN ('blocked', 'compensating'))
    UNION ALL
    SELECT event.task_id, at, task_seq, type, NULL, event.operation_id, json_extract(payload, '$.operationState')
    FROM lost CROSS JOIN event ON event.task_id = lost.task_id AND event.operation_id = lost.operation_id
      AND type IN ('OutcomeUnknown', 'RemoteConfirmed', 'RemoteNotFound', 'RemoteConflict', 'OperationRejected',
        'OperationCancelled')
    UNION ALL
    SELECT task_id, opened_at, 0, 'incident_opened', NULL, id, NULL FROM incident WHERE task_id IN (SELECT id FROM faulty)
    UNION ALL
    SELECT task_id, closed_at, 0, 'incident_closed', NULL, id, NULL FROM incident
    WHERE closed_at IS NOT NULL AND task_id IN (SELECT id FROM faulty))
  SELECT taskId, at, type, toState, subject, operationState FROM mark ORDER BY taskId, at, place`;

/** Effects that were asked for, and places in which a remote was found to have one more object than it was asked for. */
export const DUPLICATES = `
  ${DAYS}
  SELECT NULL AS taskId, day.last AS at, "of", 0 AS hits, NULL AS ms
  FROM (SELECT last, ${countOf("RequestSent")} - ${AGAIN} AS "of" FROM day) day WHERE "of" > 0
  UNION ALL
  SELECT task_id, opened_at, 0, 1, NULL FROM incident WHERE rule = 'duplicate_remote' AND opened_at > :since`;

/** Recovery items, and tasks that stand still without one: what is open has waited until now. */
export const BACKLOG = `
  SELECT task_id AS taskId, created_at AS at, 1 AS "of", 1 AS hits, :now - created_at AS ms
  FROM recovery_item WHERE stage NOT IN ('closed', 'reviewed')
  UNION ALL
  SELECT task_id, created_at, 1, 0, NULL FROM recovery_item
  WHERE created_at > :since AND stage IN ('closed', 'reviewed')
  UNION ALL
  SELECT id, state_since, 1, 1, :now - state_since FROM task
  WHERE state IN ('blocked', 'compensating') AND NOT EXISTS (SELECT 1 FROM recovery_item item
    WHERE item.task_id = task.id AND item.stage NOT IN ('closed', 'reviewed'))`;

/** Dead letters that are a day old or were touched before: those that nobody touched within their first day. */
export const DEAD_LETTERS = `
  SELECT taskId, at, 1 AS "of", touched IS NULL OR touched - at >= 86400000 AS hits, NULL AS ms FROM (
    SELECT item.task_id AS taskId, item.created_at AS at,
      (SELECT min(moved.at) FROM event moved WHERE moved.task_id = item.task_id AND moved.type = 'RecoveryItemMoved'
        AND json_extract(moved.payload, '$.itemId') = item.id) AS touched
    FROM recovery_item item WHERE item.created_at > :since AND item.kind = 'dead_letter')
  WHERE touched IS NOT NULL OR at <= :now - 86400000`;

/** Minutes that people wrote down where they worked on an item. */
export const MINUTES = `
  SELECT task_id AS taskId, at, 1 AS "of", 1 AS hits, 60000 * coalesce(json_extract(payload, '$.minutes'), 0) AS ms
  FROM ${measured("RecoveryItemMoved")} AND at > :since`;
