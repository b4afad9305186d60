import { playwright } from "@vitest/browser-playwright";
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { findChromium } from "./test/support/chromium.ts";

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

const SCREENS = ["test/renderer/*.test.{ts,tsx}"];

/** React as it ships: what it does only for developers takes a third of the time. */
const asShipped = () => ({
  optimizeDeps: {
    // No file names it: it comes with the translation of JSX. Found only then, it would load every page anew in the middle of a run.
    include: ["react/jsx-runtime"],
    rolldownOptions: { transform: { define: { "process.env.NODE_ENV": '"production"' } } },
  },
  oxc: { jsx: { runtime: "automatic", development: false } } as const,
});

/** One page takes file after file, as a window does: to load the app anew for each costs more than the tests do. */
const page = (executablePath: string) => ({
  enabled: true,
  headless: true,
  fileParallelism: false,
  screenshotFailures: false,
  // Without its sandbox, which does not start for root; it shows nothing but our own pages.
  provider: playwright({
    launchOptions: { executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-software-rasterizer"] },
  }),
  instances: [{ browser: "chromium" as const, viewport: { width: 1280, height: 800 } }],
});

/** The files that take half a minute and more: begun last, one worker would stand idle while the other ends them. */
const LONG = ["world", "scenes", "crash-runs", "crash-points", "exhaustive", "damage"];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((name) => moduleId.includes(`/${name}.test.`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

const chromium = findChromium();
/** The renderer's screens: in a real browser where there is one, else in what imitates one. */
const screens: TestProjectInlineConfiguration = chromium
  ? {
      extends: true,
      ...asShipped(),
      test: { name: "chromium", include: SCREENS, isolate: false, browser: page(chromium) },
    }
  : { extends: true, test: { name: "happy-dom", include: SCREENS, environment: "happy-dom" } };

export default defineConfig({
  define: { __TEST_BUILD__: "true" },
  test: {
    // Processes: with threads, the native SQLite module of an older Node was seen to end a long run with a
    // segmentation fault. Three workers for a small machine's two cores: a third of the time goes by in waiting.
    sequence: { sequencer: LongFirst },
    reporters: ["default", "./test/support/count-projects.ts"],
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
          exclude: [
            ...configDefaults.exclude,
            ...pure,
            ...["renderer", "e2e", "live", "bench"].map((room) => `test/${room}/**`),
          ],
        },
      },
      screens,
    ],
  },
});
