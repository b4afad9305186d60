import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, describe, expect, test } from "vitest";
import { openReader } from "../../db/connect";
import { fsck } from "../../db/fsck";
import { type LedgerSelection, readLedgerOrder, readLedgerRows } from "../../db/queries/ledger";
import { readMetricSamples } from "../../db/queries/metrics";
import { openQueries } from "../../db/queries/open-queries";
import { METRIC_WINDOW_MS, type MetricId, metricOf } from "../../main/domain/metrics";
import { ledger } from "../../main/headless/ledger";
import { runLedger } from "../../main/headless/ledger-run";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";
import { DEFAULT_MIX } from "../../main/sandbox/ledger/default-mix";
import { type MixInput, parseMix } from "../../main/sandbox/ledger/mix";
import { listen } from "../support/listener";

const SAMPLES = join(import.meta.dirname, "../../main/sandbox/samples");
/** Thirty editions on real servers and a real journal, on a machine that does other things as well. */
const LIMIT_MS = 240_000;
const MINUTE_MS = 60_000;

const base = mkdtempSync(join(tmpdir(), "ledger-run-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const nobody = new AbortController().signal;

function run(name: string, input: MixInput, signal = nobody, onWeek: (done: number) => void = () => undefined) {
  const parsed = parseMix(input);
  if (!("mix" in parsed)) throw new Error(parsed.faults.join("; "));
  const dir = join(base, name);
  return { dir, counted: runLedger({ dir, samplesDir: SAMPLES, mix: parsed.mix, onWeek, signal }) };
}

function rows<T>(dir: string, sql: string): T[] {
  const database = new Database(join(dir, "journal.db"), { readonly: true });
  try {
    return database.prepare<[], T>(sql).all();
  } finally {
    database.close();
  }
}

/**
 * The metrics of all weeks of a workspace. Thirty weeks are more than the metrics look back at: they are asked window by window,
 * and put together as if they were of one moment.
 */
function metricsOf(dir: string) {
  const reader = openReader(join(dir, "journal.db"));
  try {
    const queries = openQueries(reader, () => briefingDefinition);
    const { first, last } = queries.get<{ first: number; last: number }>(
      "SELECT min(at) AS first, max(at) AS last FROM event",
    ) as { first: number; last: number };
    const windows: number[] = [];
    for (let now = last; now >= first; now -= METRIC_WINDOW_MS) windows.push(now);
    const samples = windows.map((now) => readMetricSamples(queries, now));
    return (id: Exclude<MetricId, "recurrence">) => {
      const ofWindow = (now: number, index: number) => (samples[index]?.[id] ?? []).filter(({ at }) => at <= now);
      const together = windows.flatMap(ofWindow).map((one) => ({ ...one, at: last }));
      return metricOf(id, together, 90, last);
    };
  } finally {
    reader.close();
  }
}

/** The ledger's screen on a workspace: the editions that a choice leaves, and their columns. */
function screenOf(dir: string) {
  const reader = openReader(join(dir, "journal.db"));
  try {
    const queries = openQueries(reader, () => briefingDefinition);
    const ask = (choice: Partial<LedgerSelection>) => {
      const selection = { outcomes: [], marks: [], from: null, before: null, text: "", ...choice };
      const order = readLedgerOrder(queries, selection, { by: "edition", descending: false });
      return readLedgerRows(queries, order);
    };
    return { all: ask({}), recovered: ask({ marks: ["recovered"] }), w24: ask({ text: "w24" }) };
  } finally {
    reader.close();
  }
}

/** What the remotes wrote down themselves. */
const recordsOf = (dir: string): { type: string }[] =>
  readFileSync(join(dir, "remote/records.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

test(
  "the reference mix comes to the reference ledger, and leaves a workspace in order",
  async () => {
    const weeks: number[] = [];
    const { dir, counted } = run("reference", DEFAULT_MIX, nobody, (done) => weeks.push(done));
    expect(await counted).toEqual({
      editions: 30,
      plannedReads: 360,
      transient: 19,
      dns: 6,
      timeouts: 8,
      rateLimits: 5,
      recoveredReads: 18,
      structuralRepairs: 6,
      factFailures: 3,
      succeeded: 28,
      blocked: 1,
      compensated: 1,
      clean: 24,
      recovered: 4,
      unknownPublish: 3,
      unknownSend: 2,
      duplicates: 0,
      unapprovedPublishes: 0,
      humanMinutes: { contentMedian: 7, sendMedian: 3, reconcileMax: 11 },
    });
    expect(weeks).toEqual(Array.from({ length: 31 }, (_, done) => done));
    expect(fsck(dir)).toMatchObject({ ok: true, violations: [] });
    const stopped = rows(
      dir,
      "SELECT edition, task_version AS v, state FROM task WHERE state <> 'succeeded' ORDER BY 1, 2",
    );
    expect(stopped).toEqual([
      { edition: "2026-W20", v: 1, state: "blocked" },
      { edition: "2026-W24", v: 1, state: "compensated" },
      { edition: "2026-W24", v: 2, state: "closed" },
    ]);
    const signed = rows<{ by: string | null }>(dir, "SELECT DISTINCT signed_by AS by FROM approval");
    expect(signed).toEqual([{ by: expect.stringMatching(/^SHA256:/) }]);
    const metric = metricsOf(dir);
    // Where both say the same thing they agree: 5 answers lost and known again, 29 and 28 approvals, and of the 6 editions that
    // needed recovery the 4 that succeeded and the one that was compensated.
    expect(metric("unknown_duration")).toMatchObject({ numerator: 5, denominator: 5 });
    expect(metric("approval_wait_content")).toMatchObject({ denominator: 29, value: 7 * MINUTE_MS });
    expect(metric("approval_wait_send")).toMatchObject({ denominator: 28, value: 3 * MINUTE_MS });
    expect(metric("recovery_success")).toMatchObject({ numerator: 4 + 1, denominator: 4 + 1 + 1 });
    expect(metric("duplicate_rate")).toMatchObject({ numerator: 0, value: 0 });
    expect(metric("retry_tasks")).toMatchObject({ denominator: 31 });
    // The longest was unknown for 11 minutes, and 30 s more since its request left.
    expect(Math.round((metric("mttr").longestMs ?? 0) / MINUTE_MS)).toBe(11);
    expect(metric("unknown_duration").longestMs).toBe((metric("mttr").longestMs ?? 0) + 30_000);
    // Its screen counts the same: 5 answers lost, 4 editions that succeeded all the same, and of what was recovered the 18 reads,
    // the 5 answers and the blocks that were left.
    const { all, recovered, w24 } = screenOf(dir);
    const total = (column: "unknowns" | "compensations" | "duplicates") =>
      all.reduce((sum, row) => sum + row[column], 0);
    expect([all.length, recovered.length, total("unknowns"), total("compensations"), total("duplicates")]).toEqual([
      ...[31, 4, 5, 1, 0],
    ]);
    expect(w24.map(({ version, state }) => `${version} ${state}`)).toEqual(["1 compensated", "2 closed"]);
    const count = (type: string) => recordsOf(dir).filter((record) => record.type === type).length;
    // Nothing of the blocked edition was published, and nothing of the one that was taken back was mailed.
    expect([count("post-created"), count("campaign-created"), count("campaign-triggered")]).toEqual([29, 28, 28]);
    expect(readdirSync(base).filter((name) => name.includes(".building-"))).toEqual([]);
  },
  LIMIT_MS,
);

test(
  "another mix comes to other figures, the same ones every time",
  async () => {
    const mix: MixInput = {
      editions: 4,
      sources: [
        { week: 1, source: "cahiers", error: "rate_limit", times: 3 },
        { week: 2, source: "orbit-changelog", error: "dns", times: 3 },
      ],
      repairs: [3],
      inventedQuotes: [4],
      lostAnswers: [
        { week: 3, of: "send", refusedMinutes: 5 },
        { week: 4, of: "publish" },
      ],
      compensations: [4],
      minutes: { content: [4], send: [9] },
    };
    const first = await run("other", mix).counted;
    expect(first).toEqual({
      ...{ editions: 4, plannedReads: 48, transient: 2, dns: 1, timeouts: 0, rateLimits: 1, recoveredReads: 0 },
      ...{ structuralRepairs: 1, factFailures: 1, succeeded: 2, blocked: 1, compensated: 1, clean: 1, recovered: 1 },
      ...{ unknownPublish: 1, unknownSend: 1, duplicates: 0, unapprovedPublishes: 0 },
      humanMinutes: { contentMedian: 4, sendMedian: 9, reconcileMax: 5 },
    });
    expect(await run("again", mix).counted).toEqual(first);
  },
  LIMIT_MS,
);

describe("the workspace's folder", () => {
  test("one that is not empty is refused, and left as it is", async () => {
    const dir = join(base, "full");
    mkdirSync(dir);
    writeFileSync(join(dir, "mine.txt"), "mine");
    await expect(run("full", { editions: 1 }).counted).rejects.toThrow(/full is not empty: name a folder/);
    expect(readdirSync(dir)).toEqual(["mine.txt"]);
  });

  test(
    "interrupted, nothing is left behind",
    async () => {
      const interrupted = new AbortController();
      const stop = (done: number) => (done === 1 ? interrupted.abort(new Error("enough")) : undefined);
      await expect(run("stopped", { editions: 3 }, interrupted.signal, stop).counted).rejects.toThrow("enough");
      expect(existsSync(join(base, "stopped"))).toBe(false);
      expect(readdirSync(base).filter((name) => name.includes(".building-"))).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    "the command keeps it where it is told to, and prints one JSON object with exactly the ledger's fields",
    async () => {
      const file = join(base, "one.json");
      writeFileSync(file, JSON.stringify({ editions: 1 }));
      const { streams, out } = listen();
      const dir = join(base, "kept", "one");
      expect(await ledger(["--json", "--mix", file, "--workspace", dir], SAMPLES, streams)).toBe(0);
      expect(JSON.parse(out())).toMatchObject({ editions: 1, succeeded: 1, clean: 1 });
      expect(fsck(dir)).toMatchObject({ ok: true });
    },
    LIMIT_MS,
  );
});
