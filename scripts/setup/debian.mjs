// Installing Debian packages where that is possible without asking: as root on a Debian-family system.
import { existsSync } from "node:fs";
import { findProgram, run } from "./run.mjs";
import { SetupError, say, step } from "./say.mjs";

const MINUTE_MS = 60_000;

export const isDebian = () =>
  process.platform === "linux" && existsSync("/etc/debian_version") && findProgram("apt-get");
export const isRoot = () => process.getuid?.() === 0;

// Only one apt-get can hold dpkg's lock; the steps that may need it run side by side.
let queue = Promise.resolve();

/** Names since Debian 13 and Ubuntu 24.04 end in t64 for libraries rebuilt for 64-bit time. */
async function currentNames(names) {
  const known = await run("apt-cache", ["pkgnames"]);
  const all = new Set(known.split("\n"));
  return names.map((name) => (all.has(`${name}t64`) ? `${name}t64` : name));
}

/** Installs, or throws with the one command a person has to run. `why` completes "needed …". */
export function installPackages(names, why) {
  const mine = queue.then(async () => {
    if (names.length === 0) return;
    if (!isDebian())
      throw new SetupError(
        `${why} needs what Debian calls ${names.join(", ")}: install these with your system's package manager, then run this again.`,
      );
    if (!isRoot()) {
      const exact = await currentNames(names);
      throw new SetupError(
        `${why} needs system packages. Run this once, then run this again:\n  sudo apt-get install -y ${exact.join(" ")}`,
      );
    }
    await step(`installing ${names.join(", ")} with apt-get (${why})`, async () => {
      const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
      // A new container has no package lists at all, an old one has lists of packages that are gone.
      await run("apt-get", ["-o", "DPkg::Lock::Timeout=120", "update"], { env, timeoutMs: 5 * MINUTE_MS });
      const exact = await currentNames(names);
      await run("apt-get", ["-o", "DPkg::Lock::Timeout=120", "install", "-y", "--no-install-recommends", ...exact], {
        env,
        timeoutMs: 15 * MINUTE_MS,
      });
    });
  });
  queue = mine.catch(() => say("an apt-get step failed (see below)"));
  return mine;
}
