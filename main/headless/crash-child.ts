import { type ChildProcess, spawn } from "node:child_process";
import { createSystemClock } from "../adapters/clock";
import { PAUSED } from "./demo-child";
import type { DemoOptions } from "./demo-options";
import type { Remotes } from "./remotes";

/** A child that says nothing for this long hangs; real ms. */
const CHILD_LIMIT_MS = 120_000;

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  errors: string;
}

export interface ChildRun {
  options: DemoOptions;
  /** The workspace. The remotes' own records lie elsewhere and survive. */
  dir: string;
  remotes: Pick<Remotes, "url" | "sourcesUrl">;
  more?: readonly string[];
  /** What is started: this very program, unless whoever asks is another one. */
  program?: readonly string[];
  /** The child runs as this user. Only the superuser can ask for it. */
  uid?: number;
  /** Kills the child from outside after so many real ms, wherever it is then. */
  killAfterMs?: number;
  /** Called when the child stands still at the point given with `--pause-at`; it goes on afterwards. */
  onPause?(pid: number): Promise<void> | void;
}

/** Runs the edition in a process of its own until that ends or is killed. */
export function runChild(run: ChildRun): Promise<Ended> {
  const { options, dir, remotes, more = [], program = [process.execPath, process.argv[1] as string], uid } = run;
  const [command, ...first] = program;
  const args = [
    ...first,
    "demo-child",
    "--options",
    JSON.stringify({ ...options, workspace: dir }),
    "--remote",
    remotes.url,
    ...(remotes.sourcesUrl === null ? [] : ["--sources-url", remotes.sourcesUrl]),
    ...more,
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(command as string, args, {
      stdio: [run.onPause ? "pipe" : "ignore", "ignore", "pipe"],
      timeout: CHILD_LIMIT_MS,
      killSignal: "SIGTERM",
      ...(uid === undefined ? {} : { uid, gid: uid }),
    });
    const ended = new AbortController();
    let errors = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      errors += text;
      if (text.startsWith(PAUSED)) letGoOn(child, run).catch(reject);
    });
    child.on("error", reject);
    child.on("close", (code, signal) => {
      ended.abort();
      resolve({ code, signal, errors });
    });
    if (run.killAfterMs !== undefined)
      void createSystemClock()
        .sleep(run.killAfterMs, ended.signal)
        .then(() => child.kill("SIGKILL"));
  });
}

async function letGoOn(child: ChildProcess, run: ChildRun): Promise<void> {
  try {
    await run.onPause?.(child.pid as number);
  } finally {
    child.stdin?.end("\n");
  }
}

/** Why a child did not end well, or null. */
export const stoppedBy = (ended: Ended): string | null =>
  ended.code === 0 ? null : ended.errors.trim().slice(0, 2000) || `the child ended with ${ended.signal ?? ended.code}`;
