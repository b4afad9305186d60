// Everything between a fresh clone and a running app; needs nothing but Node. Each step first looks whether it has
// work, so that a second run does nothing. Steps are in scripts/setup/, one file each.

import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { isBuilt, provideBuild } from "./setup/built.mjs";
import { PackagesMissing } from "./setup/debian.mjs";
import { findElectron, provideElectron } from "./setup/electron.mjs";
import { checkNode, packagesAreInPlace, providePackages } from "./setup/install.mjs";
import { librariesAreInPlace, provideLibraries, provideTestTools, testToolsMissing } from "./setup/libraries.mjs";
import { withLock } from "./setup/lock.mjs";
import { compatIsInPlace, provideCompat, thisNodeIsOld } from "./setup/native.mjs";
import { linesSaid, SetupError, say, setQuiet } from "./setup/say.mjs";

const HELP = `usage: npm run setup -- [--quiet] [--no-window] [--tests] [--no-build]

  --quiet      say nothing unless something fails
  --no-window  only what the headless commands need: no Electron, no desktop libraries
  --tests      also what the tests need: a virtual display and a Chinese font (installed on Debian as root)
  --no-build   leave out/ alone

environment
  IMPRIMATUR_ELECTRON=fallback  do not try the official Electron (64-bit Linux only)
  ELECTRON_OVERRIDE_DIST_PATH   use the Electron in this folder
  ELECTRON_MIRROR               download Electron from here
  IMPRIMATUR_CACHE              keep the fallback Electron and the compiled SQLite binding here`;

/** Which runtime asks for the compat binary, in words; undefined when none does. */
function reasonForCompat(electron) {
  if (thisNodeIsOld()) return `Node ${process.version} is older than 22`;
  if (electron?.kind === "fallback") return `the fallback Electron ${electron.version}`;
  return undefined;
}

/** True when every step would find nothing to do; looks only, and takes no lock. */
function isDone({ window, tests, build }) {
  if (!packagesAreInPlace()) return false;
  const electron = window ? findElectron() : undefined;
  if (window && !(electron && librariesAreInPlace(electron))) return false;
  if (reasonForCompat(electron) && !compatIsInPlace()) return false;
  if (tests && testToolsMissing().length > 0) return false;
  return !build || isBuilt();
}

/** Waits for all, then fails with what failed: a step left running would work behind a person's back. */
async function together(...works) {
  const results = await Promise.allSettled(works);
  const failures = results.filter((result) => result.status === "rejected").map((result) => result.reason);
  const worst = failures.find((failure) => !(failure instanceof PackagesMissing));
  if (worst) throw worst;
  if (failures.length > 0) throw PackagesMissing.merge(failures);
  return results.map((result) => result.value);
}

async function provideWindow() {
  const electron = await provideElectron();
  await provideLibraries(electron);
  return electron;
}

async function provideAll({ window, tests, build }) {
  await providePackages();
  // The compiler and the download wait for different things.
  const [electron] = await together(
    window ? provideWindow() : undefined,
    thisNodeIsOld() ? provideCompat(reasonForCompat()) : undefined,
    tests ? provideTestTools() : undefined,
  );
  const why = reasonForCompat(electron);
  if (why) await provideCompat(why);
  if (build) await provideBuild();
}

/**
 * Brings the clone to where the app, the headless commands or the tests can run.
 * `window`: Electron and its libraries; `tests`: display and fonts for tests; `build`: out/ up to date.
 */
export async function setUp({ quiet = false, window = true, tests = false, build = true } = {}) {
  setQuiet(quiet);
  checkNode();
  const wanted = { window, tests, build };
  if (!isDone(wanted)) await withLock(() => provideAll(wanted));
  return { electron: window ? findElectron() : undefined, didWork: linesSaid() > 0 };
}

/** For the scripts' top level: a failure that a person can act on is shown plainly, anything else as the bug it is. */
export async function orExit(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`set-up failed: ${error.message}\n`);
    process.exit(1);
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({
    options: {
      quiet: { type: "boolean" },
      "no-window": { type: "boolean" },
      tests: { type: "boolean" },
      "no-build": { type: "boolean" },
      help: { type: "boolean" },
    },
  });
  if (values.help) {
    process.stderr.write(`${HELP}\n`);
  } else {
    const { didWork } = await orExit(() =>
      setUp({
        quiet: values.quiet,
        window: !values["no-window"],
        tests: values.tests,
        build: !values["no-build"],
      }),
    );
    say(didWork ? "ready" : "everything is in place, nothing to do");
  }
}
