import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { createSystemClock } from "../adapters/clock";
import { objectionToFolder } from "../compose/folder-to-fill";
import { addTotals, runSeeds, type SeedFault, type SeedRange, type SeedTotals, shrink } from "../simulation/run-seeds";
import { World } from "../simulation/world";
import { parseSimulateOptions, type SimulateOptions } from "./simulate-options";
import type { Streams } from "./streams";

const realTime = createSystemClock();
/** Fewer worlds are over before a second thread has started. */
const WORTH_A_THREAD = 30;
/** Two cores are what a small machine has. */
const MOST_THREADS = 2;

/** `simulate`: lives through worlds and says what was found. @returns 0 only when nothing was violated and nothing hangs. */
export async function simulate(args: readonly string[], streams: Streams): Promise<number> {
  const parsed = parseSimulateOptions(args);
  if ("help" in parsed) {
    streams.out(parsed.help);
    return 0;
  }
  if ("wrong" in parsed) {
    streams.err(`simulate: ${parsed.wrong}\n`);
    return 2;
  }
  const { options } = parsed;
  const objection = options.workspace === null ? null : objectionToFolder(options.workspace);
  if (objection !== null) {
    streams.err(`simulate: --workspace: ${objection}\n`);
    return 2;
  }
  const startedAt = realTime.monotonic();
  const totals = await runAll(options);
  const seconds = Math.round((realTime.monotonic() - startedAt) / 100) / 10;
  const { seeds, steps, crashes, unknowns, reconciled, violations, stuck } = totals;
  const counted = { seeds, steps, crashes, unknowns, reconciled, violations, stuck };
  const report = { ...counted, seconds };
  // A trace is the same bytes every time, and the time it took is not.
  streams.out(options.json ? `${JSON.stringify(report)}\n` : inWords(options.trace ? counted : report));
  const [first] = totals.found;
  if (first) await explain(options, first, streams);
  else if (options.trace) streams.out(`${(await traceOf(options, options.from, options.faultLimit)).join("\n")}\n`);
  if (totals.tame > 0) streams.err(`simulate: ${totals.tame} seeds had no crash or no unknown outcome\n`);
  return violations + stuck + totals.tame > 0 ? 1 : 0;
}

const worldOptions = ({ faultLimit, beyondHorizon, broken }: SimulateOptions): SeedRange["options"] => ({
  beyondHorizon,
  ...(broken === null ? {} : { broken }),
  ...(faultLimit === null ? {} : { faultLimit }),
});

async function runAll(options: SimulateOptions): Promise<SeedTotals> {
  const shards = options.seeds < WORTH_A_THREAD ? 1 : Math.min(MOST_THREADS, availableParallelism());
  const range = { from: options.from, count: options.seeds, shards, options: worldOptions(options) };
  if (shards === 1) return runSeeds({ ...range, shard: 0 });
  const all = Array.from({ length: shards }, (_, shard) => runInThread({ ...range, shard }));
  return (await Promise.all(all)).reduce(addTotals);
}

function runInThread(range: SeedRange): Promise<SeedTotals> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(join(__dirname, "simulate.worker.cjs"), { workerData: range });
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}

function inWords(report: Readonly<Record<string, number>>): string {
  return `${Object.entries(report)
    .map(([name, value]) => `${name.padEnd(11)} ${value}`)
    .join("\n")}\n`;
}

/** What was found, with as few faults as it needs, and how to see it again. */
async function explain(options: SimulateOptions, found: SeedFault, streams: Streams): Promise<void> {
  const { seed } = found;
  const faults = await shrink({ ...worldOptions(options), seed }, found.faults);
  const lines = await traceOf(options, seed, faults);
  streams.err(`\nseed ${seed}, with ${faults} of its ${found.faults} faults:\n${lines.join("\n")}\n`);
  for (const { invariant, subject, detail } of found.violations) streams.err(`${invariant} ${subject}: ${detail}\n`);
  for (const text of found.stuck) streams.err(`stuck: ${text}\n`);
  const broken = options.broken === null ? "" : ` --break ${options.broken}`;
  streams.err(`again: npm run -s simulate -- --seed ${seed} --faults ${faults}${broken} --trace\n`);
}

/** Lives through one world again, and keeps its journal where that was asked for. */
async function traceOf(options: SimulateOptions, seed: number, faultLimit: number | null): Promise<readonly string[]> {
  const limit = faultLimit === null ? {} : { faultLimit };
  const world = new World({ ...worldOptions(options), seed, keepTrace: true, ...limit });
  const { trace } = await world.run();
  if (options.workspace !== null) world.keep(options.workspace);
  world.close();
  return trace;
}
