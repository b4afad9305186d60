// Installing Debian packages where that is possible without asking: as root on a Debian-family system.
import { existsSync } from "node:fs";
import { findProgram, run } from "./run.mjs";
import { SetupError, step } from "./say.mjs";

const MINUTE_MS = 60_000;
const WAIT_FOR_DPKG = ["-o", "DPkg::Lock::Timeout=120"];

export const isDebian = () =>
  process.platform === "linux" && existsSync("/etc/debian_version") && findProgram("apt-get");
export const isRoot = () => process.getuid?.() === 0;

/** Names since Debian 13 and Ubuntu 24.04 end in t64 for libraries rebuilt for 64-bit time. */
async function currentNames(names) {
  const known = new Set((await run("apt-cache", ["pkgnames"])).split("\n"));
  return names.map((name) => (known.has(`${name}t64`) ? `${name}t64` : name));
}

/** System packages that only the person can install. `reasons` are what needs them. */
export class PackagesMissing extends SetupError {
  constructor(names, reasons) {
    const told = isDebian()
      ? `run this once, then run this again:\n  sudo apt-get install -y ${names.join(" ")}`
      : `install with your system's package manager what Debian calls\n  ${names.join(" ")}\nthen run this again.`;
    super(`system packages are missing for ${reasons.join(" and for ")}; ${told}`);
    this.names = names;
    this.reasons = reasons;
  }

  /** One command for all steps that lack something, so that a person does not meet them one by one. */
  static merge(failures) {
    const unique = (lists) => [...new Set(lists.flat())];
    return new PackagesMissing(unique(failures.map((one) => one.names)), unique(failures.map((one) => one.reasons)));
  }
}

// Only one apt-get can hold dpkg's lock; the steps that may need it run side by side.
let queue = Promise.resolve();

async function install(names, reason) {
  await step(`installing ${names.join(", ")} with apt-get, for ${reason}`, async () => {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    // A new container has no package lists at all, an old one has lists of packages that are gone.
    await run("apt-get", [...WAIT_FOR_DPKG, "update"], { env, timeoutMs: 5 * MINUTE_MS });
    const args = ["install", "-y", "--no-install-recommends", ...(await currentNames(names))];
    await run("apt-get", [...WAIT_FOR_DPKG, ...args], { env, timeoutMs: 15 * MINUTE_MS });
  });
}

/** Installs, or throws PackagesMissing. `reason` is what needs them, as in "for …". */
export async function installPackages(names, reason) {
  if (names.length === 0) return;
  if (!isDebian()) throw new PackagesMissing(names, [reason]);
  if (!isRoot()) throw new PackagesMissing(await currentNames(names), [reason]);
  const mine = queue.then(() => install(names, reason));
  // The caller gets the failure; the next one in the queue only waits for the end.
  queue = mine.catch(() => undefined);
  await mine;
}
