import { join } from "node:path";
import type { TaskId } from "../main/domain/ids";
import { checkInvariants, checkJournalRows, sortViolations, type Violation } from "../main/domain/invariants";
import { pragmaFaults, type Sqlite } from "./connect";
import { checkBlobs, checkRequests } from "./fsck-contents";
import { integrityDamage, problemOfRefusal } from "./inspect";
import { listTaskKeys, loadJournal } from "./load-journal";
import { loadJournalRows, loadKeptRows } from "./load-kept-rows";
import { JOURNAL_APPLICATION_ID, MIGRATIONS, readStamp, refusalOf } from "./migrate";
import { JOURNAL_NAME } from "./open";
import { problemOf } from "./problem";
import { openSnapshot } from "./snapshot-file";
import { type ChainProgress, verifyChain } from "./verify-chain";
import { doubledFaults, schemaFaults } from "./verify-schema";
import { signerFaults } from "./verify-signers";
import { readNote } from "./workspace-note";

/** Each check by name, in the order in which they run. One that could not run has failed. */
export type FsckCheck =
  | "file"
  | "integrity"
  | "schema"
  | "doubled"
  | "foreign_keys"
  | "pragmas"
  | "chain"
  | "note"
  | "invariants"
  | "blobs"
  | "requests";

export interface FsckReport {
  ok: boolean;
  checks: readonly { name: FsckCheck; ok: boolean; detail: string }[];
  violations: readonly Violation[];
  events: number;
  head: { seq: number; hash: string };
  epoch: number;
}

export interface FsckOptions {
  /** With the customers' key the kept mails are opened and hashed; without it only their noted hashes are compared. */
  customersKey?: Uint8Array;
  onProgress?: (progress: ChainProgress) => void;
  /** Neither frozen bytes nor requests are read. */
  withoutBytes?: true;
  /** Up to this many events the journal is judged in one piece; a larger one by task keys, so that memory stays flat. */
  wholeUpTo?: number;
}

/** Some hundred editions: about 100 MB of rows in memory. */
const WHOLE_EVENTS = 50_000;
const KEYS_AT_ONCE = 200;
/** What went wrong is named this often; the count says the rest. */
const NAMED = 5;

/**
 * Checks a workspace from the file's pages up to the eight promises: structure, references, both chains over the stored bytes,
 * replay of every task against its rows, the invariants, every frozen byte that is referred to. Writes nothing, and works on a
 * read-only copy as well. Slow by nature: run it in a worker or from the command line.
 */
export function fsck(dir: string, options: FsckOptions = {}): FsckReport {
  const run = new FsckRun();
  const path = join(dir, JOURNAL_NAME);
  try {
    const file = openSnapshot(path);
    try {
      checkAll(run, file.sqlite, dir, options);
    } finally {
      file.close();
    }
  } catch (error) {
    const problem = problemOf(error, path);
    run.add("file", false, `${problem.code}: ${problem.detail}`);
  }
  return run.report();
}

/** Collects results; a check that throws has failed, and the next ones still run. */
class FsckRun {
  private readonly checks: { name: FsckCheck; ok: boolean; detail: string }[] = [];
  violations: readonly Violation[] = [];
  head = { seq: 0, hash: "" };
  events = 0;
  epoch = 0;

  add(name: FsckCheck, ok: boolean, detail: string): void {
    this.checks.push({ name, ok, detail });
  }

  /** @param check returns what is wrong, as many entries as there are faults, and what to say when there is none. */
  try(name: FsckCheck, check: () => { faults: readonly string[]; fine: string }): void {
    try {
      const { faults, fine } = check();
      const more = faults.length > NAMED ? `; and ${faults.length - NAMED} more` : "";
      this.add(name, faults.length === 0, faults.length === 0 ? fine : `${faults.slice(0, NAMED).join("; ")}${more}`);
    } catch (error) {
      const { code, detail } = problemOf(error, "");
      this.add(name, false, `could not be checked: ${code}: ${detail}`);
    }
  }

  report(): FsckReport {
    const { checks, violations, events, head, epoch } = this;
    return { ok: checks.every((check) => check.ok), checks, violations, events, head, epoch };
  }
}

function checkAll(run: FsckRun, sqlite: Sqlite, dir: string, options: FsckOptions): void {
  const stamp = readStamp(sqlite);
  const refusal = refusalOf(stamp, JOURNAL_APPLICATION_ID, MIGRATIONS);
  const newest = MIGRATIONS[MIGRATIONS.length - 1]?.number;
  if (refusal) return run.add("file", false, problemOfRefusal(refusal, dir).detail);
  if (stamp.userVersion !== newest)
    return run.add("file", false, `version ${stamp.userVersion}: open it once with this program first`);
  run.add("file", true, `version ${stamp.userVersion}`);
  run.try("integrity", () => ({ faults: integrityDamage(sqlite), fine: "ok" }));
  run.try("schema", () => ({ faults: schemaFaults(sqlite), fine: "every table, index and trigger as released" }));
  run.try("doubled", () => ({
    faults: [...doubledFaults(sqlite), ...signerFaults(sqlite)],
    fine: "approvals and definitions agree with their hashes, signing keys with their events",
  }));
  run.try("foreign_keys", () => ({ faults: danglingRows(sqlite), fine: "ok" }));
  run.try("pragmas", () => ({
    // A backup is kept out of WAL on purpose; the next start puts it back.
    faults: pragmaFaults(sqlite).filter((fault) => !fault.startsWith("journal_mode")),
    fine: "ok",
  }));
  run.try("chain", () => checkChain(run, sqlite, options));
  run.try("note", () => checkNote(run, sqlite, dir));
  run.try("invariants", () => {
    run.violations = judge(sqlite, run.events <= (options.wholeUpTo ?? WHOLE_EVENTS));
    const faults = run.violations.map(({ invariant, subject, detail }) => `${invariant} ${subject}: ${detail}`);
    return { faults, fine: "I01 to I08 hold" };
  });
  if (options.withoutBytes) return;
  run.try("blobs", () => checkBlobs(sqlite, dir));
  run.try("requests", () => checkRequests(sqlite, dir, options.customersKey));
}

function danglingRows(sqlite: Sqlite): string[] {
  return sqlite
    .prepare<[], { table: string; rowid: number | null; parent: string }>("PRAGMA foreign_key_check")
    .all()
    .map(({ table, rowid, parent }) => `${table} ${rowid ?? "row"} names no ${parent}`);
}

function checkChain(run: FsckRun, sqlite: Sqlite, options: FsckOptions): { faults: string[]; fine: string } {
  const walk = verifyChain(sqlite);
  for (;;) {
    const step = walk.next();
    if (!step.done) {
      options.onProgress?.(step.value);
      continue;
    }
    const { events, head, faults, faultCount } = step.value;
    run.events = events;
    run.head = head;
    const named = faults.map(({ seq, taskId, fault }) => `event ${seq}${taskId ? ` of ${taskId}` : ""}: ${fault}`);
    if (faultCount > named.length) named.push(`${faultCount - named.length} faults more`);
    return { faults: named, fine: `${events} events, head ${head.hash.slice(0, 12)}` };
  }
}

/** The chain cannot tell that its tail was cut off, together with the tasks it was about. The note beside it can. */
function checkNote(run: FsckRun, sqlite: Sqlite, dir: string): { faults: string[]; fine: string } {
  run.epoch = sqlite.prepare<[], number>("SELECT epoch FROM journal_state").pluck().get() ?? 0;
  const note = readNote(dir);
  if (note === null) return { faults: [], fine: "there is none" };
  if (note.headSeq > run.head.seq)
    return { faults: [`the journal ends at ${run.head.seq}, but had reached ${note.headSeq}`], fine: "" };
  if (note.epoch > run.epoch) return { faults: [`the epoch is ${run.epoch}, but had been ${note.epoch}`], fine: "" };
  const hash = sqlite.prepare<[number], string>("SELECT hash FROM event WHERE seq = ?").pluck().get(note.headSeq);
  if (note.headSeq > 0 && hash !== note.headHash)
    return { faults: [`event ${note.headSeq} is another one than it was`], fine: "" };
  return { faults: [], fine: `reached ${note.headSeq}` };
}

function judge(sqlite: Sqlite, isSmall: boolean): Violation[] {
  const found = checkJournalRows(loadJournalRows(sqlite));
  if (isSmall) found.push(...checkInvariants(loadJournal(sqlite), loadKeptRows(sqlite)));
  else
    for (const ids of inParts(listTaskKeys(sqlite)))
      found.push(...checkInvariants(loadJournal(sqlite, ids), loadKeptRows(sqlite, ids)));
  return sortViolations(found);
}

function* inParts(keys: readonly TaskId[][]): Generator<TaskId[]> {
  for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) yield keys.slice(from, from + KEYS_AT_ONCE).flat();
}
