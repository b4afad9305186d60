-- A recovery item is worked off in stages (domain 10): how it was done, what proved it, how long it took and what came of the
-- review stay with it. An executed action is not a verified result, so `to_verify` and `closed` are apart.
CREATE TABLE recovery_item_worked (
  id TEXT PRIMARY KEY,
  task_id TEXT NOT NULL REFERENCES task (id),
  operation_id TEXT REFERENCES operation (id),
  kind TEXT NOT NULL CHECK (kind IN ('dead_letter', 'unknown_outcome', 'customer_care', 'blocked_expired', 'compensation_failed',
    'compensation_manual', 'reconciliation_difference', 'drill_failed')),
  stage TEXT NOT NULL CHECK (stage IN ('to_triage', 'triaged', 'recovering', 'to_verify', 'closed', 'reviewed')),
  subject TEXT NOT NULL,
  error_class TEXT,
  owner TEXT NOT NULL CHECK (owner <> ''),
  backup_owner TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  stage_at INTEGER,
  method TEXT,
  verification TEXT,
  minutes INTEGER NOT NULL DEFAULT 0 CHECK (minutes >= 0),
  review TEXT,
  CHECK (stage NOT IN ('to_verify', 'closed', 'reviewed') OR method IS NOT NULL),
  CHECK (stage NOT IN ('closed', 'reviewed') OR verification IS NOT NULL),
  CHECK (stage <> 'reviewed' OR review IS NOT NULL)
) STRICT;
INSERT INTO recovery_item_worked (id, task_id, operation_id, kind, stage, subject, error_class, owner, backup_owner, created_at, due_at)
  SELECT id, task_id, operation_id, kind, stage, subject, error_class, owner, backup_owner, created_at, due_at FROM recovery_item;
DROP TABLE recovery_item;
ALTER TABLE recovery_item_worked RENAME TO recovery_item;

CREATE INDEX recovery_item_by_task ON recovery_item (task_id, kind);
CREATE INDEX recovery_item_failed_undo ON recovery_item (created_at) WHERE kind = 'compensation_failed';
-- The board asks for what is open
CREATE INDEX recovery_item_open ON recovery_item (due_at) WHERE stage NOT IN ('closed', 'reviewed');

CREATE TRIGGER recovery_item_begins_to_triage BEFORE INSERT ON recovery_item WHEN NEW.stage <> 'to_triage'
BEGIN SELECT RAISE(ABORT, 'recovery: an item begins as to be triaged'); END;
CREATE TRIGGER recovery_item_machine BEFORE UPDATE OF stage ON recovery_item
WHEN NEW.stage <> OLD.stage AND (OLD.stage || '>' || NEW.stage) NOT IN (
  'to_triage>triaged', 'triaged>recovering', 'recovering>to_verify', 'to_verify>closed', 'to_verify>recovering',
  'closed>reviewed', 'closed>recovering', 'reviewed>closed')
BEGIN SELECT RAISE(ABORT, 'recovery: no such way between these stages'); END;
CREATE TRIGGER recovery_item_identity BEFORE UPDATE ON recovery_item
WHEN NEW.id <> OLD.id OR NEW.task_id <> OLD.task_id OR NEW.operation_id IS NOT OLD.operation_id OR NEW.kind <> OLD.kind
  OR NEW.subject <> OLD.subject OR NEW.error_class IS NOT OLD.error_class OR NEW.created_at <> OLD.created_at OR NEW.minutes < OLD.minutes
BEGIN SELECT RAISE(ABORT, 'I08: what a recovery item is about never changes'); END;
CREATE TRIGGER recovery_item_no_delete BEFORE DELETE ON recovery_item
BEGIN SELECT RAISE(ABORT, 'I08: recovery items are never deleted'); END;
