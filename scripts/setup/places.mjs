// Every folder that the scripts write to, in one place.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
export const modules = path.join(root, "node_modules");
export const out = path.join(root, "out");

/** Notes about what was installed. Inside node_modules, so that they vanish together with what they describe. */
export const stateFolder = path.join(modules, ".imprimatur");

/** Outside the clone: a second clone on the same machine needs neither to download nor to compile again. */
export const cacheFolder =
  process.env.IMPRIMATUR_CACHE ??
  path.join(
    process.env.XDG_CACHE_HOME ??
      {
        darwin: path.join(homedir(), "Library/Caches"),
        win32: process.env.LOCALAPPDATA ?? path.join(homedir(), "AppData/Local"),
      }[process.platform] ??
      path.join(homedir(), ".cache"),
    "imprimatur",
  );

/** The file's text, or undefined when there is none. */
export function readIfThere(file) {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  }
}

/** A note that cannot be read counts as missing: the worst that follows is that a step is done again. */
export function readNote(name) {
  const text = readIfThere(path.join(stateFolder, name));
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Complete or absent, never half: written beside and renamed. */
export function writeWhole(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  const beside = `${file}.${process.pid}`;
  writeFileSync(beside, text);
  renameSync(beside, file);
}

export const writeNote = (name, value) =>
  writeWhole(path.join(stateFolder, name), `${JSON.stringify(value, null, 2)}\n`);
