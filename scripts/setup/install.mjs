// node_modules, exactly as the lock file says.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { modules, readIfThere, readNote, root, stateFolder, writeNote } from "./places.mjs";
import { run } from "./run.mjs";
import { SetupError, say, step } from "./say.mjs";

const NOTE = "installed.json";
const LIMIT_MS = 15 * 60_000;
const RETRY_MS = 10_000;

export function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    throw new SetupError(`this is Node ${process.version}; Imprimatur needs 20.19 or newer (22 or newer is best).`);
}

const readJson = (file) => JSON.parse(readFileSync(path.join(root, file), "utf8"));

function lockKey() {
  const hash = createHash("sha256").update(`${process.platform}-${process.arch}`);
  for (const file of ["package.json", "package-lock.json"]) hash.update(readFileSync(path.join(root, file)));
  return hash.digest("hex");
}

/** A cheap look for what a half-deleted folder would lack: the packages that we name ourselves. */
function namedPackagesAreThere() {
  const { dependencies, devDependencies } = readJson("package.json");
  return Object.keys({ ...dependencies, ...devDependencies }).every((name) =>
    existsSync(path.join(modules, name, "package.json")),
  );
}

export const packagesAreInPlace = () => readNote(NOTE)?.key === lockKey() && namedPackagesAreThere();

/** npm notes what it installed as its last act; when that agrees with the lock, somebody ran `npm ci` by hand. */
function installedByHand() {
  const text = readIfThere(path.join(modules, ".package-lock.json"));
  if (text === undefined || !namedPackagesAreThere()) return false;
  const have = JSON.parse(text).packages;
  const want = readJson("package-lock.json").packages;
  return (
    Object.entries(want).every(([at, entry]) => at === "" || entry.optional || have[at]?.version === entry.version) &&
    Object.entries(have).every(([at, entry]) => want[at]?.version === entry.version)
  );
}

/** npm as the same npm that started us, where it did; a second one might be a different version, or missing. */
function npmCommand() {
  const own = process.env.npm_execpath;
  return own?.endsWith("npm-cli.js") ? [process.execPath, own] : ["npm"];
}

export function runNpm(args, options) {
  const [command, ...before] = npmCommand();
  // `npm -s run …` hands its silence down to us, and with it the reason of a failure.
  return run(command, [...before, ...args, "--loglevel=error"], options);
}

async function installAll() {
  const ci = () =>
    runNpm(["ci", "--no-audit", "--no-fund", "--include=dev", "--ignore-scripts"], { cwd: root, timeoutMs: LIMIT_MS });
  try {
    await ci();
  } catch (error) {
    // An npm whose set-up was killed is still at work in there; it ends within seconds.
    if (!/ENOTEMPTY|EBUSY/.test(error.message)) throw error;
    say("  something else is writing to node_modules; trying once more");
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    await ci();
  }
}

export async function providePackages() {
  if (packagesAreInPlace()) return;
  if (installedByHand()) {
    say("node_modules agrees with package-lock.json");
  } else {
    const count = Object.keys(readJson("package-lock.json").packages).length;
    const why = existsSync(modules) ? "node_modules does not agree with package-lock.json" : "there is no node_modules";
    rmSync(stateFolder, { recursive: true, force: true });
    await step(`installing up to ${count} packages with npm ci, about a minute (${why})`, installAll);
  }
  // Last, so that an installation cut short is done again.
  writeNote(NOTE, { key: lockKey() });
}
