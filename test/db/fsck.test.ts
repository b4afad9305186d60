import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { backupDatabase } from "../../db/backup";
import { openBlobs } from "../../db/blobs";
import { openCustomers } from "../../db/customers";
import { type FsckReport, fsck } from "../../db/fsck";
import { listTaskKeys, loadJournal } from "../../db/load-journal";
import { openReader } from "../../db/open";
import * as schema from "../../db/schema";
import { sha256 } from "../../main/domain/hashing";
import type { JournalSnapshot } from "../../main/domain/invariants";
import { EDITOR, Story, tellEdition, tellPublish, tellStart } from "../domain/story";
import { filesOf, freshDir, insertRows, insertSnapshot, open } from "./fixture";

const key = new Uint8Array(32).fill(3);

/** A workspace after one edition: journal, frozen bytes, the mail as it was sent; everything closed. */
function workspace(snapshot: JournalSnapshot = tellEdition().story.snapshot()): string {
  const dir = freshDir();
  const journal = open(dir);
  insertSnapshot(journal.sqlite, snapshot);
  const blobs = openBlobs(dir);
  blobs.put(Buffer.from("audience list"));
  const page = blobs.put(Buffer.from("page"));
  insertRows(journal.sqlite, schema.artifact, [
    { taskId: "t1", hash: page, kind: "page", bytes: 4, mediaType: "text/html", at: 1, origin: null },
  ]);
  const customers = openCustomers({ dir, key });
  if (customers.kind === "problem") throw new Error(customers.problem.detail);
  for (const row of snapshot.operations) {
    const bytes = Buffer.from(`bytes of ${row.operationKey}`);
    if (row.kind === "publish") blobs.put(bytes);
    else customers.customers.putMailRequest(row.id, bytes);
  }
  customers.customers.close();
  journal.close();
  return dir;
}

const failing = (report: FsckReport) => report.checks.filter(({ ok }) => !ok).map(({ name }) => name);
const spoil = (dir: string, sql: string, name = "journal.db"): void => {
  const sqlite = new Database(join(dir, name));
  sqlite.exec(sql);
  sqlite.close();
};
const afterSql = (sql: string, name?: string): FsckReport => {
  const dir = workspace();
  spoil(dir, sql, name);
  return fsck(dir, { customersKey: key });
};
const FREE = "DROP TRIGGER i08_event_no_update; DROP TRIGGER i08_event_no_delete;";

describe("a sound workspace", () => {
  test("passes every check and says what was checked", () => {
    const dir = workspace();
    const progress: number[] = [];
    const report = fsck(dir, { customersKey: key, onProgress: ({ done }) => progress.push(done) });
    expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(report.checks.map(({ name }) => name)).toEqual([
      "file",
      "integrity",
      "schema",
      "doubled",
      "foreign_keys",
      "pragmas",
      "chain",
      "note",
      "invariants",
      "blobs",
      "requests",
    ]);
    const { events } = tellEdition().story.data;
    expect(report).toMatchObject({ ok: true, violations: [], events: events.length, epoch: 1 });
    expect(report.head).toEqual({ seq: events.length, hash: events.at(-1)?.hash });
    expect(progress).toEqual([events.length]);
    expect(report.checks.at(-1)?.detail).toBe("3 kept, mails opened");
    expect(fsck(dir).ok).toBe(true);
  });

  test("nothing is written: not in the folder, and nothing is left elsewhere", () => {
    const dir = workspace();
    const before = filesOf(dir);
    const times = statSync(join(dir, "journal.db")).mtimeMs;
    fsck(dir, { customersKey: key });
    expect(filesOf(dir)).toEqual(before);
    expect(existsSync(join(dir, "journal.db-shm"))).toBe(false);
    expect(statSync(join(dir, "journal.db")).mtimeMs).toBe(times);
  });

  test("while the program is running, what is only in the WAL counts as well", () => {
    const dir = freshDir();
    const journal = open(dir);
    insertSnapshot(journal.sqlite, tellStart().story.snapshot());
    expect(fsck(dir)).toMatchObject({ ok: true, events: 4 });
    expect(journal.sqlite.open).toBe(true);
  });

  test("a crash's leavings, a read-only copy and a backup can be checked", async () => {
    const dir = freshDir();
    const journal = open(dir);
    insertSnapshot(journal.sqlite, tellStart().story.snapshot());
    const crashed = freshDir();
    for (const name of ["journal.db", "journal.db-wal"]) copyFileSync(join(dir, name), join(crashed, name));
    chmodSync(join(crashed, "journal.db"), 0o400);
    chmodSync(crashed, 0o500);
    const before = filesOf(crashed);
    expect(fsck(crashed)).toMatchObject({ ok: true, events: 4 });
    expect(filesOf(crashed)).toEqual(before);
    chmodSync(crashed, 0o700);
    const kept = freshDir();
    await backupDatabase(journal.sqlite, join(kept, "journal.db"));
    expect(fsck(kept)).toMatchObject({ ok: true, events: 4 });
  });
});

describe("what is wrong is named by the check that sees it", () => {
  test("no file, no database, another version", () => {
    expect(failing(fsck(freshDir()))).toEqual(["file"]);
    const dir = workspace();
    writeFileSync(join(dir, "journal.db"), "pictures");
    expect(failing(fsck(dir))).toEqual(["file"]);
    expect(failing(afterSql("PRAGMA user_version = 9990"))).toEqual(["file"]);
  });

  test("damaged pages", () => {
    const dir = workspace();
    const path = join(dir, "journal.db");
    const bytes = readFileSync(path);
    bytes.fill(0x5a, 4096 * 6, 4096 * 7);
    writeFileSync(path, bytes);
    const report = fsck(dir);
    expect(report.ok).toBe(false);
    expect(failing(report)).toContain("integrity");
  });

  test("a reference to nothing", () => {
    const report = afterSql(
      "PRAGMA foreign_keys = off; UPDATE recipient_account SET task_id = 't9' WHERE recipient_id = 'r0'",
    );
    expect(failing(report)).toEqual(["foreign_keys", "invariants"]);
  });

  test("an event rewritten, an event forged, a tail cut off", () => {
    expect(failing(afterSql(`${FREE} UPDATE event SET reason = 'x' WHERE seq = 9`))).toEqual([
      "schema",
      "chain",
      "invariants",
    ]);
    expect(failing(afterSql(`${FREE} UPDATE event SET payload = '{}' WHERE seq = 9`))).toContain("chain");
    const cut = afterSql(`${FREE} DELETE FROM event WHERE seq > 20`);
    expect(failing(cut)).toEqual(["schema", "chain", "note", "invariants"]);
    expect(cut.checks.find(({ name }) => name === "note")?.detail).toMatch(/ends at 20, but had reached \d+/);
  });

  test("a task with all its traces cut off: only the note beside the journal knows", () => {
    const dir = freshDir();
    const journal = open(dir);
    const story = new Story();
    for (let at = 0; at < 6; at += 1) story.event(null, "SuppressionChanged", { actor: "system" });
    insertSnapshot(journal.sqlite, story.snapshot());
    journal.close();
    spoil(dir, `${FREE} DELETE FROM event WHERE seq > 4`);
    expect(failing(fsck(dir))).toEqual(["schema", "note"]);
  });

  test("a promise broken around the handler: every violation is listed, and a row that the events do not tell of", () => {
    const edition = tellStart();
    edition.story.send(tellPublish(edition));
    const broken = fsck(workspace(edition.story.snapshot()), { customersKey: key });
    expect(failing(broken)).toEqual(["invariants"]);
    expect(broken.violations.map(({ invariant }) => invariant)).toEqual(["I02"]);
    const row = afterSql("UPDATE task SET state_version = 3");
    expect(row.violations).toEqual([
      expect.objectContaining({ invariant: "I08", detail: expect.stringContaining("stateVersion") }),
    ]);
  });

  test("a large journal is judged key by key and comes to the same", () => {
    const story = new Story();
    tellEdition({}, story);
    const second = tellStart({ taskKey: "weekly:w31:zh" }, story);
    story.send(tellPublish(second));
    const dir = workspace(story.snapshot());
    const inParts = fsck(dir, { customersKey: key, wholeUpTo: 1 });
    expect(inParts.violations.map(({ invariant }) => invariant)).toEqual(["I02"]);
    expect(inParts).toEqual(fsck(dir, { customersKey: key }));
  });

  test("a constraint taken away or weakened, and an approval that is not what was agreed to", () => {
    expect(failing(afterSql("DROP TRIGGER i02_publish_needs_approval"))).toEqual(["schema"]);
    expect(failing(afterSql("DROP INDEX i03_one_open_create"))).toEqual(["schema"]);
    expect(
      failing(afterSql(`${FREE} DROP TRIGGER approval_immutable; UPDATE approval SET approver = 'editor:b'`)),
    ).toEqual(["schema", "doubled", "invariants"]);
  });

  test("frozen bytes changed or gone", () => {
    const changed = workspace();
    const page = sha256("page");
    const path = join(changed, "blobs", page.slice(0, 2), page.slice(2));
    writeFileSync(path, "another page");
    const report = fsck(changed, { customersKey: key });
    expect(failing(report)).toEqual(["blobs"]);
    expect(report.checks.find(({ name }) => name === "blobs")?.detail).toBe(`differs ${page}`);
    rmSync(path);
    expect(failing(fsck(changed, { customersKey: key }))).toEqual(["blobs"]);
  });

  test("the bytes of a request not kept, or a mail that is not what was sent", () => {
    const lost = workspace();
    rmSync(join(lost, "customers.db"));
    expect(failing(fsck(lost))).toEqual(["requests"]);
    const free = "DROP TRIGGER mail_request_immutable;";
    const noted = afterSql(`${free} UPDATE mail_request SET sha256 = '${sha256("x")}'`, "customers.db");
    // Opened with the key, the bytes themselves are what counts.
    expect(failing(noted)).toEqual([]);
    const sealed = afterSql(`${free} UPDATE mail_request SET sealed_bytes = zeroblob(40)`, "customers.db");
    expect(failing(sealed)).toEqual(["requests"]);
    const dir = workspace();
    spoil(dir, `${free} UPDATE mail_request SET sha256 = '${sha256("x")}'`, "customers.db");
    expect(failing(fsck(dir))).toEqual(["requests"]);
  });
});

describe("loading", () => {
  test("gives the rows back as they were told, whole or by task key", () => {
    const story = new Story();
    const first = tellEdition({}, story);
    story.event(null, "SuppressionChanged", { actor: "system" });
    story.createTask({ taskVersion: 2, supersedesTaskId: first.taskId, actor: EDITOR });
    tellEdition({ taskKey: "weekly:w31:zh" }, story);
    const dir = freshDir();
    const journal = open(dir);
    const told = story.snapshot();
    insertSnapshot(journal.sqlite, told);
    const reader = openReader(journal.path);
    const sorted = (snapshot: JournalSnapshot) =>
      Object.fromEntries(
        Object.entries(snapshot).map(([name, rows]) => [
          name,
          Array.isArray(rows) ? rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort() : rows,
        ]),
      );
    expect(sorted(loadJournal(reader))).toEqual(sorted({ ...told, registrations: [] }));
    expect(listTaskKeys(reader)).toEqual([["t1", "t2"], ["t3"]]);
    const part = loadJournal(reader, listTaskKeys(reader)[0]);
    expect(part.isWhole).toBe(false);
    expect(part.tasks.map(({ id }) => id)).toEqual(["t1", "t2"]);
    expect(part.events.every(({ taskId }) => taskId !== "t3" && taskId !== null)).toBe(true);
    expect(part.events.map(({ seq }) => seq)).toEqual([...part.events.map(({ seq }) => seq)].sort((a, b) => a - b));
    reader.close();
  });
});

test("killed in its first moment: the customers' file is there without its tables, and that is no damage", () => {
  const dir = freshDir();
  open(dir).close();
  writeFileSync(join(dir, "customers.db"), "");
  expect(fsck(dir).checks.filter((check) => !check.ok)).toEqual([]);
});
