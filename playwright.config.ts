import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "test/e2e",
  outputDir: "out/e2e",
  workers: 2,
  fullyParallel: true,
  // A test that passes on the second try hides what it was written to show.
  retries: 0,
  // Starting the app takes two seconds here, six on a machine that is busy building something else.
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"]],
  use: { trace: "retain-on-failure" },
  projects: [
    { name: "app", testIgnore: "packaged.spec.ts" },
    { name: "package", testMatch: "packaged.spec.ts" },
  ],
});
