import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { median, round } from "../stats";
import { type Running, start } from "./electron";
import { writeEmptyApp } from "./empty-app";

/** What is started, and when its window counts as usable. */
export interface Program {
  app: string;
  dataDir: string;
  /** All of these must be in the page. */
  usable: readonly string[];
}

/** How often each of the two is started. */
const STARTS = 6;
/** Memory is read when what a start leaves behind is done: the first check of the workspace, the first collections. */
const SETTLE_MS = 3_000;
const USABLE_WITHIN_MS = 30_000;

interface Start {
  firstPaintMs: number;
  usableMs: number;
  memoryMb: number;
}

/** Cold starts of the app and of an empty window, one after the other, on the same runtime and the same display. */
export async function benchStart(executable: string, dir: string, appDir: string, preparedDir: string) {
  const ours: Program = { app: appDir, dataDir: preparedDir, usable: [".today-grid", ".head button:not([disabled])"] };
  const empty: Program = { app: writeEmptyApp(join(dir, "empty")), dataDir: "", usable: ["button"] };
  const samples = { ours: [] as Start[], empty: [] as Start[] };
  for (let turn = 0; turn < STARTS; turn += 1) {
    samples.empty.push(await startOnce(executable, empty, join(dir, `empty-${turn}`)));
    samples.ours.push(await startOnce(executable, ours, join(dir, `app-${turn}`)));
  }
  const of = (which: keyof typeof samples, name: keyof Start) => median(samples[which].map((sample) => sample[name]));
  const compared = (name: keyof Start, places: number) => ({
    ratioToEmpty: round(of("ours", name) / of("empty", name), 2),
    app: round(of("ours", name), places),
    empty: round(of("empty", name), places),
  });
  return {
    firstPaintMs: compared("firstPaintMs", 0),
    usableTodayMs: compared("usableMs", 0),
    memoryMb: compared("memoryMb", 0),
    starts: STARTS,
    memoryIs: "proportional set size of the process tree",
  };
}

async function startOnce(executable: string, program: Program, dataDir: string): Promise<Start> {
  if (program.dataDir !== "") cpSync(program.dataDir, dataDir, { recursive: true });
  const running = await start({ executable, app: program.app, dataDir, script: watcher(program.usable) });
  try {
    const seen = await untilUsable(running);
    await sleep(SETTLE_MS);
    const memoryMb = memoryOf(running.pid) / 1024;
    return { firstPaintMs: seen.paint - running.startedAt, usableMs: seen.usable - running.startedAt, memoryMb };
  } finally {
    await running.stop();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Notes in the page the moment at which everything that is asked for is there. */
const watcher = (selectors: readonly string[]): string => `(() => {
  if (window.benchWatch) return;
  const look = () => {
    if (!${JSON.stringify(selectors)}.every((selector) => document.querySelector(selector) !== null)) return;
    window.benchUsableAt = performance.timeOrigin + performance.now();
    window.benchWatch.disconnect();
  };
  window.benchWatch = new MutationObserver(look);
  window.benchWatch.observe(document, { childList: true, subtree: true, attributes: true });
  look();
})()`;

async function untilUsable(running: Running): Promise<{ paint: number; usable: number }> {
  const ask = `(() => {
    const paint = performance.getEntriesByType("paint").find((entry) => entry.name === "first-paint");
    return paint && window.benchUsableAt
      ? { paint: performance.timeOrigin + paint.startTime, usable: window.benchUsableAt }
      : null;
  })()`;
  const until = performance.now() + USABLE_WITHIN_MS;
  while (performance.now() < until) {
    const seen = await running.page.evaluate<{ paint: number; usable: number } | null>(ask).catch(() => null);
    if (seen !== null && seen !== undefined) return seen;
    await sleep(100);
  }
  throw new Error("the window did not become usable");
}

/** The memory of a process and everything below it in kB; shared pages are counted once, by shares. */
function memoryOf(root: number): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const parent = / \(.*\) \S (\d+) /.exec(read(`/proc/${name}/stat`))?.[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const isBelow = (pid: number): boolean => pid === root || (pid > 1 && isBelow(parents.get(pid) ?? 0));
  return [...parents.keys()]
    .filter(isBelow)
    .map((pid) => Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0))
    .reduce((total, kb) => total + kb, 0);
}

/** Processes come and go while they are listed. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT" || (error as NodeJS.ErrnoException).code === "ESRCH")
      return "";
    throw error;
  }
}
