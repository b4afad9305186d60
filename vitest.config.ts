import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Whose tests keep nothing in the process: no document, no child program, no listener of theirs outlives a test. */
const PURE = [
  "adapters",
  "break",
  "commands",
  "db",
  "domain",
  "engine",
  "pipeline",
  "sandbox",
  "scenarios",
  "simulation",
];
const pure = PURE.map((room) => `test/${room}/**/*.test.ts`);

/** The files that take half a minute and more: begun last, one worker would stand idle while the other ends them. */
const LONG = ["world", "scenes", "crash-runs", "crash-points", "exhaustive", "damage"];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((name) => moduleId.includes(`/${name}.test.`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  define: { __TEST_BUILD__: "true" },
  test: {
    // Processes: with threads, the native SQLite module of an older Node was seen to end a long run with a
    // segmentation fault. Three workers for a small machine's two cores: a third of the time goes by in waiting.
    sequence: { sequencer: LongFirst },
    globalSetup: "test/support/one-temporary-folder.ts",
    pool: "forks",
    maxWorkers: 3,
    // Crash tests start real processes; five seconds is too short for them on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      // One process takes file after file: to load the same modules anew for each costs more than most of the tests do.
      { extends: true, test: { name: "pure", include: pure, isolate: false } },
      {
        extends: true,
        test: {
          name: "apart",
          include: ["test/**/*.test.{ts,tsx}"],
          exclude: [...configDefaults.exclude, ...pure, "test/e2e/**", "test/live/**", "test/bench/**"],
        },
      },
    ],
  },
});
