import { defineConfig } from "vitest/config";

export default defineConfig({
  define: { __TEST_BUILD__: "true" },
  test: {
    include: ["test/**/*.test.{ts,tsx}"],
    exclude: ["test/e2e/**", "test/live/**", "test/bench/**", "**/node_modules/**"],
    // A process per file: with threads, the native SQLite module of an older Node was seen to end a long run with a
    // segmentation fault. Two workers: what a small machine has, and more would only take turns.
    pool: "forks",
    maxWorkers: 2,
    // Crash tests start real processes; five seconds is too short for them on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
