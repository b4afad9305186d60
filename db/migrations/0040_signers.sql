-- Keys that approvals are signed with, their public side. The newest one signs; none is forgotten, so that what an older one
-- signed stays verifiable.
CREATE TABLE signer (
  fingerprint TEXT PRIMARY KEY,
  position INTEGER NOT NULL UNIQUE CHECK (position >= 1),
  public_key TEXT NOT NULL UNIQUE,
  identity TEXT NOT NULL,
  registered_at INTEGER NOT NULL,
  registered_by TEXT NOT NULL,
  reason TEXT NOT NULL
) STRICT;
CREATE TRIGGER signer_in_order BEFORE INSERT ON signer
WHEN NEW.position <> (SELECT coalesce(max(s.position), 0) + 1 FROM signer s)
BEGIN SELECT RAISE(ABORT, 'I08: keys are registered one after another'); END;
CREATE TRIGGER signer_immutable BEFORE UPDATE ON signer
BEGIN SELECT RAISE(ABORT, 'I08: a registered key is never rewritten'); END;
CREATE TRIGGER signer_no_delete BEFORE DELETE ON signer
BEGIN SELECT RAISE(ABORT, 'I08: a registered key is never forgotten'); END;

ALTER TABLE approval ADD COLUMN signed_by TEXT REFERENCES signer (fingerprint);

-- I02, I04: from the first registered key on, no approval stands without a signature, and none by another key than the newest
CREATE TRIGGER approval_signed_by_newest BEFORE INSERT ON approval
WHEN NEW.signed_by IS NOT (SELECT s.fingerprint FROM signer s ORDER BY s.position DESC LIMIT 1)
  OR (NEW.signature IS NULL) <> (NEW.signed_by IS NULL)
BEGIN SELECT RAISE(ABORT, 'I02, I04: an approval is signed with the newest registered key, or there is none'); END;
CREATE TRIGGER approval_signer_immutable BEFORE UPDATE ON approval
WHEN NEW.signed_by IS NOT OLD.signed_by
BEGIN SELECT RAISE(ABORT, 'I08: an approval is never rewritten'); END;
