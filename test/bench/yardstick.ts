import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";

/**
 * J: what a durable step costs on bare better-sqlite3. WAL and FULL, BEGIN IMMEDIATE, one select by key, one conditional
 * update with version, one hash-chained event of about 600 bytes, one operation row, COMMIT. No triggers, no checks, no index
 * beyond the keys: the ceiling that the journal is held against.
 */
export interface Yardstick {
  /** One such transaction. */
  step(): void;
  close(): void;
}

const TASKS = 100;
const EVENT_BYTES = 600;

export function openYardstick(synchronous: 0 | 2 = 2): Yardstick {
  const dir = mkdtempSync(join(tmpdir(), "imprimatur-j-"));
  const sqlite = new Database(join(dir, "j.db"));
  sqlite.pragma("journal_mode = wal");
  // better-sqlite3 opens a WAL database at NORMAL.
  sqlite.pragma(`synchronous = ${synchronous}`);
  sqlite.exec(`
    CREATE TABLE task (id TEXT PRIMARY KEY, version INTEGER NOT NULL, state TEXT NOT NULL) STRICT;
    CREATE TABLE event (seq INTEGER PRIMARY KEY, hash TEXT NOT NULL, body TEXT NOT NULL) STRICT;
    CREATE TABLE operation (id TEXT PRIMARY KEY, task_id TEXT NOT NULL, state TEXT NOT NULL) STRICT;
  `);
  const newTask = sqlite.prepare("INSERT INTO task VALUES (?, 0, 'created')");
  sqlite.transaction(() => {
    for (let number = 0; number < TASKS; number += 1) newTask.run(`t-${number}`);
  })();
  const select = sqlite.prepare<[string], { version: number }>("SELECT * FROM task WHERE id = ?");
  const update = sqlite.prepare("UPDATE task SET version = ?, state = ? WHERE id = ? AND version = ?");
  const append = sqlite.prepare("INSERT INTO event VALUES (?, ?, ?)");
  const operate = sqlite.prepare("INSERT INTO operation VALUES (?, ?, ?)");
  const filler = "x".repeat(EVENT_BYTES - 200);
  let seq = 0;
  let head = "0".repeat(64);
  const transaction = sqlite.transaction(() => {
    seq += 1;
    const id = `t-${seq % TASKS}`;
    const version = select.get(id)?.version ?? 0;
    const { changes } = update.run(version + 1, "publishing", id, version);
    if (changes !== 1) throw new Error("the yardstick's conditional update did not land");
    const body = JSON.stringify({
      seq,
      task: id,
      type: "RequestSent",
      at: 1_753_000_000_000 + seq,
      prev: head,
      filler,
    });
    head = createHash("sha256").update(body).digest("hex");
    append.run(seq, head, body);
    operate.run(`op-${seq}`, id, "request_sent");
  });
  return {
    step: () => void transaction.immediate(),
    close: () => {
      sqlite.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
