-- The journal, first version. Numbered in tens, never edited once released.
-- Every table is STRICT. The invariant's number (I01 to I08) stands beside each constraint that holds it.

CREATE TABLE pipeline_definition (
  hash TEXT PRIMARY KEY CHECK (length(hash) = 64),
  name TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  body TEXT NOT NULL,
  registered_at INTEGER NOT NULL,
  UNIQUE (name, version)
) STRICT;

CREATE TABLE journal_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  workspace_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('sandbox', 'real')),
  epoch INTEGER NOT NULL CHECK (epoch >= 1),
  epoch_reconciled INTEGER NOT NULL CHECK (epoch_reconciled <= epoch),
  created_at INTEGER NOT NULL,
  suppression_version INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Domain 5: an epoch is only ever raised; falling back to one that was reconciled would let a restored copy send again
CREATE TRIGGER journal_epoch_never_falls BEFORE UPDATE ON journal_state
WHEN NEW.epoch < OLD.epoch OR NEW.workspace_id <> OLD.workspace_id OR NEW.kind <> OLD.kind
BEGIN SELECT RAISE(ABORT, 'I08: the epoch never goes down and a workspace stays what it is'); END;
CREATE TRIGGER journal_state_no_delete BEFORE DELETE ON journal_state
BEGIN SELECT RAISE(ABORT, 'I08: the epoch is never forgotten'); END;

CREATE TABLE task (
  id TEXT PRIMARY KEY,
  task_key TEXT NOT NULL,
  task_version INTEGER NOT NULL CHECK (task_version >= 1),
  pipeline TEXT NOT NULL,
  definition_hash TEXT NOT NULL REFERENCES pipeline_definition (hash),
  edition TEXT NOT NULL,
  language TEXT NOT NULL,
  state TEXT NOT NULL,
  state_version INTEGER NOT NULL CHECK (state_version >= 0),
  state_since INTEGER NOT NULL,
  resume_state TEXT,
  retry_at INTEGER,
  blocked_reason TEXT,
  deadline_at INTEGER NOT NULL,
  zone TEXT NOT NULL,
  lease_owner TEXT,
  fencing_token INTEGER NOT NULL DEFAULT 0 CHECK (fencing_token >= 0),
  lease_expires_at INTEGER,
  last_heartbeat_at INTEGER,
  takeover_token INTEGER NOT NULL DEFAULT 0,
  supersedes_task_id TEXT REFERENCES task (id),
  owner TEXT NOT NULL,
  backup_owner TEXT NOT NULL,
  calls_used INTEGER NOT NULL DEFAULT 0 CHECK (calls_used >= 0),
  context TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  task_seq INTEGER NOT NULL DEFAULT 0,
  task_head TEXT NOT NULL CHECK (length(task_head) = 64),
  CHECK ((state = 'blocked') = (blocked_reason IS NOT NULL)),
  CHECK (state <> 'retry_wait' OR (resume_state IS NOT NULL AND retry_at IS NOT NULL)),
  CHECK ((lease_owner IS NULL) = (lease_expires_at IS NULL)),
  -- I01: a timer creates version 1 only; another version says what it supersedes
  CONSTRAINT i01_timer_version CHECK (created_by <> 'scheduler' OR task_version = 1),
  CONSTRAINT i01_supersedes CHECK (task_version = 1 OR supersedes_task_id IS NOT NULL),
  -- I01
  UNIQUE (task_key, task_version)
) STRICT;

-- I01: at most one live task per key
CREATE UNIQUE INDEX i01_one_live_task ON task (task_key) WHERE state NOT IN ('succeeded', 'compensated', 'closed');
CREATE INDEX task_by_state ON task (state, state_since);

-- I08: terminal tasks never change state; nothing of a task's identity ever changes; tokens never go down
CREATE TRIGGER i08_terminal_is_final BEFORE UPDATE OF state ON task
WHEN OLD.state IN ('succeeded', 'compensated', 'closed') AND NEW.state <> OLD.state
BEGIN SELECT RAISE(ABORT, 'I08: a terminal task never changes state'); END;
CREATE TRIGGER i08_task_not_born_terminal BEFORE INSERT ON task
WHEN NEW.state IN ('succeeded', 'compensated', 'closed')
BEGIN SELECT RAISE(ABORT, 'I06: a task ends by an event, it is not put in as ended'); END;
CREATE TRIGGER i08_no_task_delete BEFORE DELETE ON task
BEGIN SELECT RAISE(ABORT, 'I08: tasks are never deleted'); END;
CREATE TRIGGER i08_task_identity BEFORE UPDATE ON task
WHEN NEW.id <> OLD.id OR NEW.task_key <> OLD.task_key OR NEW.task_version <> OLD.task_version OR NEW.pipeline <> OLD.pipeline
  OR NEW.definition_hash <> OLD.definition_hash OR NEW.edition <> OLD.edition OR NEW.language <> OLD.language
  OR NEW.created_by <> OLD.created_by OR NEW.created_at <> OLD.created_at OR NEW.supersedes_task_id IS NOT OLD.supersedes_task_id
BEGIN SELECT RAISE(ABORT, 'I08: the identity of a task never changes'); END;
CREATE TRIGGER i05_token_never_falls BEFORE UPDATE OF fencing_token ON task
WHEN NEW.fencing_token < OLD.fencing_token
BEGIN SELECT RAISE(ABORT, 'I05: a fencing token never goes down'); END;

CREATE TABLE step (
  task_id TEXT NOT NULL REFERENCES task (id),
  name TEXT NOT NULL,
  round INTEGER NOT NULL CHECK (round >= 1),
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0,
  checkpoint TEXT NOT NULL,
  PRIMARY KEY (task_id, name, round)
) STRICT, WITHOUT ROWID;

CREATE TABLE artifact (
  task_id TEXT NOT NULL REFERENCES task (id),
  hash TEXT NOT NULL CHECK (length(hash) = 64),
  kind TEXT NOT NULL,
  bytes INTEGER NOT NULL CHECK (bytes >= 0),
  media_type TEXT NOT NULL,
  at INTEGER NOT NULL,
  origin TEXT,
  PRIMARY KEY (task_id, hash, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE compensation (
  id TEXT PRIMARY KEY,
  task_id TEXT NOT NULL REFERENCES task (id),
  position INTEGER NOT NULL CHECK (position BETWEEN 1 AND 8),
  service TEXT NOT NULL,
  action TEXT NOT NULL,
  args TEXT NOT NULL,
  grade TEXT NOT NULL CHECK (grade IN ('A', 'B', 'C', 'D')),
  precondition TEXT NOT NULL,
  owner TEXT NOT NULL,
  verification TEXT NOT NULL,
  timeout_ms INTEGER NOT NULL,
  retry_max INTEGER NOT NULL CHECK (retry_max BETWEEN 0 AND 3),
  steps TEXT NOT NULL CHECK (json_type(steps) = 'array'),
  state TEXT NOT NULL CHECK (state IN ('registered', 'not_needed', 'running', 'done', 'failed', 'closed_by_person')),
  steps_done INTEGER NOT NULL DEFAULT 0 CHECK (steps_done BETWEEN 0 AND json_array_length(steps)),
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  calls_judged INTEGER NOT NULL DEFAULT 0 CHECK (calls_judged >= 0),
  next_at INTEGER,
  code TEXT,
  -- Domain 9: done means every step; a failed entry says with what
  CHECK (state <> 'done' OR steps_done = json_array_length(steps)),
  CHECK (state <> 'failed' OR code IS NOT NULL),
  UNIQUE (task_id, position)
) STRICT;

-- I07: what was written down before the forward call is never rewritten, and an undo never forgets a step it has done
CREATE TRIGGER i07_compensation_immutable BEFORE UPDATE ON compensation
WHEN NEW.id <> OLD.id OR NEW.task_id <> OLD.task_id OR NEW.position <> OLD.position OR NEW.service <> OLD.service
  OR NEW.action <> OLD.action OR NEW.args <> OLD.args OR NEW.grade <> OLD.grade OR NEW.precondition <> OLD.precondition
  OR NEW.owner <> OLD.owner OR NEW.verification <> OLD.verification OR NEW.timeout_ms <> OLD.timeout_ms
  OR NEW.retry_max <> OLD.retry_max OR NEW.steps <> OLD.steps OR NEW.steps_done < OLD.steps_done
BEGIN SELECT RAISE(ABORT, 'I07: an undo entry is never rewritten'); END;
CREATE TRIGGER i07_no_compensation_delete BEFORE DELETE ON compensation
BEGIN SELECT RAISE(ABORT, 'I07: undo entries are never deleted'); END;
CREATE TRIGGER compensation_begins_registered BEFORE INSERT ON compensation WHEN NEW.state <> 'registered'
BEGIN SELECT RAISE(ABORT, 'I07: an undo entry begins as registered'); END;
-- Domain 9: grades C and D are a person's; what came to its end stays there
CREATE TRIGGER compensation_machine BEFORE UPDATE OF state ON compensation
WHEN NEW.state <> OLD.state AND (OLD.state || '>' || NEW.state) NOT IN (
  'registered>running', 'registered>done', 'registered>failed', 'registered>not_needed', 'registered>closed_by_person',
  'running>done', 'running>failed', 'running>closed_by_person', 'failed>running', 'failed>closed_by_person')
BEGIN SELECT RAISE(ABORT, 'undo machine: no such transition'); END;
CREATE TRIGGER i07_person_grade_not_done BEFORE UPDATE OF state ON compensation
WHEN NEW.state IN ('done', 'failed') AND NEW.grade IN ('C', 'D')
BEGIN SELECT RAISE(ABORT, 'I07: an entry of this grade is closed by a person'); END;
-- Domain 3: undoing goes on in `compensating` alone
CREATE TRIGGER compensation_only_while_compensating BEFORE UPDATE ON compensation
WHEN (SELECT t.state FROM task t WHERE t.id = NEW.task_id) <> 'compensating'
BEGIN SELECT RAISE(ABORT, 'I07: nothing is undone outside of compensating'); END;

CREATE TABLE approval (
  id TEXT PRIMARY KEY,
  task_id TEXT NOT NULL REFERENCES task (id),
  scope TEXT NOT NULL CHECK (scope IN ('publish', 'send', 'correct')),
  intent_key TEXT NOT NULL,
  hash_rule_version INTEGER NOT NULL,
  content_hash TEXT,
  package_hash TEXT,
  page_url TEXT,
  body_hash TEXT,
  audience_hash TEXT,
  check_receipt_id TEXT,
  approver TEXT NOT NULL,
  issued_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  time_source TEXT NOT NULL,
  zone TEXT NOT NULL,
  statement TEXT NOT NULL,
  signature TEXT,
  revoked_at INTEGER,
  revoked_by TEXT,
  ended_at INTEGER,
  CHECK (expires_at > issued_at),
  CHECK (scope <> 'publish' OR content_hash IS NOT NULL),
  CHECK (scope = 'publish' OR (page_url IS NOT NULL AND body_hash IS NOT NULL AND audience_hash IS NOT NULL))
) STRICT;
CREATE INDEX approval_by_task ON approval (task_id, scope, issued_at);

-- An approval's words never change, and what was revoked or ended stays so
CREATE TRIGGER approval_immutable BEFORE UPDATE ON approval
WHEN NEW.id <> OLD.id OR NEW.task_id <> OLD.task_id OR NEW.scope <> OLD.scope OR NEW.intent_key <> OLD.intent_key
  OR NEW.hash_rule_version <> OLD.hash_rule_version OR NEW.content_hash IS NOT OLD.content_hash OR NEW.package_hash IS NOT OLD.package_hash
  OR NEW.page_url IS NOT OLD.page_url OR NEW.body_hash IS NOT OLD.body_hash OR NEW.audience_hash IS NOT OLD.audience_hash
  OR NEW.check_receipt_id IS NOT OLD.check_receipt_id OR NEW.approver <> OLD.approver OR NEW.issued_at <> OLD.issued_at
  OR NEW.expires_at <> OLD.expires_at OR NEW.time_source <> OLD.time_source OR NEW.zone <> OLD.zone OR NEW.statement <> OLD.statement
  OR NEW.signature IS NOT OLD.signature
  OR (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NOT OLD.revoked_at) OR (OLD.ended_at IS NOT NULL AND NEW.ended_at IS NOT OLD.ended_at)
BEGIN SELECT RAISE(ABORT, 'I08: an approval is never rewritten'); END;
CREATE TRIGGER approval_no_delete BEFORE DELETE ON approval
BEGIN SELECT RAISE(ABORT, 'I08: approvals are never deleted'); END;

CREATE TABLE operation (
  id TEXT PRIMARY KEY,
  task_id TEXT NOT NULL REFERENCES task (id),
  -- I03: one operation per key
  operation_key TEXT NOT NULL UNIQUE,
  intent_key TEXT NOT NULL,
  phase TEXT NOT NULL CHECK (phase IN ('create', 'update', 'publish', 'trigger', 'deliver', 'undo')),
  slot TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('publish', 'send', 'correct', 'effect', 'compensate')),
  adapter TEXT NOT NULL,
  target TEXT NOT NULL,
  recipient_id TEXT,
  intent_hash TEXT NOT NULL CHECK (length(intent_hash) = 64),
  content_hash TEXT,
  page_url TEXT,
  body_hash TEXT,
  audience_hash TEXT,
  hash_rule_version INTEGER NOT NULL,
  parent_id TEXT REFERENCES operation (id),
  after_id TEXT REFERENCES operation (id),
  compensation_id TEXT REFERENCES compensation (id),
  automatic INTEGER NOT NULL CHECK (automatic IN (0, 1)),
  state TEXT NOT NULL CHECK (state IN ('prepared', 'request_sent', 'unknown', 'confirmed', 'rejected', 'cancelled', 'not_found', 'conflict', 'locked')),
  settled INTEGER NOT NULL CHECK (settled IN (0, 1)),
  prepared_at INTEGER NOT NULL,
  prepared_token INTEGER NOT NULL,
  request_sent_at INTEGER,
  request_content_hash TEXT,
  request_page_url TEXT,
  request_body_hash TEXT,
  request_audience_hash TEXT,
  request_bytes_hash TEXT,
  remote_id TEXT,
  remote_url TEXT,
  looks_used INTEGER NOT NULL DEFAULT 0,
  next_look_at INTEGER,
  last_observed_at INTEGER,
  unknown_since INTEGER,
  CHECK (settled = (state IN ('confirmed', 'rejected', 'cancelled')) OR state = 'not_found'),
  CHECK (state NOT IN ('request_sent', 'unknown', 'confirmed') OR request_bytes_hash IS NOT NULL),
  -- I07: the undo is on the stack before the call
  CONSTRAINT i07_compensation_first CHECK (kind = 'compensate' OR compensation_id IS NOT NULL)
) STRICT;
CREATE INDEX operation_by_task ON operation (task_id, prepared_at);
-- Without it the triggers on a slot would read every operation there ever was, at each insert.
CREATE INDEX operation_by_slot ON operation (slot, phase);
CREATE INDEX operation_was_unknown ON operation (settled) WHERE unknown_since IS NOT NULL;
CREATE INDEX operation_to_look ON operation (next_look_at) WHERE next_look_at IS NOT NULL;

-- I03: no second create in a slot while one is unsettled; nor a second trigger, which is the moment a campaign is mailed
CREATE UNIQUE INDEX i03_one_open_create ON operation (slot, phase) WHERE phase IN ('create', 'deliver', 'trigger') AND settled = 0;

-- I03: where an object exists, new content is an update of it; a recipient's slot once confirmed is never used again
CREATE TRIGGER i03_slot_has_object BEFORE INSERT ON operation
WHEN NEW.phase IN ('create', 'deliver', 'trigger')
  AND EXISTS (SELECT 1 FROM operation o WHERE o.slot = NEW.slot AND o.phase = NEW.phase AND o.state = 'confirmed' AND o.operation_key <> NEW.operation_key)
BEGIN SELECT RAISE(ABORT, 'I03: an object exists in this slot already'); END;
CREATE TRIGGER i03_reopened_slot BEFORE UPDATE OF state ON operation
WHEN NEW.phase IN ('create', 'deliver', 'trigger') AND NEW.state IN ('prepared', 'request_sent')
  AND EXISTS (SELECT 1 FROM operation o WHERE o.slot = NEW.slot AND o.phase = NEW.phase AND o.state = 'confirmed' AND o.id <> NEW.id)
BEGIN SELECT RAISE(ABORT, 'I03: an object exists in this slot already'); END;

-- I03: the intent of an operation never changes
CREATE TRIGGER i03_intent_immutable BEFORE UPDATE ON operation
WHEN NEW.id <> OLD.id OR NEW.task_id <> OLD.task_id OR NEW.operation_key <> OLD.operation_key OR NEW.intent_key <> OLD.intent_key
  OR NEW.phase <> OLD.phase OR NEW.slot <> OLD.slot OR NEW.kind <> OLD.kind OR NEW.adapter <> OLD.adapter OR NEW.target <> OLD.target
  OR NEW.recipient_id IS NOT OLD.recipient_id OR NEW.intent_hash <> OLD.intent_hash OR NEW.content_hash IS NOT OLD.content_hash
  OR NEW.page_url IS NOT OLD.page_url OR NEW.body_hash IS NOT OLD.body_hash OR NEW.audience_hash IS NOT OLD.audience_hash
  OR NEW.hash_rule_version <> OLD.hash_rule_version OR NEW.parent_id IS NOT OLD.parent_id OR NEW.after_id IS NOT OLD.after_id
  OR NEW.compensation_id IS NOT OLD.compensation_id OR NEW.automatic <> OLD.automatic
  OR (OLD.request_bytes_hash IS NOT NULL AND NEW.request_bytes_hash IS NOT OLD.request_bytes_hash)
  OR (OLD.request_content_hash IS NOT NULL AND NEW.request_content_hash IS NOT OLD.request_content_hash)
  OR (OLD.request_page_url IS NOT NULL AND NEW.request_page_url IS NOT OLD.request_page_url)
  OR (OLD.request_body_hash IS NOT NULL AND NEW.request_body_hash IS NOT OLD.request_body_hash)
  OR (OLD.request_audience_hash IS NOT NULL AND NEW.request_audience_hash IS NOT OLD.request_audience_hash)
BEGIN SELECT RAISE(ABORT, 'I03: the intent of an operation is immutable'); END;
CREATE TRIGGER i03_no_operation_delete BEFORE DELETE ON operation
BEGIN SELECT RAISE(ABORT, 'I08: operations are never deleted'); END;

-- Domain 6: the operation's own machine. A way that is not listed does not exist, and every one begins at prepared: an
-- operation put in as sent or confirmed would pass by every trigger that guards the way there.
CREATE TRIGGER operation_begins_prepared BEFORE INSERT ON operation WHEN NEW.state <> 'prepared'
BEGIN SELECT RAISE(ABORT, 'operation machine: an operation begins as prepared'); END;
CREATE TRIGGER operation_machine BEFORE UPDATE OF state ON operation
WHEN NEW.state <> OLD.state AND (OLD.state || '>' || NEW.state) NOT IN (
  'prepared>request_sent', 'prepared>cancelled',
  'request_sent>confirmed', 'request_sent>rejected', 'request_sent>unknown', 'request_sent>prepared',
  'unknown>confirmed', 'unknown>not_found', 'unknown>conflict', 'unknown>locked',
  'not_found>request_sent', 'not_found>confirmed', 'not_found>conflict',
  'confirmed>conflict', 'rejected>prepared', 'cancelled>prepared',
  'conflict>confirmed', 'conflict>not_found', 'locked>confirmed', 'locked>not_found')
BEGIN SELECT RAISE(ABORT, 'operation machine: no such transition'); END;

-- I02: no publish request leaves without a living approval of exactly these bytes
CREATE TRIGGER i02_publish_needs_approval BEFORE UPDATE OF state ON operation
WHEN NEW.state = 'request_sent' AND OLD.state <> NEW.state AND NEW.kind = 'publish' AND NOT EXISTS (
  SELECT 1 FROM approval a WHERE a.task_id = NEW.task_id AND a.scope = 'publish' AND a.intent_key = NEW.intent_key
    AND a.hash_rule_version = NEW.hash_rule_version AND a.content_hash = NEW.content_hash AND a.content_hash = NEW.request_content_hash
    AND a.revoked_at IS NULL AND a.ended_at IS NULL AND a.issued_at <= NEW.request_sent_at AND a.expires_at > NEW.request_sent_at)
BEGIN SELECT RAISE(ABORT, 'I02: no living approval of these bytes'); END;

-- I04: no send before the page was proved, none without a living approval bound to page, body and audience
CREATE TRIGGER i04_send_needs_page BEFORE UPDATE OF state ON operation
WHEN NEW.state = 'request_sent' AND OLD.state <> NEW.state AND NEW.kind IN ('send', 'correct')
  AND NOT EXISTS (SELECT 1 FROM event e WHERE e.task_id = NEW.task_id AND e.type = 'PageVerified'
    -- A proof of the page as it was before it was written last is no proof.
    AND e.seq > coalesce((SELECT max(r.seq) FROM event r JOIN operation p ON p.id = r.operation_id
      WHERE r.task_id = NEW.task_id AND r.type = 'RequestSent' AND p.kind = 'publish'), 0))
BEGIN SELECT RAISE(ABORT, 'I04: the public page was not verified'); END;
CREATE TRIGGER i04_send_needs_approval BEFORE UPDATE OF state ON operation
WHEN NEW.state = 'request_sent' AND OLD.state <> NEW.state AND NEW.kind IN ('send', 'correct') AND NOT EXISTS (
  SELECT 1 FROM approval a WHERE a.task_id = NEW.task_id AND a.scope = NEW.kind AND a.intent_key = NEW.intent_key
    AND a.hash_rule_version = NEW.hash_rule_version
    AND a.page_url = NEW.page_url AND a.body_hash = NEW.body_hash AND a.audience_hash = NEW.audience_hash
    AND a.page_url = NEW.request_page_url AND a.body_hash = NEW.request_body_hash AND a.audience_hash = NEW.request_audience_hash
    AND a.revoked_at IS NULL AND a.ended_at IS NULL AND a.issued_at <= NEW.request_sent_at AND a.expires_at > NEW.request_sent_at)
BEGIN SELECT RAISE(ABORT, 'I04: no living approval of this page, body and audience'); END;

-- I07: a grade D action never runs in an automatic chain
CREATE TRIGGER i07_grade_d_not_automatic BEFORE UPDATE OF state ON operation
WHEN NEW.state = 'request_sent' AND OLD.state <> NEW.state AND NEW.automatic = 1
  AND EXISTS (SELECT 1 FROM compensation c WHERE c.id = NEW.compensation_id AND c.grade = 'D')
BEGIN SELECT RAISE(ABORT, 'I07: an irreversible action never runs in an automatic chain'); END;

-- Domain 3 and 9: undo leaves while compensating and nothing else does; what never left is the only thing that needs none
CREATE TRIGGER i07_undo_while_compensating BEFORE UPDATE OF state ON operation
WHEN NEW.state = 'request_sent' AND OLD.state <> NEW.state
  AND (NEW.kind = 'compensate') <> ((SELECT t.state FROM task t WHERE t.id = NEW.task_id) = 'compensating')
BEGIN SELECT RAISE(ABORT, 'I07: while compensating only undo leaves, and never else'); END;
CREATE TRIGGER i07_not_needed_never_left BEFORE UPDATE OF state ON compensation
WHEN NEW.state = 'not_needed' AND EXISTS (SELECT 1 FROM operation o WHERE o.compensation_id = NEW.id AND o.kind <> 'compensate'
  AND (o.state IN ('request_sent', 'unknown', 'confirmed', 'conflict', 'locked') OR o.settled = 0 AND o.state = 'not_found'))
BEGIN SELECT RAISE(ABORT, 'I07: what it undoes left, or may have'); END;
-- I07: compensated needs every entry at its end and nothing without an answer
CREATE TRIGGER i07_compensated BEFORE UPDATE OF state ON task
WHEN NEW.state = 'compensated' AND OLD.state <> 'compensated' AND (
  EXISTS (SELECT 1 FROM compensation c WHERE c.task_id = NEW.id AND c.state NOT IN ('done', 'not_needed', 'closed_by_person'))
  OR EXISTS (SELECT 1 FROM operation o WHERE o.task_id = NEW.id AND o.settled = 0))
BEGIN SELECT RAISE(ABORT, 'I07: not everything is undone and settled'); END;

-- I06: succeeded needs every operation settled well and every recipient accounted for
CREATE TRIGGER i06_succeeded BEFORE UPDATE OF state ON task
WHEN NEW.state = 'succeeded' AND OLD.state <> 'succeeded' AND (
  EXISTS (SELECT 1 FROM operation o WHERE o.task_id = NEW.id AND o.parent_id IS NULL AND o.state NOT IN ('confirmed', 'cancelled')
    -- What was refused or proven absent may stay behind where another operation has taken its place.
    AND NOT EXISTS (SELECT 1 FROM operation p WHERE p.task_id = o.task_id AND p.slot = o.slot AND p.phase = o.phase AND p.state = 'confirmed'))
  OR EXISTS (SELECT 1 FROM operation o WHERE o.task_id = NEW.id AND o.settled = 0)
  OR EXISTS (SELECT 1 FROM recipient_account r WHERE r.task_id = NEW.id AND r.outcome IN ('unknown', 'accepted'))
  OR (SELECT count(*) FROM recipient_account r WHERE r.task_id = NEW.id)
     <> coalesce((SELECT s.count + s.excluded FROM audience_snapshot s WHERE s.task_id = NEW.id AND s.audience_hash = json_extract(NEW.context, '$.audienceHash')), 0))
BEGIN SELECT RAISE(ABORT, 'I06: not every operation and recipient is accounted for'); END;

CREATE TABLE attempt (
  operation_id TEXT NOT NULL REFERENCES operation (id),
  number INTEGER NOT NULL CHECK (number >= 1),
  task_id TEXT NOT NULL REFERENCES task (id),
  approval_id TEXT REFERENCES approval (id),
  actor TEXT NOT NULL,
  fencing_token INTEGER NOT NULL,
  policy_version INTEGER NOT NULL,
  base_delay_ms INTEGER NOT NULL,
  hint_ms INTEGER,
  actual_delay_ms INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  outcome TEXT CHECK (outcome IN ('confirmed', 'rejected', 'not_sent', 'unknown')),
  raw_code TEXT,
  raw_reference TEXT,
  error_class TEXT,
  PRIMARY KEY (operation_id, number)
) STRICT, WITHOUT ROWID;

-- I05: an executor's attempt carries the task's current token
CREATE TRIGGER i05_attempt_token BEFORE INSERT ON attempt
WHEN NEW.actor LIKE 'executor:%' AND NEW.fencing_token <> (SELECT t.fencing_token FROM task t WHERE t.id = NEW.task_id)
BEGIN SELECT RAISE(ABORT, 'I05: stale fencing token'); END;
CREATE TRIGGER attempt_closed_once BEFORE UPDATE ON attempt WHEN OLD.outcome IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'I08: an ended attempt is never rewritten'); END;
CREATE TRIGGER attempt_no_delete BEFORE DELETE ON attempt
BEGIN SELECT RAISE(ABORT, 'I08: attempts are never deleted'); END;

CREATE TABLE event (
  seq INTEGER PRIMARY KEY,
  task_id TEXT REFERENCES task (id),
  task_seq INTEGER,
  type TEXT NOT NULL,
  from_state TEXT,
  to_state TEXT,
  actor TEXT NOT NULL,
  fencing_token INTEGER,
  at INTEGER NOT NULL,
  zone TEXT NOT NULL,
  reason TEXT,
  operation_id TEXT REFERENCES operation (id),
  evidence_refs TEXT NOT NULL,
  payload TEXT,
  payload_hash TEXT NOT NULL CHECK (length(payload_hash) = 64),
  prev_hash TEXT NOT NULL UNIQUE,
  task_prev_hash TEXT,
  header TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE CHECK (length(hash) = 64),
  CHECK ((task_id IS NULL) = (task_seq IS NULL)),
  UNIQUE (task_id, task_seq)
) STRICT;
CREATE INDEX event_by_task_type ON event (task_id, type);

-- I08: events are never changed or deleted, and none is put in between
CREATE TRIGGER i08_event_no_update BEFORE UPDATE ON event
BEGIN SELECT RAISE(ABORT, 'I08: events are never changed'); END;
CREATE TRIGGER i08_event_no_delete BEFORE DELETE ON event
BEGIN SELECT RAISE(ABORT, 'I08: events are never deleted'); END;
CREATE TRIGGER i08_event_in_order BEFORE INSERT ON event
WHEN NEW.seq <> 1 + coalesce((SELECT max(e.seq) FROM event e), 0)
  OR NEW.prev_hash <> coalesce((SELECT e.hash FROM event e ORDER BY e.seq DESC LIMIT 1), '0000000000000000000000000000000000000000000000000000000000000000')
BEGIN SELECT RAISE(ABORT, 'I08: events follow one another without a gap'); END;
-- I05: an executor writes only with the task's current token
CREATE TRIGGER i05_event_token BEFORE INSERT ON event
WHEN NEW.actor LIKE 'executor:%' AND NEW.fencing_token IS NOT (SELECT t.fencing_token FROM task t WHERE t.id = NEW.task_id)
BEGIN SELECT RAISE(ABORT, 'I05: stale fencing token'); END;

CREATE TABLE reconciliation (
  id TEXT PRIMARY KEY,
  operation_id TEXT NOT NULL REFERENCES operation (id),
  task_id TEXT NOT NULL REFERENCES task (id),
  at INTEGER NOT NULL,
  query TEXT NOT NULL,
  able INTEGER NOT NULL CHECK (able IN (0, 1)),
  verdict TEXT NOT NULL CHECK (verdict IN ('confirmed', 'absent_yet', 'not_found', 'conflict', 'duplicate', 'failed', 'locked')),
  objects TEXT NOT NULL,
  chosen_remote_id TEXT,
  raw_code TEXT,
  actor TEXT NOT NULL,
  next_look_at INTEGER
) STRICT;
CREATE INDEX reconciliation_by_operation ON reconciliation (operation_id, at);
CREATE TRIGGER reconciliation_no_update BEFORE UPDATE ON reconciliation
BEGIN SELECT RAISE(ABORT, 'I08: receipts are never changed'); END;
CREATE TRIGGER reconciliation_no_delete BEFORE DELETE ON reconciliation
BEGIN SELECT RAISE(ABORT, 'I08: receipts are never deleted'); END;

CREATE TABLE audience_snapshot (
  id TEXT PRIMARY KEY,
  task_id TEXT NOT NULL REFERENCES task (id),
  audience_hash TEXT NOT NULL,
  suppression_version INTEGER NOT NULL,
  count INTEGER NOT NULL CHECK (count >= 0),
  excluded INTEGER NOT NULL CHECK (excluded >= 0),
  at INTEGER NOT NULL,
  artifact_hash TEXT NOT NULL,
  UNIQUE (task_id, audience_hash)
) STRICT;

-- I06 counts against it, so it may not be made to fit
CREATE TRIGGER i06_audience_no_update BEFORE UPDATE ON audience_snapshot
BEGIN SELECT RAISE(ABORT, 'I06: an audience is counted once'); END;
CREATE TRIGGER i06_audience_no_delete BEFORE DELETE ON audience_snapshot
BEGIN SELECT RAISE(ABORT, 'I06: an audience is never deleted'); END;

CREATE TABLE recipient_account (
  task_id TEXT NOT NULL REFERENCES task (id),
  recipient_id TEXT NOT NULL,
  "group" TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('excluded', 'unknown', 'accepted', 'delivered', 'bounced', 'complained', 'closed_by_person')),
  at INTEGER NOT NULL,
  code TEXT,
  PRIMARY KEY (task_id, recipient_id)
) STRICT, WITHOUT ROWID;

-- I06: before anything left, a new review may count anew; afterwards an account is kept for ever
CREATE TRIGGER i06_account_kept BEFORE DELETE ON recipient_account
WHEN EXISTS (SELECT 1 FROM operation o WHERE o.task_id = OLD.task_id AND o.kind = 'send' AND o.phase IN ('trigger', 'deliver')
  AND o.state IN ('request_sent', 'unknown', 'confirmed', 'conflict', 'locked'))
BEGIN SELECT RAISE(ABORT, 'I06: the account of a recipient is kept once a mailing left'); END;

CREATE TABLE suppression (
  recipient_id TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  reason TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE intent_conflict (
  id TEXT PRIMARY KEY,
  operation_key TEXT NOT NULL,
  kept_intent_hash TEXT NOT NULL,
  refused_intent_hash TEXT NOT NULL,
  actor TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;

CREATE TABLE recovery_item (
  id TEXT PRIMARY KEY,
  task_id TEXT NOT NULL REFERENCES task (id),
  operation_id TEXT REFERENCES operation (id),
  kind TEXT NOT NULL CHECK (kind IN ('dead_letter', 'unknown_outcome', 'customer_care', 'blocked_expired', 'compensation_failed', 'compensation_manual')),
  stage TEXT NOT NULL CHECK (stage IN ('to_triage', 'triaged', 'recovering', 'to_verify', 'closed', 'reviewed')),
  subject TEXT NOT NULL,
  error_class TEXT,
  owner TEXT NOT NULL CHECK (owner <> ''),
  backup_owner TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL
) STRICT;

CREATE INDEX recovery_item_by_task ON recovery_item (task_id, kind);
-- How many undos people had to see to today is asked before each one (domain 9)
CREATE INDEX recovery_item_failed_undo ON recovery_item (created_at) WHERE kind = 'compensation_failed';

CREATE TABLE incident (
  id TEXT PRIMARY KEY,
  task_id TEXT REFERENCES task (id),
  rule TEXT NOT NULL CHECK (rule IN ('duplicate_remote', 'invariant_violation', 'chain_break', 'approval_bypass', 'journal_epoch', 'by_hand')),
  scope TEXT NOT NULL CHECK (scope IN ('slot', 'task', 'adapter', 'all')),
  scope_value TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  opened_by TEXT NOT NULL,
  closed_at INTEGER
) STRICT;

CREATE TABLE alert (
  id TEXT PRIMARY KEY,
  task_id TEXT REFERENCES task (id),
  operation_id TEXT REFERENCES operation (id),
  code TEXT NOT NULL,
  urgency TEXT NOT NULL CHECK (urgency IN ('five_minutes', 'one_hour', 'working_hours')),
  at INTEGER NOT NULL,
  details TEXT NOT NULL
) STRICT;

CREATE TABLE drill (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  scheduled_at INTEGER NOT NULL,
  started_at INTEGER,
  ended_at INTEGER,
  result TEXT
) STRICT;

CREATE TABLE breaker (
  host TEXT PRIMARY KEY,
  failures INTEGER NOT NULL CHECK (failures >= 0),
  opened_at INTEGER,
  retry_at INTEGER
) STRICT, WITHOUT ROWID;

-- One row per local date and slot that a timer fired for: the key that makes two timers one (standards: scheduling).
CREATE TABLE schedule_fire (
  schedule TEXT NOT NULL,
  slot TEXT NOT NULL,
  fired_at INTEGER NOT NULL,
  late_ms INTEGER NOT NULL,
  PRIMARY KEY (schedule, slot)
) STRICT, WITHOUT ROWID;

-- A schedule that stands still until a person has looked at the clock (case C8). Kept here, so that a restart does not forget it.
CREATE TABLE schedule_pause (
  schedule TEXT PRIMARY KEY,
  since INTEGER NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('clock_jumped', 'clock_differs')),
  moved_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
