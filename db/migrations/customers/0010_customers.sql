-- The customers' database, first version: the only place with addresses and with mails as they are sent, all of it encrypted.
-- It has no history of its own: the journal knows recipients by id and bytes by hash.

-- One row. The check value tells a wrong key at once, before anything is written under it.
CREATE TABLE customers_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  key_check TEXT NOT NULL CHECK (length(key_check) = 64),
  import_version INTEGER NOT NULL CHECK (import_version >= 0)
) STRICT;

-- One row per address ever imported. Someone who leaves the audience loses the address, not the id: the same person coming back
-- gets the same id, and with it the same slot, so that an edition is never mailed to them twice.
CREATE TABLE customer (
  recipient_id TEXT PRIMARY KEY CHECK (recipient_id <> ''),
  "group" TEXT NOT NULL,
  address_digest TEXT NOT NULL UNIQUE CHECK (length(address_digest) = 64),
  sealed_address BLOB,
  active INTEGER NOT NULL CHECK (active IN (0, 1)),
  CHECK (active = (sealed_address IS NOT NULL))
) STRICT, WITHOUT ROWID;

-- The exact bytes of each mail, kept before it leaves and never rebuilt.
CREATE TABLE mail_request (
  operation_id TEXT PRIMARY KEY CHECK (operation_id <> ''),
  sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
  sealed_bytes BLOB NOT NULL
) STRICT;
CREATE TRIGGER mail_request_immutable BEFORE UPDATE ON mail_request
BEGIN SELECT RAISE(ABORT, 'I03: the bytes of a request never change'); END;
CREATE TRIGGER mail_request_no_delete BEFORE DELETE ON mail_request
BEGIN SELECT RAISE(ABORT, 'I08: the bytes of a request are never deleted'); END;
