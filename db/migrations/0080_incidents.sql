-- Incidents are opened by hand as well, and each has a runbook by what it is about (domain 10).
ALTER TABLE incident ADD COLUMN kind TEXT NOT NULL DEFAULT 'other' CHECK (kind IN ('unknown_publish', 'duplicate_remote', 'unknown_send',
  'wrong_audience', 'wrong_page_live', 'source_missing', 'restored_backup', 'damaged_journal', 'clock_jump', 'approval_bypass', 'other'));
ALTER TABLE incident ADD COLUMN operation_id TEXT REFERENCES operation (id);
UPDATE incident SET kind = CASE rule WHEN 'duplicate_remote' THEN 'duplicate_remote' WHEN 'approval_bypass' THEN 'approval_bypass'
  WHEN 'journal_epoch' THEN 'restored_backup' WHEN 'invariant_violation' THEN 'damaged_journal' WHEN 'chain_break' THEN 'damaged_journal'
  ELSE 'other' END;

CREATE INDEX incident_open ON incident (opened_at) WHERE closed_at IS NULL;

-- What an open incident freezes does not leave (domain 6, 10). Of two objects in one place neither is touched; any other incident
-- leaves undoing open. The epoch has a guard of its own.
CREATE TRIGGER incident_freezes BEFORE UPDATE OF state ON operation
WHEN NEW.state = 'request_sent' AND OLD.state <> 'request_sent' AND EXISTS (
  SELECT 1 FROM incident i, task t WHERE i.closed_at IS NULL AND i.rule <> 'journal_epoch' AND t.id = NEW.task_id
  AND (NEW.kind <> 'compensate' OR i.rule = 'duplicate_remote')
  AND (i.scope = 'all' OR (i.scope = 'task' AND i.scope_value = NEW.task_id) OR (i.scope = 'adapter' AND i.scope_value = NEW.adapter)
    OR (i.scope = 'slot' AND (substr(i.scope_value, instr(i.scope_value, ':') + 1) = t.task_key
      OR substr(i.scope_value, instr(i.scope_value, ':') + 1, length(t.task_key) + 1) = t.task_key || ':'))))
BEGIN SELECT RAISE(ABORT, 'incident: its writes are frozen'); END;

CREATE TRIGGER incident_begins_open BEFORE INSERT ON incident WHEN NEW.closed_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'incident: it begins open'); END;
CREATE TRIGGER incident_identity BEFORE UPDATE ON incident
WHEN NEW.id <> OLD.id OR NEW.task_id IS NOT OLD.task_id OR NEW.rule <> OLD.rule OR NEW.kind <> OLD.kind OR NEW.scope <> OLD.scope
  OR NEW.scope_value <> OLD.scope_value OR NEW.operation_id IS NOT OLD.operation_id OR NEW.opened_at <> OLD.opened_at
  OR NEW.opened_by <> OLD.opened_by OR OLD.closed_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'I08: what an incident is about never changes, and closed it stays closed'); END;
CREATE TRIGGER incident_no_delete BEFORE DELETE ON incident
BEGIN SELECT RAISE(ABORT, 'I08: incidents are never deleted'); END;
