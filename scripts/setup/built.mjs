// Whether out/ is what the sources say. By content, not by time: a checkout or a copied folder has times that mean
// nothing.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { out, readIfThere, root, writeWhole } from "./places.mjs";
import { run } from "./run.mjs";
import { step } from "./say.mjs";

const FOLDERS = ["main", "db", "preload", "renderer"];
const FILES = [
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "vite.main.config.ts",
  "vite.preload.config.ts",
  "vite.renderer.config.ts",
  "scripts/build.mjs",
];
const PRODUCTS = ["main/index.cjs", "main/cli.cjs", "preload/index.cjs", "renderer/index.html"];

/** The release build is in out/, the test build (with __TEST_BUILD__ true) in out/test, so that neither evicts the other. */
export const isTestBuild = process.env.IMPRIMATUR_TEST_BUILD === "1";
export const buildFolder = (isTest = isTestBuild) => (isTest ? path.join(out, "test") : out);

function filesIn(folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const at = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesIn(at) : [at];
  });
}

export function sourceKey() {
  const hash = createHash("sha256");
  const files = [...FILES, ...FOLDERS.filter((name) => existsSync(path.join(root, name))).flatMap(filesIn)].sort();
  for (const file of files) {
    // Deleted between listing and reading, as editors do when they save: then the next look differs, as it should.
    const bytes = existsSync(path.join(root, file)) ? readFileSync(path.join(root, file)) : "";
    hash.update(`${file}\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex");
}

const stampOf = (isTest) => path.join(buildFolder(isTest), ".built-from");

export function isBuilt(isTest = isTestBuild) {
  const folder = buildFolder(isTest);
  return PRODUCTS.every((file) => existsSync(path.join(folder, file))) && readIfThere(stampOf(isTest)) === sourceKey();
}

export async function provideBuild(isTest = isTestBuild) {
  if (isBuilt(isTest)) return;
  const key = sourceKey();
  await step(isTest ? "building the test variant" : "building the app", () =>
    run(process.execPath, [path.join(root, "scripts/build.mjs")], {
      cwd: root,
      env: { ...process.env, IMPRIMATUR_TEST_BUILD: isTest ? "1" : "" },
    }),
  );
  // The key from before the build: a source saved meanwhile makes the next look build again.
  writeWhole(stampOf(isTest), key);
}
