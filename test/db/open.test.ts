import { chmodSync, copyFileSync, cpSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { connectInspector, connectWriter, pragmaFaults } from "../../db/connect";
import { type FileCalls, nodeFiles, PROBE_BYTES } from "../../db/folder";
import { detectEpochChange, openReader } from "../../db/open";
import { problemOf } from "../../db/problem";
import * as schema from "../../db/schema";
import { Bug } from "../../main/domain/ids";
import { Story, tellEdition } from "../domain/story";
import { asOrdinaryUser } from "../support/ordinary-user";
import { filesOf, freshDir, insertRows, insertSnapshot, open, problemOnOpen } from "./fixture";

/** A workspace with an edition in it, closed. */
function workspace(dir = freshDir()): { dir: string; path: string } {
  const journal = open(dir);
  insertSnapshot(journal.sqlite, tellEdition().story.snapshot());
  expect(journal.close()).toBeNull();
  return { dir, path: journal.path };
}

/** Copies the files as they lie there, as a crash would leave them. */
const crashCopy = (from: string): string => {
  const to = freshDir();
  for (const [name, bytes] of Object.entries(filesOf(from)))
    writeFileSync(join(to, name), Buffer.from(bytes, "latin1"));
  return to;
};

describe("opening", () => {
  test("a new workspace: private files, epoch 1, whose it is and when it began", () => {
    const dir = join(freshDir(), "deep", "down");
    const journal = open(dir);
    expect(journal).toMatchObject({ isNew: true, quickCheck: "passed", epochChange: null, workspaceId: "ws-1" });
    expect(journal.sqlite.prepare("SELECT * FROM journal_state").all()).toEqual([
      {
        id: 1,
        workspace_id: "ws-1",
        kind: "sandbox",
        epoch: 1,
        epoch_reconciled: 1,
        created_at: 1_753_000_000_000,
        suppression_version: 0,
      },
    ]);
    for (const name of ["journal.db", "journal.db-wal", "workspace.json"])
      expect(statSync(join(dir, name)).mode & 0o777, name).toBe(0o600);
  });

  test("again: what was committed is there, and its own id wins over the one given", () => {
    const { dir } = workspace();
    const journal = open(dir, { workspaceId: "another" });
    expect(journal).toMatchObject({ isNew: false, quickCheck: "passed", epochChange: null, workspaceId: "ws-1" });
    expect(journal.sqlite.prepare("SELECT count(*) FROM event").pluck().get()).toBeGreaterThan(20);
  });

  test("twice at the same time, as two instances of the program may", () => {
    const dir = freshDir();
    const first = open(dir);
    const second = open(dir);
    expect(second.isNew).toBe(false);
    first.sqlite.exec("UPDATE journal_state SET suppression_version = 1");
    expect(second.sqlite.prepare("SELECT suppression_version FROM journal_state").pluck().get()).toBe(1);
  });

  test("after a crash: the WAL is recovered, nothing that was committed is lost", () => {
    const dir = freshDir();
    const journal = open(dir);
    insertSnapshot(journal.sqlite, tellEdition().story.snapshot());
    journal.sqlite.exec("BEGIN; UPDATE journal_state SET suppression_version = 9");
    const crashed = crashCopy(dir);
    journal.sqlite.exec("ROLLBACK");
    expect(statSync(join(crashed, "journal.db-wal")).size).toBeGreaterThan(100_000);
    const recovered = open(crashed);
    expect(recovered.sqlite.prepare("SELECT count(*) FROM event").pluck().get()).toBe(
      journal.sqlite.prepare("SELECT count(*) FROM event").pluck().get(),
    );
    expect(recovered.sqlite.prepare("SELECT suppression_version FROM journal_state").pluck().get()).toBe(0);
  });

  test("a sandbox's journal is not opened as a real one", () => {
    const { dir } = workspace();
    expect(problemOnOpen(dir, { kind: "real" })).toMatchObject({
      code: "unknown",
      detail: expect.stringContaining("sandbox"),
    });
  });
});

describe("pragmas", () => {
  test("the writer waits for the disk, checks references, and lets no REPLACE pass by the triggers", () => {
    const { sqlite } = open(freshDir());
    const values = ["synchronous", "foreign_keys", "recursive_triggers", "trusted_schema", "cell_size_check"];
    expect(values.map((name) => sqlite.pragma(name, { simple: true }))).toEqual([2, 1, 1, 0, 1]);
    expect(sqlite.pragma("journal_mode", { simple: true })).toBe("wal");
    expect(sqlite.pragma("busy_timeout", { simple: true })).toBe(5_000);
    expect(pragmaFaults(sqlite)).toEqual([]);
  });

  test("reading back finds every one that is off, also the NORMAL that the driver sets silently", () => {
    const dir = freshDir();
    open(dir);
    const bare = new Database(join(dir, "journal.db"));
    expect(pragmaFaults(bare)).toContain("synchronous is 1, not 2");
    bare.pragma("foreign_keys = off");
    bare.pragma("journal_mode = wal");
    expect(pragmaFaults(bare)).toEqual([
      "synchronous is 1, not 2",
      "foreign_keys is 0, not 1",
      "recursive_triggers is 0, not 1",
      "trusted_schema is 1, not 0",
      "cell_size_check is 0, not 1",
    ]);
    bare.close();
    const memory = new Database(":memory:");
    expect(pragmaFaults(memory)).toContain("journal_mode is memory, not wal");
    memory.close();
  });

  test("only a simulation does not wait for the disk, and it says so", () => {
    const journal = open(freshDir(), { durability: "simulation" });
    expect(journal.durability).toBe("simulation");
    expect(journal.sqlite.pragma("synchronous", { simple: true })).toBe(0);
    expect(pragmaFaults(journal.sqlite)).toEqual(["synchronous is 0, not 2"]);
  });

  test("a reader sees commits at once and can write nothing", () => {
    const journal = open(freshDir());
    const reader = openReader(journal.path);
    expect(pragmaFaults(reader)).toEqual([]);
    journal.sqlite.exec("UPDATE journal_state SET suppression_version = 3");
    expect(reader.prepare("SELECT suppression_version FROM journal_state").pluck().get()).toBe(3);
    expect(() => reader.exec("UPDATE journal_state SET suppression_version = 4")).toThrow(/readonly/);
    reader.close();
    expect(() => openReader(join(freshDir(), "none.db"))).toThrow();
  });

  test("a reader of a file that is not in WAL is a bug", () => {
    const path = join(freshDir(), "x.db");
    new Database(path).exec("CREATE TABLE x (a)").close();
    expect(() => openReader(path)).toThrow(Bug);
  });
});

describe("problems: named, and nothing is changed", () => {
  /** Spoils a workspace, opens it and expects every byte to be as it was. */
  const spoiled = (spoil: (path: string) => void) => {
    const { dir, path } = workspace();
    spoil(path);
    const before = filesOf(dir);
    const problem = problemOnOpen(dir, { busyTimeoutMs: 50 });
    expect(filesOf(dir)).toEqual(before);
    return { ...problem, isJournal: problem.path === path };
  };
  const overwrite = (path: string, at: number, bytes: Buffer) => {
    const file = readFileSync(path);
    bytes.copy(file, at);
    writeFileSync(path, file);
  };

  test("not a database, cut short, or with pages overwritten: damaged", () => {
    const damaged = { code: "damaged", isJournal: true };
    expect(spoiled((path) => writeFileSync(path, "these are my holiday pictures"))).toMatchObject(damaged);
    expect(spoiled((path) => writeFileSync(path, readFileSync(path).subarray(0, 20_000)))).toMatchObject(damaged);
    expect(spoiled((path) => overwrite(path, 4096 * 5, Buffer.alloc(4096, 0x5a)))).toMatchObject(damaged);
    expect(spoiled((path) => overwrite(path, 100, Buffer.alloc(20, 0xff)))).toMatchObject(damaged);
  });

  test("gone, or emptied, although it had held something: never a fresh journal in its place", () => {
    expect(spoiled((path) => rmSync(path))).toMatchObject({
      code: "damaged",
      detail: expect.stringContaining("it held"),
    });
    expect(spoiled((path) => writeFileSync(path, ""))).toMatchObject({ code: "damaged" });
    const orphan = spoiled((path) => {
      rmSync(path);
      rmSync(join(dirname(path), "workspace.json"));
      writeFileSync(`${path}-wal`, Buffer.alloc(4096, 1));
    });
    expect(orphan).toMatchObject({ code: "damaged", detail: expect.stringContaining("WAL") });
  });

  test("an event rewritten behind the triggers' back: the chain is broken, and the detail names the event", () => {
    const rewritten = (sql: string) =>
      spoiled((path) => {
        const sqlite = new Database(path);
        sqlite.exec(`DROP TRIGGER i08_event_no_update; DROP TRIGGER i08_event_no_delete; ${sql}`);
        sqlite.close();
      });
    const changed = rewritten("UPDATE event SET reason = 'nothing happened' WHERE seq = 12");
    expect(changed).toMatchObject({ code: "chain_broken", isJournal: true });
    expect(JSON.parse(changed.detail).faults).toEqual([{ seq: 12, taskId: "t1", fault: "header_differs_from_row" }]);
    const cut = rewritten("DELETE FROM event WHERE seq > 12");
    expect(JSON.parse(cut.detail).faults).toEqual([{ seq: 12, taskId: "t1", fault: "task_head" }]);
  });

  test("held by another process: locked", () => {
    const { dir, path } = workspace();
    const holder = new Database(path);
    holder.pragma("locking_mode = exclusive");
    holder.exec("BEGIN IMMEDIATE; UPDATE journal_state SET suppression_version = 1; COMMIT");
    expect(problemOnOpen(dir, { busyTimeoutMs: 50 })).toMatchObject({ code: "locked", path });
    holder.close();
    expect(open(dir).isNew).toBe(false);
  });

  test("the disk is full at any call: nothing is left behind, no journal is made", () => {
    for (const call of ["mkdir", "create", "write", "sync"] as const) {
      for (const [errno, code] of [
        ["ENOSPC", "disk_full"],
        ["EDQUOT", "disk_full"],
        ["EROFS", "read_only"],
        ["EACCES", "not_writable"],
      ]) {
        const dir = freshDir();
        const fail = () => {
          throw Object.assign(new Error("in another language"), { code: errno });
        };
        const files: FileCalls = { ...nodeFiles, [call]: fail };
        expect(problemOnOpen(dir, { files }), `${call} ${errno}`).toMatchObject({ code, path: dir });
        expect(filesOf(dir), `${call} ${errno}`).toEqual({});
      }
    }
  });

  test("room for a part of a command is not enough, and the probe does not stay", () => {
    const { dir } = workspace();
    const before = filesOf(dir);
    let written = 0;
    const write: FileCalls["write"] = (fd, bytes, from) => {
      if (written > PROBE_BYTES / 2) throw Object.assign(new Error("full"), { code: "ENOSPC" });
      const count = nodeFiles.write(fd, bytes.subarray(from, from + 65_536), 0);
      written += count;
      return count;
    };
    expect(problemOnOpen(dir, { files: { ...nodeFiles, write } })).toMatchObject({ code: "disk_full" });
    expect(filesOf(dir)).toEqual(before);
  });

  test("the folder is a file", () => {
    const path = join(freshDir(), "a-file");
    writeFileSync(path, "x");
    expect(problemOnOpen(path)).toMatchObject({ code: "not_writable" });
  });

  test("a read-only file, a read-only folder", async () => {
    const { dir, path } = workspace();
    await asOrdinaryUser(dir, () => {
      chmodSync(path, 0o400);
      expect(problemOnOpen(dir)).toMatchObject({ code: "read_only", path });
      chmodSync(path, 0o600);
      chmodSync(dir, 0o500);
      expect(problemOnOpen(dir)).toMatchObject({ code: "not_writable", path: dir });
      chmodSync(dir, 0o700);
    });
  });

  test("its tables were in a WAL that is gone: never begun anew where it had held something", () => {
    const dir = freshDir();
    const journal = open(dir);
    insertSnapshot(journal.sqlite, tellEdition().story.snapshot());
    expect(journal.noteHead()).toBeNull();
    const crashed = crashCopy(dir);
    rmSync(join(crashed, "journal.db-wal"));
    expect(statSync(join(crashed, "journal.db")).size).toBeGreaterThan(0);
    const before = filesOf(crashed);
    expect(problemOnOpen(crashed)).toMatchObject({
      code: "damaged",
      detail: expect.stringContaining("its WAL is missing"),
    });
    expect(filesOf(crashed)).toEqual(before);
  });

  test("SQLite's own refusals get the same names, by code and never by text", () => {
    const dir = freshDir();
    const sqlite = connectWriter(join(dir, "full.db"));
    sqlite.exec("CREATE TABLE t (a); PRAGMA max_page_count = 3");
    const error = (run: () => unknown): unknown => {
      try {
        run();
      } catch (caught) {
        return caught;
      }
      return null;
    };
    const full = error(() => sqlite.prepare("INSERT INTO t VALUES (zeroblob(50000))").run());
    expect(problemOf(full, "p")).toMatchObject({ code: "disk_full", path: "p" });
    const reader = connectInspector(join(dir, "full.db"));
    expect(
      problemOf(
        error(() => reader.exec("DELETE FROM t")),
        "p",
      ).code,
    ).toBe("read_only");
    reader.close();
    sqlite.close();
    expect(problemOf(new Error("what is this"), "p")).toEqual({ code: "unknown", path: "p", detail: "what is this" });
    expect(() => problemOf(new Bug("ours"), "p")).toThrow(Bug);
  });
});

describe("a restored backup or a copy", () => {
  /** Lets a journal grow to so many events, as the program would, with a story of its own. */
  const grow = (dir: string, to: number, type = "SuppressionChanged"): void => {
    const story = new Story();
    while (story.data.events.length < to) story.event(null, type, { actor: "system" });
    const journal = open(dir);
    const have = Number(journal.sqlite.prepare("SELECT count(*) FROM event").pluck().get());
    insertRows(journal.sqlite, schema.event, story.data.events.slice(have));
    journal.close();
  };
  const change = (dir: string) => {
    const journal = open(dir);
    const { epochChange } = journal;
    journal.close();
    return epochChange;
  };

  test("nothing happened: nothing is found, at any number of starts", () => {
    const { dir } = workspace();
    expect([change(dir), change(dir), change(dir)]).toEqual([null, null, null]);
  });

  test("B7: the journal of 08:00 put back at 13:00, into the same file; found again until the epoch is raised", () => {
    const dir = freshDir();
    grow(dir, 3);
    const path = join(dir, "journal.db");
    const at8 = readFileSync(path);
    grow(dir, 9);
    writeFileSync(path, at8);
    // Closing must not make us forget it.
    expect([change(dir), change(dir)]).toEqual(["journal_behind", "journal_behind"]);
    const journal = open(dir);
    journal.sqlite.exec("UPDATE journal_state SET epoch = 2");
    expect(journal.noteHead()).toBeNull();
    journal.close();
    expect(change(dir)).toBeNull();
  });

  test("a running program notes its head by the tick, so that a backup put back after a crash is found as well", () => {
    const dir = freshDir();
    grow(dir, 3);
    const path = join(dir, "journal.db");
    const at8 = readFileSync(path);
    grow(dir, 4);
    const story = new Story();
    while (story.data.events.length < 6) story.event(null, "SuppressionChanged", { actor: "system" });
    const journal = open(dir);
    insertRows(journal.sqlite, schema.event, story.data.events.slice(4));
    expect(journal.noteHead()).toBeNull();
    const crashed = crashCopy(dir);
    for (const name of ["journal.db-wal", "journal.db"]) rmSync(join(crashed, name));
    writeFileSync(join(crashed, "journal.db"), at8);
    expect(change(crashed)).toBe("journal_behind");
  });

  test("a copy of the file in its place, a copied folder, a moved folder, the file alone in a new folder", () => {
    const { dir, path } = workspace();
    copyFileSync(path, `${path}.bak`);
    renameSync(`${path}.bak`, path);
    expect(change(dir)).toBe("file_replaced");

    const copied = freshDir();
    cpSync(workspace().dir, copied, { recursive: true });
    expect(change(copied)).toBe("file_replaced");

    const moved = join(freshDir(), "elsewhere");
    renameSync(workspace().dir, moved);
    expect(change(moved)).toBe("folder_moved");

    const alone = freshDir();
    copyFileSync(workspace().path, join(alone, "journal.db"));
    expect(change(alone)).toBe("note_missing");
  });

  test("another workspace's journal, and one that went another way since", () => {
    const { dir, path } = workspace();
    const other = freshDir();
    const stranger = open(other, { workspaceId: "ws-2" });
    insertSnapshot(stranger.sqlite, tellEdition().story.snapshot());
    stranger.close();
    writeFileSync(path, readFileSync(join(other, "journal.db")));
    expect(change(dir)).toBe("other_workspace");

    const [first, second] = [freshDir(), freshDir()];
    grow(first, 4);
    grow(second, 6, "EpochReconciled");
    writeFileSync(join(first, "journal.db"), readFileSync(join(second, "journal.db")));
    expect(change(first)).toBe("history_differs");
  });

  test("an epoch that fell back although the events did not", () => {
    const note = {
      format: 1 as const,
      workspaceId: "w",
      epoch: 2,
      headSeq: 5,
      headHash: "h",
      instance: "i",
      machine: "m",
      place: { path: "/p", inode: "1", device: "1" },
    };
    const observed = {
      workspaceId: "w",
      epoch: 2,
      headSeq: 5,
      hashAtNoted: "h",
      place: { ...note.place, device: "2" },
    };
    expect(detectEpochChange(note, observed)).toBeNull();
    expect(detectEpochChange(note, { ...observed, epoch: 1 })).toBe("journal_behind");
    expect(detectEpochChange(note, { ...observed, headSeq: 9 })).toBeNull();
    expect(detectEpochChange(null, observed)).toBe("note_missing");
    expect(detectEpochChange(null, { ...observed, headSeq: 0 })).toBeNull();
  });

  test("a note that cannot be read counts as not there", () => {
    const { dir } = workspace();
    writeFileSync(join(dir, "workspace.json"), "{ torn");
    expect(change(dir)).toBe("note_missing");
  });

  test("a workspace in which nothing happened yet may be copied freely", () => {
    const dir = freshDir();
    open(dir).close();
    const copied = freshDir();
    cpSync(dir, copied, { recursive: true });
    expect(change(copied)).toBeNull();
  });
});
