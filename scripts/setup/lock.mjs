// One set-up at a time in one clone. The lock is a file that names its holder; a holder that is gone (killed, power
// cut) is recognised by its process id together with that process's start time, since ids are used again.
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { out, readIfThere } from "./places.mjs";
import { isAlive, stopRunning } from "./run.mjs";
import { SetupError, say } from "./say.mjs";

const LOCK = path.join(out, ".setup.lock");
const BREAKING = `${LOCK}.breaking`;
const LOOK_MS = 250;
/** Longer than the slowest honest set-up (a slow line, an apt-get and a compiler). */
const PATIENCE_MS = 40 * 60_000;
/** Removing a dead holder's lock takes a millisecond; whoever needs longer has died while doing it. */
const BREAKING_MS = 10_000;

/** When the process started, in the kernel's ticks; undefined where there is no /proc. */
function startOf(pid) {
  // The name in the second field may hold spaces and brackets, so count from the last bracket.
  return readIfThere(`/proc/${pid}/stat`)?.split(") ").at(-1).split(" ")[19];
}

function tryCreate(file, text) {
  try {
    writeFileSync(file, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

function isHeld(text) {
  const [pid, start] = text.split(" ");
  // Empty: its holder is just writing it, or died in that instant. The age decides.
  if (!start) return Date.now() - (statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? 0) < BREAKING_MS;
  return isAlive(Number(pid)) && (startOf(pid) ?? "-") === start;
}

/** Two waiters may see the same dead holder; only the one that creates BREAKING may remove it. */
function breakStaleLock(seen) {
  if (!tryCreate(BREAKING, "")) {
    const age = Date.now() - (statSync(BREAKING, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > BREAKING_MS) rmSync(BREAKING, { force: true });
    return;
  }
  try {
    if (readIfThere(LOCK) === seen) rmSync(LOCK, { force: true });
  } finally {
    rmSync(BREAKING, { force: true });
  }
}

async function acquire() {
  mkdirSync(out, { recursive: true });
  const mine = `${process.pid} ${startOf(process.pid) ?? "-"}`;
  const deadline = Date.now() + PATIENCE_MS;
  let told = false;
  while (!tryCreate(LOCK, mine)) {
    const seen = readIfThere(LOCK);
    if (seen === undefined) continue;
    if (!isHeld(seen)) {
      breakStaleLock(seen);
      continue;
    }
    if (!told) say(`another set-up of this folder is running (process ${seen.split(" ")[0]}); waiting for it`);
    told = true;
    if (Date.now() > deadline) throw new SetupError(`the other set-up does not end; if there is none, delete ${LOCK}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function release() {
  if (existsSync(LOCK) && readFileSync(LOCK, "utf8").startsWith(`${process.pid} `)) unlinkSync(LOCK);
}

export async function withLock(work) {
  await acquire();
  // An interrupted set-up gives the lock back when all is still; a killed one leaves it to be recognised as stale.
  const onSignal = async () => {
    say("interrupted; tidying up");
    await stopRunning();
    process.exit(130);
  };
  process.once("exit", release);
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  try {
    return await work();
  } finally {
    release();
    process.off("exit", release).off("SIGINT", onSignal).off("SIGTERM", onSignal);
  }
}
