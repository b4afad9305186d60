import { createSystemClock } from "../adapters/clock";
import { type ExhaustiveOptions, parseExhaustiveOptions } from "./exhaustive-options";
import { crashScenario, type ScenarioCrashes } from "./exhaustive-run";
import { ExhaustiveState } from "./exhaustive-state";
import type { Streams } from "./streams";

const realTime = createSystemClock();

/**
 * `exhaustive`: every scenario with a crash at every commit and every outside call.
 * @returns 0 only when each of them came to the verdict that it comes to without.
 */
export async function exhaustive(args: readonly string[], samplesDir: string, streams: Streams): Promise<number> {
  const parsed = parseExhaustiveOptions(args);
  if ("help" in parsed) {
    streams.out(parsed.help);
    return 0;
  }
  if ("wrong" in parsed) {
    streams.err(`exhaustive: ${parsed.wrong}; see --help\n`);
    return 2;
  }
  const { options } = parsed;
  const startedAt = realTime.monotonic();
  const state = options.resume === null ? ExhaustiveState.begin() : ExhaustiveState.resume(options.resume);
  streams.err(`exhaustive: should it be interrupted, it goes on with --resume ${state.path}\n`);
  const all: ScenarioCrashes[] = [];
  for (const scenario of options.scenarios) {
    const crashes = await crashScenario(scenario, {
      samplesDir,
      choose: (points) => chosen(points, options),
      find: (about) => state.find(about),
      played: (report) => state.keep(report),
    });
    all.push(crashes);
    streams.err(`${all.length}/${options.scenarios.length} ${inWords(crashes)}\n`);
  }
  const seconds = Math.round((realTime.monotonic() - startedAt) / 100) / 10;
  return report(all, options, seconds, streams);
}

function chosen(points: number, { shard, shards }: ExhaustiveOptions): number[] {
  return Array.from({ length: points }, (_, index) => index + 1).filter((point) => (point - shard) % shards === 0);
}

const inWords = ({ id, points, reports }: ScenarioCrashes): string => {
  const differing = reports.filter(({ differences }) => differences.length > 0).length;
  return `${id}: ${points} points, ${reports.length} crashes, ${differing} with another verdict`;
};

function report(
  all: readonly ScenarioCrashes[],
  { json, shard, shards }: ExhaustiveOptions,
  seconds: number,
  streams: Streams,
): number {
  const reports = all.flatMap((one) => one.reports);
  const found = reports.filter(({ differences }) => differences.length > 0);
  const points = all.reduce((sum, one) => sum + one.points, 0);
  const sums = { shard: `${shard}/${shards}`, scenarios: all.length, points, crashes: reports.length };
  const failed = found.length;
  if (json) streams.out(`${JSON.stringify({ ...sums, failed, seconds, found })}\n`);
  else {
    for (const { id, point, diedAt, differences } of found)
      streams.out(`${id} died at point ${point} (${diedAt})\n${differences.map((line) => `  ${line}\n`).join("")}`);
    streams.out(
      `${points} points of ${all.length} scenarios, ${reports.length} crashes, ${failed} failed, ${seconds} s\n`,
    );
  }
  return failed === 0 ? 0 : 1;
}
