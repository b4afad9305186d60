import { pragmaFaults } from "../../db/connect";
import { World } from "../support/world";
import { median, percentile, round, sum, timed } from "./stats";
import { tell } from "./story";
import { openYardstick } from "./yardstick";

const EDITIONS = 150;
const WARM_UP = 10;

/** Commands through the journal, each beside one J, on the same disk at the same moment. */
export function benchJournal() {
  const world = new World();
  const { sqlite } = world.database;
  sqlite.pragma("synchronous = FULL");
  const faults = pragmaFaults(sqlite, "full");
  if (faults.length > 0) throw new Error(faults.join("; "));
  const yardstick = openYardstick();
  const theirs: number[] = [];
  const byName = new Map<string, number[]>();
  try {
    for (let edition = 0; edition < WARM_UP + EDITIONS; edition += 1)
      tell(world, edition, ({ name, command, context }) => {
        const start = performance.now();
        const answer = world.journal.execute(command, context);
        const took = performance.now() - start;
        const j = timed(() => yardstick.step());
        if (edition < WARM_UP) return answer;
        theirs.push(j);
        byName.set(name, [...(byName.get(name) ?? []), took]);
        return answer;
      });
  } finally {
    yardstick.close();
    world.close();
  }
  const ours = [...byName.values()].flat();
  const medians = [...byName].map(([name, times]) => [name, median(times)] as const);
  // The story has as many commands of each kind, so that the mean of their medians is the mix's command.
  const command = sum(medians.map(([, ms]) => ms)) / medians.length;
  return {
    ratioToJ: round(median(theirs) / command),
    p99RatioToJ: round(percentile(ours, 0.99) / percentile(theirs, 0.99)),
    /** With every spike of the disk in it: these are whole seconds of work. */
    ratioOfTotals: round(sum(theirs) / sum(ours)),
    commandsPerSecond: Math.round(1_000 / command),
    jPerSecond: Math.round(1_000 / median(theirs)),
    commandMs: { p50: round(median(ours)), p99: round(percentile(ours, 0.99)) },
    jMs: { p50: round(median(theirs)), p99: round(percentile(theirs, 0.99)) },
    p50MsByCommand: Object.fromEntries(medians.map(([name, ms]) => [name, round(ms)])),
    samples: ours.length,
  };
}
