import crypto from "node:crypto";
import { type ChainFault, headerOf } from "../main/domain/chain";
import { canonicalJson, GENESIS } from "../main/domain/hashing";
import type { EventRow } from "../main/domain/records";
import type { Sqlite } from "./connect";

/**
 * Verifies both hash chains over the bytes as they are stored. The judgement is the one of `verifyEvent` in the domain, laid
 * out for speed: a page of rows at a time, the header's other form made by SQLite itself and only made again here where the
 * two differ or something is quoted, hex digests without buffers in between. A test holds both verifiers against each other, fault by fault.
 */

/** `task_head`: the task's row does not name its last event. A chain alone does not notice that its tail was cut. */
export interface FoundFault {
  seq: number;
  taskId: string | null;
  fault: ChainFault | "task_head";
}

export interface ChainReport {
  ok: boolean;
  /** How many events were looked at. */
  events: number;
  head: { seq: number; hash: string };
  /** How many faults there are; `faults` names the first ones by number. */
  faultCount: number;
  faults: readonly FoundFault[];
}

export interface ChainProgress {
  done: number;
  total: number;
}

/** Rows a page: enough that the statement's own cost vanishes, few enough that their texts are forgotten before they are old. */
const PAGE_ROWS = 500;
/** Progress is told after so many rows: several times a second. */
const TOLD_ROWS = 10_000;
/** Faults named in a report. The first one is what matters: everything after it follows from it. */
export const NAMED_FAULTS = 50;
/** Events verified at every start: about one edition's worth, some milliseconds. */
export const TAIL_EVENTS = 200;
/** Live tasks whose head is checked at a start; there are one or two, and a simulation's thousand must not slow it down. */
const LIVE_TASKS = 1_000;

const quoted = (column: string): string => `ifnull('"' || ${column} || '"', 'null')`;

/**
 * The header as the canonical rule would write it, made by SQLite, with every text between plain quotation marks: to look what
 * in it has to be quoted costs more than to hash it.
 */
const MADE_HEADER = `concat('{"actor":"', actor, '","at":', at, ',"evidenceRefs":', evidence_refs,
  ',"fencingToken":', ifnull(fencing_token, 'null'), ',"fromState":', ${quoted("from_state")},
  ',"operationId":', ${quoted("operation_id")}, ',"payloadHash":"', payload_hash, '","prevHash":"', prev_hash,
  '","reason":', ${quoted("reason")}, ',"seq":', seq, ',"taskId":', ${quoted("task_id")},
  ',"taskPrevHash":', ${quoted("task_prev_hash")}, ',"taskSeq":', ifnull(task_seq, 'null'),
  ',"toState":', ${quoted("to_state")}, ',"type":"', type, '","zone":"', zone, '"}')`;

type Row = [
  seq: number,
  taskId: string | null,
  taskSeq: number | null,
  payload: string | null,
  payloadHash: string,
  prevHash: string,
  taskPrevHash: string | null,
  header: string,
  hash: string,
  isSameHeader: 0 | 1,
];

const COLUMNS = `seq, task_id, task_seq, payload, payload_hash, prev_hash, task_prev_hash, header, hash,
  header IS ${MADE_HEADER}`;

const atOnce: typeof crypto.hash | undefined = crypto.hash;

/** Node's own call for one short text, where it has one: the runtime that stands in for Electron in development is older. */
const digest: (text: string) => string = atOnce
  ? (text) => atOnce("sha256", text, "hex")
  : (text) => crypto.createHash("sha256").update(text, "utf8").digest("hex");

/** Carries the heads of both chains from row to row and collects what is wrong. */
class ChainWalk {
  readonly faults: FoundFault[] = [];
  faultCount = 0;
  events = 0;
  readonly tasks = new Map<string, { hash: string; taskSeq: number }>();

  constructor(
    private readonly sqlite: Sqlite,
    public head: { seq: number; hash: string },
  ) {}

  add(seq: number, taskId: string | null, fault: FoundFault["fault"]): void {
    this.faultCount += 1;
    if (this.faults.length < NAMED_FAULTS) this.faults.push({ seq, taskId, fault });
  }

  step(row: Row): void {
    const [seq, taskId, taskSeq, payload, payloadHash, prevHash, taskPrevHash, header, hash, isSameHeader] = row;
    this.events += 1;
    if (digest(header) !== hash) this.add(seq, taskId, "header_hash");
    if (payload !== null && digest(payload) !== payloadHash) this.add(seq, taskId, "payload_hash");
    // Without a backslash nothing in it is quoted: each key stands there once, and what is between them are the columns.
    const isSure = isSameHeader === 1 && !header.includes("\\");
    if (!isSure && !this.isCanonical(seq, header)) this.add(seq, taskId, "header_differs_from_row");
    if (prevHash !== this.head.hash) this.add(seq, taskId, "prev_hash");
    if (seq !== this.head.seq + 1) this.add(seq, taskId, "seq_gap");
    if (taskId !== null) {
      const last = this.tasks.get(taskId) ?? this.firstOf(taskId);
      if (taskPrevHash !== last.hash) this.add(seq, taskId, "task_prev_hash");
      if (taskSeq !== last.taskSeq + 1) this.add(seq, taskId, "task_seq_gap");
      last.hash = hash;
      last.taskSeq = taskSeq ?? last.taskSeq + 1;
    }
    this.head.seq = seq;
    this.head.hash = hash;
  }

  private firstOf(taskId: string): { hash: string; taskSeq: number } {
    const last = { hash: GENESIS as string, taskSeq: 0 };
    this.tasks.set(taskId, last);
    return last;
  }

  /** Where a text has to be quoted, the canonical rule itself decides. */
  private isCanonical(seq: number, header: string): boolean {
    const row = this.sqlite
      .prepare<[number], Omit<EventRow, "evidenceRefs"> & { evidenceRefs: string }>(ROW_BY_SEQ)
      .get(seq);
    if (!row) return false;
    try {
      return canonicalJson(headerOf({ ...row, evidenceRefs: JSON.parse(row.evidenceRefs) })) === header;
    } catch (error) {
      // Evidence that is no JSON, or text that has no canonical form, was not written by us.
      if (error instanceof Error) return false;
      throw error;
    }
  }

  checkTaskHead(taskId: string, taskSeq: number, taskHead: string): void {
    const last = this.tasks.get(taskId) ?? { hash: GENESIS, taskSeq: 0 };
    if (last.taskSeq !== taskSeq || last.hash !== taskHead) this.add(this.head.seq, taskId, "task_head");
  }

  report(): ChainReport {
    return {
      ok: this.faultCount === 0,
      events: this.events,
      head: this.head,
      faultCount: this.faultCount,
      faults: this.faults,
    };
  }
}

const ROW_BY_SEQ = `SELECT seq, task_id AS taskId, task_seq AS taskSeq, type, from_state AS fromState, to_state AS toState, actor,
  fencing_token AS fencingToken, at, zone, reason, operation_id AS operationId, evidence_refs AS evidenceRefs,
  payload_hash AS payloadHash, prev_hash AS prevHash, task_prev_hash AS taskPrevHash FROM event WHERE seq = ?`;

/**
 * Verifies the whole journal, page by page, yielding progress. Run it on a read-only connection in a worker: it reads every
 * event. Everything is read in one transaction, so that commits made meanwhile do not look like a cut tail.
 */
export function* verifyChain(sqlite: Sqlite): Generator<ChainProgress, ChainReport> {
  sqlite.exec("BEGIN");
  try {
    const total = Number(sqlite.prepare("SELECT coalesce(max(seq), 0) FROM event").pluck().get());
    const page = sqlite
      .prepare<[number, number], Row>(`SELECT ${COLUMNS} FROM event WHERE seq > ? ORDER BY seq LIMIT ?`)
      .raw();
    const walk = new ChainWalk(sqlite, { seq: 0, hash: GENESIS });
    for (let from = Number.MIN_SAFE_INTEGER; ; ) {
      const rows = page.all(from, PAGE_ROWS);
      for (const row of rows) walk.step(row);
      const isLast = rows.length < PAGE_ROWS;
      if (isLast || walk.events % TOLD_ROWS === 0) yield { done: walk.events, total };
      if (isLast) break;
      from = walk.head.seq;
    }
    const heads = sqlite.prepare<[], [string, number, string]>("SELECT id, task_seq, task_head FROM task").raw();
    for (const [id, taskSeq, taskHead] of heads.iterate()) walk.checkTaskHead(id, taskSeq, taskHead);
    return walk.report();
  } finally {
    sqlite.exec("ROLLBACK");
  }
}

/** Verifies the whole journal in one go. */
export function verifyWholeChain(sqlite: Sqlite): ChainReport {
  const run = verifyChain(sqlite);
  for (;;) {
    const step = run.next();
    if (step.done) return step.value;
  }
}

/**
 * Verifies the newest events and the heads of the tasks they belong to and of every live task: the check of every start,
 * where a torn or cut tail would show.
 */
export function verifyTail(sqlite: Sqlite, count: number = TAIL_EVENTS): ChainReport {
  return sqlite.transaction(() => {
    const rows = sqlite
      .prepare<[number], Row>(`SELECT ${COLUMNS} FROM event ORDER BY seq DESC LIMIT ?`)
      .raw()
      .all(count)
      .reverse();
    const before = sqlite.prepare<[number], { seq: number; hash: string }>(
      "SELECT seq, hash FROM event WHERE seq < ? ORDER BY seq DESC LIMIT 1",
    );
    const walk = new ChainWalk(sqlite, before.get(rows[0]?.[0] ?? 0) ?? { seq: 0, hash: GENESIS });
    const taskBefore = sqlite.prepare<[string, number], { hash: string; taskSeq: number }>(
      "SELECT hash, task_seq AS taskSeq FROM event WHERE task_id = ? AND task_seq < ? ORDER BY task_seq DESC LIMIT 1",
    );
    for (const row of rows) {
      const [, taskId, taskSeq] = row;
      const known = taskId === null || walk.tasks.has(taskId) ? undefined : taskBefore.get(taskId, taskSeq ?? 0);
      if (taskId !== null && known) walk.tasks.set(taskId, known);
      walk.step(row);
    }
    checkHeads(sqlite, walk, taskBefore);
    return walk.report();
  })();
}

type TaskHead = [id: string, taskSeq: number, taskHead: string];

function checkHeads(
  sqlite: Sqlite,
  walk: ChainWalk,
  lastBefore: { get(taskId: string, taskSeq: number): { hash: string; taskSeq: number } | undefined },
): void {
  const one = sqlite.prepare<[string], TaskHead>("SELECT id, task_seq, task_head FROM task WHERE id = ?").raw();
  const seen = [...walk.tasks.keys()].map((id) => one.get(id)).filter((head) => head !== undefined);
  const live = sqlite
    .prepare<[number], TaskHead>(
      `SELECT id, task_seq, task_head FROM task WHERE state NOT IN ('succeeded', 'compensated', 'closed')
       ORDER BY created_at DESC LIMIT ?`,
    )
    .raw()
    .all(LIVE_TASKS);
  const heads = new Map([...live, ...seen].map((head) => [head[0], head]));
  for (const [id, taskSeq, taskHead] of heads.values()) {
    const last = walk.tasks.has(id) ? undefined : lastBefore.get(id, Number.MAX_SAFE_INTEGER);
    if (last) walk.tasks.set(id, last);
    walk.checkTaskHead(id, taskSeq, taskHead);
  }
}
