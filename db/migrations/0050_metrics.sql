-- The metrics look back three months, and so at each commit while the screen is open: by type and day, and without touching the
-- events themselves where a number is all that is asked. Only the rows that are asked for are in these indexes, so that the others
-- cost nothing more to write.
CREATE INDEX event_measured ON event (type, at, task_id)
  WHERE type IN ('SourceFrozen', 'RequestSent', 'CompensationStarted', 'RecoveryItemMoved');
-- With what is asked of their payloads: it is taken from here, and the event itself is not fetched.
CREATE INDEX event_read_failed ON event (at, task_id, json_type(payload, '$.retry')) WHERE type = 'SourceReadFailed';
CREATE INDEX event_unknown ON event (at, task_id, operation_id, json_extract(payload, '$.operationState'))
  WHERE type = 'OutcomeUnknown';
CREATE INDEX event_approved ON event (type, at, task_id, task_seq, from_state) WHERE type IN ('ContentApproved', 'SendApproved');
CREATE INDEX event_moved ON event (task_id, task_seq, to_state, from_state, at, type) WHERE to_state IS NOT NULL;
CREATE INDEX event_blocked ON event (at, task_id) WHERE to_state = 'blocked';
CREATE INDEX attempt_again ON attempt (started_at, task_id) WHERE number > 1;
-- Partial, though every task is in it: the live tasks are asked for in this order, and would be looked for among all of them.
CREATE INDEX task_by_day ON task (created_at, task_version, id) WHERE task_version >= 1;
