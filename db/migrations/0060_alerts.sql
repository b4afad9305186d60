-- Alerts are told, escalated, snoozed and acknowledged (domain 10), each with an event; so their rows say how far that is, and
-- the same about the same is one alert while it is open. Alerts from before stay as they are, each about itself.
CREATE TABLE alert_told (
  id TEXT PRIMARY KEY,
  task_id TEXT REFERENCES task (id),
  operation_id TEXT REFERENCES operation (id),
  subject TEXT NOT NULL CHECK (subject <> ''),
  code TEXT NOT NULL,
  urgency TEXT NOT NULL CHECK (urgency IN ('five_minutes', 'one_hour', 'working_hours')),
  at INTEGER NOT NULL,
  details TEXT NOT NULL,
  times INTEGER NOT NULL DEFAULT 1 CHECK (times >= 1),
  last_at INTEGER NOT NULL CHECK (last_at >= at),
  told_at INTEGER,
  escalated_at INTEGER CHECK (escalated_at IS NULL OR told_at IS NOT NULL),
  snoozed_until INTEGER,
  acknowledged_at INTEGER,
  acknowledged_by TEXT,
  settled_at INTEGER,
  CHECK ((acknowledged_at IS NULL) = (acknowledged_by IS NULL)),
  CHECK (acknowledged_at IS NULL OR settled_at IS NULL)
) STRICT;
INSERT INTO alert_told (id, task_id, operation_id, subject, code, urgency, at, details, last_at)
  SELECT id, task_id, operation_id, id, code, urgency, at, details, at FROM alert;
DROP TABLE alert;
ALTER TABLE alert_told RENAME TO alert;

CREATE INDEX alert_by_task ON alert (task_id);
-- Open ones are asked for at every commit, and there is one about the same
CREATE UNIQUE INDEX alert_open ON alert (subject, code) WHERE acknowledged_at IS NULL AND settled_at IS NULL;
CREATE INDEX alert_by_time ON alert (last_at);

CREATE TRIGGER alert_begins_untold BEFORE INSERT ON alert
WHEN NEW.told_at IS NOT NULL OR NEW.escalated_at IS NOT NULL OR NEW.snoozed_until IS NOT NULL
  OR NEW.acknowledged_at IS NOT NULL OR NEW.settled_at IS NOT NULL OR NEW.times <> 1 OR NEW.last_at <> NEW.at
BEGIN SELECT RAISE(ABORT, 'alert: it begins untold'); END;
CREATE TRIGGER alert_done BEFORE UPDATE ON alert WHEN OLD.acknowledged_at IS NOT NULL OR OLD.settled_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'alert: what is acknowledged or over stays so'); END;
CREATE TRIGGER alert_forward BEFORE UPDATE ON alert
WHEN NEW.times < OLD.times OR NEW.last_at < OLD.last_at OR (OLD.told_at IS NOT NULL AND NEW.told_at IS NULL) OR NEW.told_at < OLD.told_at
  OR (OLD.escalated_at IS NOT NULL AND NEW.escalated_at IS NOT OLD.escalated_at)
BEGIN SELECT RAISE(ABORT, 'alert: what was told stays told, and it escalates once'); END;
CREATE TRIGGER alert_identity BEFORE UPDATE ON alert
WHEN NEW.id <> OLD.id OR NEW.task_id IS NOT OLD.task_id OR NEW.operation_id IS NOT OLD.operation_id OR NEW.subject <> OLD.subject
  OR NEW.code <> OLD.code OR NEW.urgency <> OLD.urgency OR NEW.at <> OLD.at OR NEW.details <> OLD.details
BEGIN SELECT RAISE(ABORT, 'I08: what an alert is about never changes'); END;
CREATE TRIGGER alert_no_delete BEFORE DELETE ON alert
BEGIN SELECT RAISE(ABORT, 'I08: alerts are never deleted'); END;
