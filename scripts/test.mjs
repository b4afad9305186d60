// npm test: set-up, then every stage in turn. A failing stage does not stop the others: one run shows all that is wrong.
// The last line is always `N passed, N failed`: each test of Vitest and Playwright counts, and each other stage as one.
//   npm test                        everything
//   npm test -- unit [ARGS]         named stages only; what follows them goes to Vitest or Playwright
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { provideBuild } from "./setup/built.mjs";
import { withLock } from "./setup/lock.mjs";
import { modules, out, readIfThere, root } from "./setup/places.mjs";
import { SetupError, secondsSince } from "./setup/say.mjs";
import { setUp } from "./setup.mjs";

const SCREEN = "-screen 0 1400x1000x24";
const FOLDERS = ["main", "db", "preload", "renderer", "test"];
const reports = path.join(out, "reports");
const tool = (file) => [process.execPath, path.join(modules, file)];

/** Runs in this terminal; resolves to the exit code and, where asked for, what was printed. */
function runHere([command, ...args], { env, keep = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", keep ? "pipe" : "inherit", "inherit"],
    });
    let printed = "";
    child.stdout?.setEncoding("utf8").on("data", (text) => {
      printed += text;
      process.stdout.write(text);
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, printed }));
  });
}

const asOne = ({ code }) => ({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 });

/** A runner that failed without naming a failed test (a file that cannot be loaded, no tests at all) has failed, too. */
const counted = (code, passed, failed, skipped) => ({ passed, failed: failed || (code === 0 ? 0 : 1), skipped });

async function layers() {
  const cruise = [...tool("dependency-cruiser/bin/dependency-cruise.mjs"), "--output-type", "err-long"];
  const { code, printed } = await runHere([...cruise, ...FOLDERS.filter((name) => existsSync(path.join(root, name)))], {
    keep: true,
  });
  // When it cannot parse TypeScript, it looks at nothing and finds nothing wrong.
  const seen = Number(/\((\d+) modules/.exec(printed)?.[1] ?? 0);
  if (code === 0 && seen === 0)
    process.stdout.write("dependency-cruiser looked at 0 modules: it cannot read the sources\n");
  return asOne({ code: code || (seen > 0 ? 0 : 1) });
}

async function build() {
  try {
    await withLock(() => provideBuild(true));
    return asOne({ code: 0 });
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stdout.write(`${error.message}\n`);
    return asOne({ code: 1 });
  }
}

async function unit(args) {
  const report = path.join(reports, "vitest.json");
  rmSync(report, { force: true });
  const counter = path.join(root, "test/support/count-projects.ts");
  const reporters = ["default", counter, "json"].map((name) => `--reporter=${name}`);
  reporters.push(`--outputFile.json=${report}`);
  const { code } = await runHere([...tool("vitest/vitest.mjs"), "run", ...reporters, ...args]);
  const result = JSON.parse(readIfThere(report) ?? "{}");
  return counted(code, result.numPassedTests ?? 0, result.numFailedTests ?? 0, result.numPendingTests ?? 0);
}

async function playwright(project, args, env) {
  const report = path.join(reports, `playwright-${project}.json`);
  rmSync(report, { force: true });
  const command = [...tool("@playwright/test/cli.js"), "test", `--project=${project}`, "--reporter=list,json", ...args];
  const needsDisplay = process.platform === "linux" && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY;
  const { code } = await runHere(needsDisplay ? ["xvfb-run", "-a", "-s", SCREEN, ...command] : command, {
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report, ...env },
  });
  const stats = JSON.parse(readIfThere(report) ?? "{}").stats ?? {};
  return counted(code, stats.expected ?? 0, (stats.unexpected ?? 0) + (stats.flaky ?? 0), stats.skipped ?? 0);
}

async function packaged(args) {
  const make = [process.execPath, path.join(root, "scripts/package.mjs"), "dir"];
  for (const env of [{}, { IMPRIMATUR_TEST_PACKAGE: "1" }]) {
    const { code } = await runHere(make, { env });
    if (code !== 0) return asOne({ code });
  }
  return playwright("package", args);
}

const STAGES = {
  types: async () => asOne(await runHere([...tool("typescript/bin/tsc"), "--noEmit"])),
  style: async () => asOne(await runHere([...tool("@biomejs/biome/bin/biome"), "check", "--error-on-warnings", "."])),
  layers,
  unused: async () => asOne(await runHere([...tool("knip/bin/knip.js"), "--no-progress"])),
  build,
  unit,
  e2e: (args) => playwright("app", args),
  package: packaged,
};
const LINT = ["style", "layers", "unused"];
const NEEDS_WINDOW = ["e2e", "package"];

function choose(args) {
  const names = [];
  const rest = [...args];
  while (rest[0] === "lint" || STAGES[rest[0]])
    names.push(...(rest[0] === "lint" ? [rest.shift(), ...LINT] : [rest.shift()]));
  const chosen = names.filter((name) => name !== "lint");
  if (chosen.length === 0) return { chosen: Object.keys(STAGES), rest };
  // The test variant of the app is what these run.
  const isRun = chosen.some((name) => ["unit", "e2e"].includes(name));
  return { chosen: isRun && !chosen.includes("build") ? ["build", ...chosen] : chosen, rest };
}

async function prepare(chosen) {
  const window = chosen.some((name) => NEEDS_WINDOW.includes(name));
  try {
    await setUp({ window, tests: window, build: chosen.includes("package") });
    return true;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stdout.write(`set-up failed: ${error.message}\n`);
    return false;
  }
}

async function runStages() {
  const { chosen, rest } = choose(process.argv.slice(2));
  const results = [];
  const note = (name, start, result) =>
    results.push({ name, seconds: secondsSince(start), passed: 0, failed: 0, skipped: 0, ...result });
  const start = performance.now();
  if (!(await prepare(chosen))) {
    note("set-up", start, { failed: 1 });
    return results;
  }
  mkdirSync(reports, { recursive: true });
  for (const name of chosen) {
    process.stdout.write(`\n── ${name} ${"─".repeat(Math.max(0, 60 - name.length))}\n`);
    const stageStart = performance.now();
    const result = await STAGES[name](rest);
    note(name, stageStart, result);
    process.stdout.write(`── ${name}: ${result.failed ? "FAILED" : "ok"} in ${secondsSince(stageStart)} s\n`);
  }
  return results;
}

const results = await runStages();
process.stdout.write("\n");
for (const { name, seconds, passed, failed, skipped } of results) {
  const counts = `${String(passed).padStart(5)} passed ${String(failed).padStart(3)} failed${skipped ? ` ${skipped} skipped` : ""}`;
  process.stdout.write(`${name.padEnd(8)} ${seconds.padStart(7)} s ${counts}\n`);
}
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
process.exitCode = sum("failed") === 0 ? 0 : 1;
process.stdout.write(`${sum("passed")} passed, ${sum("failed")} failed\n`);
