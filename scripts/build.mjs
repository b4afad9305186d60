// Builds main, cli, workers, preload and renderer. Into a folder of its own, swapped in at the end: a failed build
// leaves the last good one, and an app that is just starting does not see half of a new one.
// IMPRIMATUR_TEST_BUILD=1 builds the test variant into out/test.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "vite";
import { buildFolder, isTestBuild } from "./setup/built.mjs";
import { out, root } from "./setup/places.mjs";

process.chdir(root);
const target = buildFolder();
const fresh = path.join(out, `.building-${process.pid}`);
const SAMPLES = "main/sandbox/samples";
const TEMPLATES = "main/templates";

/** Worker threads and child programs are started from a file, so each one is a self-contained file beside index.cjs. */
const workers = readdirSync("main", { recursive: true })
  .filter((name) => name.endsWith(".worker.ts"))
  .map((name) => path.join("main", name));

const buildOne = (config, options) =>
  build({ configFile: config, logLevel: "warn", build: { emptyOutDir: false, ...options } });

function swapIn(name) {
  const old = path.join(out, `.old-${process.pid}-${name}`);
  const current = path.join(target, name);
  if (existsSync(current)) renameSync(current, old);
  renameSync(path.join(fresh, name), current);
  rmSync(old, { recursive: true, force: true });
}

try {
  for (const entry of ["main/index.ts", "main/cli.ts", ...workers])
    await buildOne("vite.main.config.ts", { ssr: entry, outDir: path.join(fresh, "main") });
  await buildOne("vite.preload.config.ts", { outDir: path.join(fresh, "preload") });
  await buildOne("vite.renderer.config.ts", { outDir: path.join(fresh, "renderer") });
  // Byte for byte: some samples are in old encodings on purpose.
  if (existsSync(SAMPLES)) cpSync(SAMPLES, path.join(fresh, "main/samples"), { recursive: true });
  cpSync(TEMPLATES, path.join(fresh, "main/templates"), { recursive: true });
  mkdirSync(target, { recursive: true });
  for (const name of ["main", "preload", "renderer"]) swapIn(name);
  if (isTestBuild) {
    // `electron out/test` takes the app's name and version from the package.json there.
    const { name, version, type } = JSON.parse(readFileSync("package.json", "utf8"));
    writeFileSync(path.join(target, "package.json"), JSON.stringify({ name, version, type, main: "main/index.cjs" }));
  }
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
