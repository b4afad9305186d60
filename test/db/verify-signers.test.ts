import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { fsck } from "../../db/fsck";
import { MIGRATIONS, migrate } from "../../db/migrate";
import { signerFaults } from "../../db/verify-signers";
import { SigningWalk } from "../support/signing-walk";
import { World } from "../support/world";

const walked = () => {
  const walk = new SigningWalk(new World());
  walk.register(1);
  walk.register(2, "the first was lost");
  return walk;
};
const unlocked = (walk: SigningWalk) => {
  const { sqlite } = walk.world.database;
  sqlite.exec("DROP TRIGGER signer_immutable; DROP TRIGGER signer_no_delete; DROP TRIGGER signer_in_order");
  return sqlite;
};

test("keys are what their events registered", () => {
  expect(signerFaults(walked().world.database.sqlite)).toEqual([]);
});

test.each<[string, string, RegExp]>([
  [
    "an exchanged key",
    "UPDATE signer SET public_key = 'AAAA' WHERE position = 1",
    /^the signing key SHA256:\S+ is not/,
  ],
  [
    "another name",
    "UPDATE signer SET identity = 'mallory' WHERE position = 2",
    /is not the one that event 3 registered/,
  ],
  [
    "somebody else who registered it",
    "UPDATE signer SET registered_by = 'editor:mallory' WHERE position = 2",
    /^signing key SHA256:\S+ registeredBy: the row says editor:mallory, the events editor:lin$/,
  ],
  [
    "another reason",
    "UPDATE signer SET reason = 'none' WHERE position = 2",
    /^signing key SHA256:\S+ reason: the row says none, the events the first was lost$/,
  ],
  [
    "a later time, which would excuse an approval that nobody signed",
    "UPDATE signer SET registered_at = registered_at + 1 WHERE position = 1",
    /^signing key SHA256:\S+ registeredAt: the row says \d+, the events \d+$/,
  ],
  ["a key taken out", "DELETE FROM signer WHERE position = 2", /^event 3 registered a signing key, no row has it$/],
  [
    "a key written in",
    "INSERT INTO signer VALUES ('SHA256:x', 3, 'AAAB', 'mallory', 0, 'editor:mallory', 'mine')",
    /^no event registered the signing key SHA256:x$/,
  ],
])("%s is found", (_, change, said) => {
  const walk = walked();
  const sqlite = unlocked(walk);
  sqlite.exec(change);
  expect(signerFaults(sqlite)).toEqual([expect.stringMatching(said)]);
});

test("contents that are withheld tell nothing of the key, and who, why and which event still count", () => {
  const walk = walked();
  const sqlite = unlocked(walk);
  sqlite.exec("DROP TRIGGER i08_event_no_update");
  sqlite.exec("UPDATE event SET payload = NULL WHERE type = 'SignerRegistered'");
  expect(signerFaults(sqlite)).toEqual([]);
  sqlite.exec("UPDATE event SET payload = 'no json' WHERE type = 'SignerRegistered'");
  sqlite.exec("UPDATE signer SET reason = 'none' WHERE position = 1");
  expect(signerFaults(sqlite)).toEqual([
    expect.stringMatching(/is not the one that event \d+ registered$/),
    expect.stringMatching(/ reason: the row says none, the events a key$/),
    expect.stringMatching(/is not the one that event \d+ registered$/),
  ]);
});

test("an event from before events told when does not speak of the time", () => {
  const sqlite = unlocked(walked());
  sqlite.exec("DROP TRIGGER i08_event_no_update");
  sqlite.exec(
    "UPDATE event SET payload = json_remove(payload, '$.registeredAt') WHERE type = 'SignerRegistered'; UPDATE signer SET registered_at = 1",
  );
  expect(signerFaults(sqlite)).toEqual([]);
});

test("fsck asks for it, and for the signatures of approvals", () => {
  const walk = walked();
  walk.to("content_approved");
  const failing = () => {
    walk.world.database.sqlite.pragma("wal_checkpoint(TRUNCATE)");
    return fsck(walk.world.dir).checks.flatMap(({ name, ok, detail }) => (ok ? [] : [`${name}: ${detail}`]));
  };
  expect(failing()).toEqual([]);
  const sqlite = unlocked(walk);
  sqlite.exec("UPDATE signer SET identity = 'mallory' WHERE position = 2; DROP TRIGGER approval_immutable");
  sqlite.exec("UPDATE approval SET signature = replace(signature, 'A', 'B')");
  const found = failing().join("\n");
  expect(found).toMatch(/^doubled: the signing key SHA256:\S+ is not the one/m);
  expect(found).toMatch(/^invariants: .*I02 approval \S+: its signature is not one of its words/m);
});

test("a journal from before there were keys keeps its approvals as they are, and takes a key that signs from then on", () => {
  const old = new Database(":memory:");
  migrate(
    old,
    undefined,
    MIGRATIONS.filter(({ number }) => number < 40),
  );
  const before = new SigningWalk(new World()).to("content_approved").view().approvals();
  const columns = old.pragma("table_info(approval)") as { name: string }[];
  expect(columns.map(({ name }) => name)).not.toContain("signed_by");
  const field = (column: string) => column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  old.pragma("foreign_keys = OFF");
  for (const approval of before) {
    const values = columns.map(({ name }) => (approval as unknown as Record<string, unknown>)[field(name)] ?? null);
    old.prepare(`INSERT INTO approval VALUES (${values.map(() => "?").join(", ")})`).run(...values);
  }
  expect(migrate(old)).toMatchObject({ kind: "migrated" });
  expect(old.prepare("SELECT statement, signature, signed_by AS signedBy FROM approval").all()).toEqual(
    before.map(({ statement }) => ({ statement, signature: null, signedBy: null })),
  );
  expect(signerFaults(old)).toEqual([]);
  const key = "INSERT INTO signer VALUES ('SHA256:x', 1, 'AAAB', 'lin', 0, 'editor:lin', 'first')";
  old.exec(key);
  expect(() => old.exec("INSERT INTO approval SELECT * FROM approval")).toThrow("I02, I04");
});
