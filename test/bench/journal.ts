import { pragmaFaults } from "../../db/connect";
import { World } from "../support/world";
import { median, percentile, round, sum, timed } from "./stats";
import { tell } from "./story";
import { openYardstick } from "./yardstick";

const EDITIONS = 150;
const WARM_UP = 10;
/** How many of each kind one edition of the demo makes: a checkpoint per source, three writes, two looks at the page. */
const PER_EDITION: Readonly<Record<string, number>> = {
  record_step: 12,
  mark_request_sent: 3,
  record_answer: 3,
  note: 2,
};

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
        const reference = timed(() => yardstick.step());
        if (edition < WARM_UP) return answer;
        theirs.push(reference);
        byName.set(name, [...(byName.get(name) ?? []), took]);
        return answer;
      });
  } finally {
    yardstick.close();
    world.close();
  }
  const ours = [...byName.values()].flat();
  const j = median(theirs);
  const medians = [...byName].map(([name, times]) => ({ name, ms: median(times), weight: PER_EDITION[name] ?? 1 }));
  // The command of an edition's own mix.
  const command = sum(medians.map(({ ms, weight }) => ms * weight)) / sum(medians.map(({ weight }) => weight));
  const perCommand = (of: (ms: number) => number) =>
    Object.fromEntries(medians.map(({ name, ms }) => [name, round(of(ms))]));
  return {
    ratioToJ: round(j / command),
    ratioToJByCommand: perCommand((ms) => j / ms),
    p99RatioToJ: round(percentile(ours, 0.99) / percentile(theirs, 0.99)),
    /** With every spike of the disk in it: these are whole seconds of work. */
    ratioOfTotals: round(sum(theirs) / sum(ours)),
    commandsPerSecond: Math.round(1_000 / command),
    jPerSecond: Math.round(1_000 / j),
    commandMs: { p50: round(median(ours)), p99: round(percentile(ours, 0.99)) },
    jMs: { p50: round(j), p99: round(percentile(theirs, 0.99)) },
    p50MsByCommand: perCommand((ms) => ms),
    samples: ours.length,
  };
}
