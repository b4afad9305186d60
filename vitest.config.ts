import { defineConfig } from "vitest/config";

export default defineConfig({
  define: { __TEST_BUILD__: "true" },
  test: {
    include: ["test/**/*.test.{ts,tsx}"],
    exclude: ["test/e2e/**", "test/live/**", "test/bench/**", "**/node_modules/**"],
    // Threads start faster than forks, and better-sqlite3 runs in both. Two workers: what a small machine has,
    // and more would make the tests that measure time depend on who else is running.
    pool: "threads",
    maxWorkers: 2,
    // Crash tests start real processes; five seconds is too short for them on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
