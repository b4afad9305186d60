// npm run -s bench -- [--json] [--only PARTS]: set-up, then the benchmarks of test/bench, built into one file. Here and not
// behind the headless commands because they need what only a developer has: strace, Electron, a display.
import path from "node:path";
import { build, preview } from "vite";
import { buildFolder } from "./setup/built.mjs";
import { installPackages, isDebian, isRoot } from "./setup/debian.mjs";
import { handOver } from "./setup/hand-over.mjs";
import { out, root } from "./setup/places.mjs";
import { findProgram } from "./setup/run.mjs";
import { SetupError, say } from "./setup/say.mjs";
import { orExit, setUp } from "./setup.mjs";

const SCREEN = "-screen 0 1400x1000x24";
const args = process.argv.slice(2);
const only = args[args.indexOf("--only") + 1]?.split(",") ?? [];
const isWanted = (part) => !args.includes("--only") || only.includes(part);

/** Counting fsyncs needs strace. Where it cannot be had, that part says so, and the others are measured. */
async function provideStrace() {
  if (process.platform !== "linux" || findProgram("strace")) return;
  try {
    if (isDebian() && isRoot()) await installPackages(["strace"], "counting how often the disk is waited for");
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(error.message);
  }
}

/** The screens with made-up answers, as long as a test needs them. */
async function serveGallery() {
  const config = { configFile: path.join(root, "test/renderer/gallery/vite.config.ts"), logLevel: "warn" };
  await build(config);
  return preview(config);
}

process.chdir(root);
const window = (isWanted("app") || isWanted("scroll")) && !args.includes("--help");
const { electron } = await orExit(() => setUp({ window, tests: window }));
if (isWanted("fsyncs")) await provideStrace();
await build({
  configFile: path.join(root, "vite.main.config.ts"),
  logLevel: "warn",
  // The worlds of the tests are built here outside of any test.
  resolve: { alias: { vitest: path.join(root, "test/bench/no-vitest.ts") } },
  build: { emptyOutDir: true, ssr: "test/bench/bench.ts", outDir: path.join(out, "bench") },
});
const program = [path.join(out, "bench/bench.cjs"), "--app", root, "--cli", path.join(buildFolder(), "main/cli.cjs")];
if (electron) program.push("--electron", electron.executable);
const gallery = window && isWanted("scroll") ? await serveGallery() : undefined;
if (gallery) program.push("--gallery", gallery.resolvedUrls.local[0]);
const command = [process.execPath, ...program, ...args];
const needsDisplay = window && process.platform === "linux" && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY;
const [first, ...rest] = needsDisplay ? ["xvfb-run", "-a", "-s", SCREEN, ...command] : command;
process.exitCode = await handOver(first, rest);
await gallery?.close();
