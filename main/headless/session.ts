import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isPassing } from "../../db/journal/unavailable";
import { createRandomness } from "../adapters/randomness";
import { SandboxControl } from "../adapters/sandbox-control";
import { createWorkspaceTime } from "../adapters/trusted-time";
import { createWorkspaceClock, type WorkspaceClock } from "../adapters/workspace-clock";
import { openWorkspace, type Workspace } from "../compose/workspace";
import type { Instant } from "../domain/ids";
import type { CrashPoints, SourceConfig } from "../domain/ports";
import { deadlineOf } from "../domain/schedule";
import { briefingDefinition } from "../pipeline/briefing/definition";

/** The hour at which the editor's week begins in the demo. */
const START_LOCAL = "08:00";

/** When the week of an edition begins in headless runs (ms UTC). @throws Bug when the text names no ISO week. */
export const startOf = (edition: string): Instant =>
  deadlineOf(edition, START_LOCAL, briefingDefinition.deadlines.zone);

export interface Session {
  workspace: Workspace;
  clock: WorkspaceClock;
  control: SandboxControl;
  /** Why the journal could not be written, or null: nothing is to be gained by going on. */
  unavailable(): unknown;
  close(): void;
}

export interface SessionOptions {
  dir: string;
  remoteUrl: string;
  /** Where the list of sources is; the remote's own by default. */
  sourcesUrl: string | null;
  edition: string;
  crash: CrashPoints;
  durability?: "full" | "simulation";
}

/**
 * Opens a workspace for a headless run on a clock that stands still until it is moved. After a kill the clock goes on where
 * it was, or where the journal's last event says, whichever is later: time never runs backwards over a restart.
 * @throws Error with the problem's path when the workspace cannot be opened.
 */
export function openSession(options: SessionOptions): Session {
  const start = Math.max(readClock(clockFileOf(options.dir)), startOf(options.edition));
  const clock = createWorkspaceClock({ start, persist: (now) => writeClock(options.dir, now) });
  const control = new SandboxControl(options.remoteUrl);
  const random = createRandomness();
  let unavailable: unknown = null;
  const opened = openWorkspace({
    dir: options.dir,
    clock,
    random,
    trusted: createWorkspaceTime(clock),
    crash: options.crash,
    remoteUrl: options.remoteUrl,
    sources: () => listSources(options.sourcesUrl ?? options.remoteUrl),
    executorId: `headless-${process.pid}`,
    onUnavailable: (error) => {
      if (!isPassing(error)) unavailable = error;
    },
    ...(options.durability ? { durability: options.durability } : {}),
  });
  if (opened.kind === "problem")
    throw new Error(`${opened.problem.code}: ${opened.problem.path}: ${opened.problem.detail}`);
  const { workspace } = opened;
  const last = workspace.reader.prepare<[], { at: number | null }>("SELECT max(at) AS at FROM event").get()?.at ?? 0;
  if (last > clock.now()) void clock.advanceTo(last);
  const close = () => {
    clock.stop();
    workspace.close();
  };
  return { workspace, clock, control, close, unavailable: () => unavailable };
}

/** The sources that a server offers. @throws Error when it offers none: an edition without sources is a mistake of the call. */
export async function listSources(url: string): Promise<readonly SourceConfig[]> {
  const sources = await new SandboxControl(url).sources();
  if (sources === null || sources.length === 0)
    throw new Error(`${url} offers no list of sources (/sources/index.json)`);
  return sources;
}

function readClock(file: string): Instant {
  if (!existsSync(file)) return 0;
  const value: unknown = JSON.parse(readFileSync(file, "utf8"));
  return typeof value === "number" ? value : 0;
}

const clockFileOf = (dir: string): string => join(dir, "clock.json");

/** Renamed into place, so that a kill in the middle leaves the old position and not half a number. */
export function writeClock(dir: string, now: Instant): void {
  const file = clockFileOf(dir);
  // Another process may be at the same workspace: each has a draft of its own.
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, JSON.stringify(now));
  renameSync(draft, file);
}
