import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FsckReport, fsck } from "../../db/fsck";
import { freshDir } from "../db/fixture";
import { finishedEdition } from "./finished-edition";

// Somebody drops the triggers, changes one row and puts them back as they were. The schema is as released, the chain is whole,
// and only what the events say of the row is left to tell.

let finished = "";
beforeAll(() => {
  finished = finishedEdition();
});
afterAll(() => rmSync(finished, { recursive: true, force: true }));

function tampered(sql: string): FsckReport {
  const dir = freshDir();
  cpSync(finished, dir, { recursive: true });
  const sqlite = new Database(join(dir, "journal.db"));
  const triggers = sqlite.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all() as {
    name: string;
    sql: string;
  }[];
  for (const { name } of triggers) sqlite.exec(`DROP TRIGGER "${name}"`);
  const before = sqlite.prepare("SELECT total_changes()").pluck().get();
  sqlite.exec(sql);
  const after = sqlite.prepare("SELECT total_changes()").pluck().get();
  for (const trigger of triggers) sqlite.exec(trigger.sql);
  sqlite.close();
  expect(after, "the row that was meant is there").not.toBe(before);
  return fsck(dir);
}

test("before anybody touched it every check passes", () => {
  const report = fsck(finished);
  expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(report.events).toBeGreaterThan(40);
});

const PUBLISH = "operation_id = (SELECT id FROM operation WHERE kind = 'publish')";
const HASH = `'${"a".repeat(64)}'`;
/** A row put in beside another that differs from it in this. */
const copied = (table: string, where: string, change: string): string =>
  `CREATE TEMP TABLE copy AS SELECT * FROM ${table} WHERE ${where}; UPDATE copy SET ${change};
   INSERT INTO ${table} SELECT * FROM copy`;

/** What was done · the promise that breaks · what is said: the row, and the events against it. */
const TAMPERINGS: readonly (readonly [title: string, sql: string, invariant: string, said: RegExp])[] = [
  [
    "another object",
    "UPDATE operation SET remote_id = '999' WHERE kind = 'publish'",
    "I08",
    /^remoteId: the row says 999, the events 18427$/,
  ],
  [
    "no object",
    "UPDATE operation SET remote_id = NULL WHERE phase = 'trigger'",
    "I08",
    /^remoteId: the row says nothing, the events 930$/,
  ],
  [
    "other bytes sent",
    `UPDATE operation SET request_bytes_hash = ${HASH} WHERE kind = 'publish'`,
    "I03",
    /^requestBytesHash: the row says a{64}, the events [0-9a-f]{64}$/,
  ],
  [
    "another place",
    "UPDATE operation SET slot = slot || ':x' WHERE kind = 'publish'",
    "I03",
    /^slot: the row says .*:x, the events publish:/,
  ],
  [
    "an attempt under another approval",
    `UPDATE attempt SET approval_id = (SELECT id FROM approval WHERE scope = 'send') WHERE ${PUBLISH}`,
    "I02",
    /^attempt 1 approvalId: the row says ap-\w+, the events ap-\w+$/,
  ],
  [
    "a mailing under no approval",
    "UPDATE attempt SET approval_id = NULL WHERE operation_id = (SELECT id FROM operation WHERE phase = 'trigger')",
    "I04",
    /^attempt 1 approvalId: the row says nothing, the events ap-\w+$/,
  ],
  ["an attempt gone", `DELETE FROM attempt WHERE ${PUBLISH}`, "I05", /^0 attempts, but 1 requests left$/],
  ["an attempt put in", copied("attempt", PUBLISH, "number = 2"), "I05", /^2 attempts, but 1 requests left$/],
  [
    "an attempt renumbered",
    `UPDATE attempt SET number = 2 WHERE ${PUBLISH}`,
    "I08",
    /^attempt 2 number: the row says 2, the events 1$/,
  ],
  [
    "an attempt of another actor",
    `UPDATE attempt SET actor = 'system' WHERE ${PUBLISH}`,
    "I08",
    /^attempt 1 actor: the row says system, the events executor:test$/,
  ],
  [
    "an attempt at another time",
    `UPDATE attempt SET started_at = 1 WHERE ${PUBLISH}`,
    "I08",
    /^attempt 1 startedAt: the row says 1, the events \d+$/,
  ],
  [
    "an answer that never came",
    `UPDATE attempt SET outcome = 'confirmed' WHERE ${PUBLISH}`,
    "I08",
    /^attempt 1 outcome: the row says confirmed, the events unknown$/,
  ],
  [
    "an answer's time",
    `UPDATE attempt SET ended_at = NULL WHERE ${PUBLISH}`,
    "I08",
    /^attempt 1 endedAt: the row says nothing, the events \d+$/,
  ],
  [
    "an answer's code",
    `UPDATE attempt SET raw_code = NULL WHERE ${PUBLISH}`,
    "I08",
    /^attempt 1 rawCode: the row says nothing, the events timeout$/,
  ],
  [
    "a receipt gone",
    "DELETE FROM reconciliation WHERE verdict = 'absent_yet'",
    "I08",
    /^a look has no receipt; the events say absent_yet at \d+ by executor:test/,
  ],
  [
    "a receipt twice",
    copied("reconciliation", "verdict = 'confirmed'", "id = id || 'x'"),
    "I08",
    /^receipt rc-\w+: the row says confirmed at .*, the events of no such look$/,
  ],
  [
    "a receipt's verdict",
    "UPDATE reconciliation SET verdict = 'not_found' WHERE verdict = 'absent_yet'",
    "I08",
    /^receipt rc-\w+: the row says not_found at .*, the events absent_yet at /,
  ],
  [
    "a receipt's objects",
    "UPDATE reconciliation SET objects = '[]' WHERE verdict = 'duplicate'",
    "I08",
    /^receipt .* 0 objects.* the events duplicate .* 2 objects/,
  ],
  [
    "a receipt's object",
    "UPDATE reconciliation SET chosen_remote_id = '999' WHERE verdict = 'confirmed'",
    "I08",
    /^receipt .* 999 chosen.* the events .* 18427 chosen/,
  ],
  [
    "a later deadline",
    "UPDATE task SET deadline_at = deadline_at + 1",
    "I08",
    /^deadlineAt: the row says \d+, the events \d+$/,
  ],
  ["another zone", "UPDATE task SET zone = 'UTC'", "I08", /^zone: the row says UTC, the events Asia\/Shanghai$/],
  [
    "another edition",
    "UPDATE task SET edition = '2026-W31'",
    "I08",
    /^edition: the row says 2026-W31, the events 2026-W30$/,
  ],
  ["another owner", "UPDATE task SET owner = 'nobody'", "I08", /^owner: the row says nobody, the events \w+$/],
  [
    "another deputy",
    "UPDATE task SET backup_owner = 'nobody'",
    "I08",
    /^backupOwner: the row says nobody, the events \w+$/,
  ],
  [
    "another creator",
    "UPDATE task SET created_by = 'system'",
    "I08",
    /^createdBy: the row says system, the events editor:lin$/,
  ],
  ["an older state", "UPDATE task SET state_since = 1", "I08", /^stateSince: the row says 1, the events \d+$/],
  [
    "a takeover forgotten or made up",
    "UPDATE task SET takeover_token = 1",
    "I05",
    /^takeoverToken: the row says 1, the events 0$/,
  ],
  [
    "an undo's grade",
    "UPDATE compensation SET grade = 'A' WHERE position = 1",
    "I07",
    /^cp-\w+ grade: the row says A, the events B$/,
  ],
  [
    "an undo's action",
    "UPDATE compensation SET action = 'nothing' WHERE position = 1",
    "I07",
    /^cp-\w+ action: the row says nothing, the events \w+$/,
  ],
  [
    "an audience's count",
    "UPDATE audience_snapshot SET count = 3, excluded = 2",
    "I06",
    /^audience au-\w+ count: the row says 3, the events 4$/,
  ],
  [
    "an audience's list",
    `UPDATE audience_snapshot SET artifact_hash = ${HASH}`,
    "I06",
    /^audience au-\w+ artifactHash: the row says a{64}, the events [0-9a-f]{64}$/,
  ],
  [
    "an audience gone",
    "DELETE FROM audience_snapshot",
    "I06",
    /^the events tell of audience [0-9a-f]{64}, no row does$/,
  ],
  [
    "a bounce made a delivery",
    "UPDATE recipient_account SET outcome = 'delivered' WHERE recipient_id = 'R1'",
    "I06",
    /^recipients bounced: the row says 0, the events 1$/,
  ],
  [
    "a recipient gone",
    "DELETE FROM recipient_account WHERE recipient_id = 'R2'",
    "I06",
    /^recipients delivered: the row says 2, the events 3$/,
  ],
  [
    "an approval's content",
    `UPDATE approval SET package_hash = ${HASH} WHERE scope = 'publish'`,
    "I02",
    /^approval ap-\w+ packageHash: the row says a{64}, the events [0-9a-f]{64}$/,
  ],
  [
    "an approval of somebody else",
    "UPDATE approval SET approver = 'editor:b' WHERE scope = 'send'",
    "I04",
    /^approval ap-\w+ approver: the row says editor:b, the events editor:lin$/,
  ],
  [
    "an approval revoked by nobody",
    "UPDATE approval SET revoked_at = 1, revoked_by = 'editor:lin' WHERE scope = 'send'",
    "I04",
    /^approval ap-\w+ is revoked: the row says true, the events false$/,
  ],
  [
    "an approval that nobody gave",
    copied("approval", "scope = 'publish'", "id = 'ap-x'"),
    "I02",
    /^approval ap-x: the events tell of none$/,
  ],
  [
    "a draft's kind",
    "UPDATE artifact SET kind = 'page' WHERE kind = 'draft'",
    "I08",
    /^event \d+ tells of artifact draft [0-9a-f]{64}, no row does$/,
  ],
  [
    "a page's hash",
    `UPDATE artifact SET hash = ${HASH} WHERE kind = 'page'`,
    "I08",
    /^event \d+ tells of artifact page [0-9a-f]{64}, no row does$/,
  ],
  [
    "the capture gone",
    "DELETE FROM artifact WHERE kind = 'page-capture'",
    "I08",
    /^event \d+ tells of artifact page-capture [0-9a-f]{64}, no row does$/,
  ],
  [
    "a source's size",
    "UPDATE artifact SET bytes = bytes + 1 WHERE kind = 'source-snapshot'",
    "I08",
    /^source [0-9a-f]{64} bytes: the row says \d+, the events \d+$/,
  ],
  [
    "a closed incident opened",
    "UPDATE incident SET closed_at = NULL WHERE rule = 'duplicate_remote'",
    "I08",
    /^closedAt: the row says nothing, the events \d+$/,
  ],
  [
    "an incident gone",
    "DELETE FROM incident WHERE rule = 'duplicate_remote'",
    "I08",
    /^event \d+ saw two objects in publish:.*, no row of an incident says so$/,
  ],
  [
    "an incident that nothing opened",
    copied("incident", "rule = 'duplicate_remote'", "id = id || 'x', opened_at = opened_at + 1, closed_at = NULL"),
    "I08",
    /^incident in-\w+x: the row says two objects, the events of none$/,
  ],
  [
    "the epoch's incident gone",
    "DELETE FROM incident WHERE rule = 'journal_epoch'",
    "I08",
    /^event \d+ raised it, no row of an incident says so$/,
  ],
  [
    "a recovery item closed by hand",
    "UPDATE recovery_item SET stage = 'closed', method = 'x', verification = 'y'",
    "I08",
    /^recovery item ri-\w+ stage: the row says closed, the events recovering$/,
  ],
  [
    "a recovery item's minutes",
    "UPDATE recovery_item SET minutes = 70",
    "I08",
    /^recovery item ri-\w+ minutes: the row says 70, the events 7$/,
  ],
  [
    "a recovery item gone",
    "DELETE FROM recovery_item",
    "I08",
    /^the events tell of recovery item ri-\w+, no row does$/,
  ],
  [
    "a lower epoch",
    "UPDATE journal_state SET epoch = 1, epoch_reconciled = 1",
    "I08",
    /^epoch: the row says 1, the events 2$/,
  ],
  ["a higher epoch", "UPDATE journal_state SET epoch = 3", "I08", /^epoch: the row says 3, the events 2$/],
  [
    "an epoch not reconciled",
    "UPDATE journal_state SET epoch_reconciled = 1",
    "I08",
    /^epochReconciled: the row says 1, the events 2$/,
  ],
  [
    "the number of the list",
    "UPDATE journal_state SET suppression_version = 0",
    "I08",
    /^suppressionVersion: the row says 0, the events 1$/,
  ],
  [
    "an unsubscribing forgotten",
    "DELETE FROM suppression",
    "I08",
    /^event \d+ took the recipient off every list, no row does$/,
  ],
  [
    "an unsubscribing made up",
    "INSERT INTO suppression SELECT 'R1', version, reason, at FROM suppression",
    "I08",
    /^the row says unsubscribed, the events do not$/,
  ],
];

test.each(TAMPERINGS)("%s", (_title, sql, invariant, said) => {
  const report = tampered(sql);
  const failing = report.checks.filter(({ ok }) => !ok).map(({ name }) => name);
  expect(failing).toContain("invariants");
  // Nothing but the rows gives it away.
  expect(failing).not.toContain("schema");
  expect(failing).not.toContain("chain");
  expect(report.violations).toContainEqual(expect.objectContaining({ invariant, detail: expect.stringMatching(said) }));
});

test("the size of any frozen artifact is held against its bytes", () => {
  const { checks, violations } = tampered("UPDATE artifact SET bytes = bytes + 1 WHERE kind = 'page'");
  expect(violations).toEqual([]);
  expect(checks.filter(({ ok }) => !ok)).toEqual([
    expect.objectContaining({
      name: "blobs",
      detail: expect.stringMatching(/^[0-9a-f]{64} has \d+ bytes, its row says \d+$/),
    }),
  ]);
});
