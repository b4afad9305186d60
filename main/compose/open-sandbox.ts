import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { probeFolder } from "../../db/folder";
import { isPassing } from "../../db/journal/unavailable";
import type { Problem } from "../../db/open";
import { problemOf } from "../../db/problem";
import { openScheduleFires } from "../../db/schedule-fires";
import { noCrashPoints } from "../adapters/crash-points";
import { createRandomness } from "../adapters/randomness";
import { SandboxControl } from "../adapters/sandbox-control";
import { SkipWaiting } from "../adapters/skip-waiting";
import { createWorkspaceTime } from "../adapters/trusted-time";
import { createWorkspaceClock, type WorkspaceClock } from "../adapters/workspace-clock";
import type { Instant } from "../domain/ids";
import { earliest } from "../domain/next-action";
import type { SourceConfig, TrustedTime } from "../domain/ports";
import { deadlineOf } from "../domain/schedule";
import { EngineLoop } from "../engine/loop";
import { Scheduler } from "../engine/scheduler";
import { briefingDefinition } from "../pipeline/briefing/definition";
import { waitsForPerson } from "../pipeline/briefing/waits-for-person";
import { SandboxInUse } from "../sandbox/address";
import { startSandbox } from "../sandbox/start-sandbox";
import { importAudienceFile } from "./customers";
import { LANGUAGE } from "./language";
import { schedulesFrom } from "./schedules";
import { openWorkspace, type Workspace } from "./workspace";

/** The sandbox's first Monday: its samples are of the week before. */
const FIRST_EDITION = "2026-W30";
const FIRST_LOCAL = "08:00";

/** The sandbox workspace as the app runs it: remotes, clock, engine. */
export interface OpenSandbox {
  workspace: Workspace;
  clock: WorkspaceClock;
  trusted: TrustedTime;
  control: SandboxControl;
  skip: SkipWaiting;
  loop: EngineLoop;
  scheduler: Pick<Scheduler, "resume">;
  sources(): Promise<readonly SourceConfig[]>;
  /** Stops the engine after what is under way, gives leases back, closes everything. */
  finish(): Promise<void>;
  /** Closes at once; what is under way is unknown at the next start. */
  halt(): void;
}

export type OpenSandboxResult = { kind: "opened"; sandbox: OpenSandbox } | { kind: "problem"; problem: Problem };

export interface SandboxStart {
  /** The workspace's own folder. */
  dir: string;
  samplesDir: string;
  /** A folder of feeds and pages to read instead of the samples. */
  sourcesDir: string | null;
  onFault(error: unknown): void;
}

/** Starts the local website and mail provider, opens the workspace on them, imports the sample customers once, starts the engine. */
export async function openSandbox(options: SandboxStart): Promise<OpenSandboxResult> {
  try {
    return await openParts(options);
  } catch (error) {
    // The remotes keep their records in the same folder: what keeps them from it keeps us from it too. A Bug goes on.
    const found = problemOf(error, options.dir);
    // Making a folder in one that can only be read is refused with another code than writing to it, which is what counts.
    return { kind: "problem", problem: probeFolder(options.dir, false) ?? found };
  }
}

async function openParts(options: SandboxStart): Promise<OpenSandboxResult> {
  const { dir } = options;
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const clock = openClock(join(dir, "clock.json"));
  const trusted = createWorkspaceTime(clock);
  const remote = await startRemote(dir, options, clock);
  const control = new SandboxControl(remote.url);
  const sources = cachedSources(control);
  const opened = openWorkspace({
    dir,
    clock,
    random: createRandomness(),
    trusted,
    crash: noCrashPoints,
    remoteUrl: remote.url,
    sources,
    // Once what is under way has had its answer: it is the one that was told first.
    onUnavailable: (error) => {
      if (!isPassing(error)) setImmediate(() => options.onFault(error));
    },
    executorId: `app-${process.pid}-${Buffer.from(createRandomness().bytes(4)).toString("hex")}`,
  });
  if (opened.kind === "problem") {
    clock.stop();
    await remote.close();
    return opened;
  }
  const { workspace } = opened;
  if (workspace.customers.importVersion() === 0)
    importAudienceFile(workspace.customers, readFileSync(join(options.samplesDir, "audience.csv")));
  const last = workspace.reader.prepare<[], { at: number | null }>("SELECT max(at) AS at FROM event").get()?.at ?? 0;
  if (last > clock.now()) void clock.advanceTo(last);
  return {
    kind: "opened",
    sandbox: run({ workspace, clock, trusted, control, sources, remote, onFault: options.onFault }),
  };
}

function run(parts: {
  workspace: Workspace;
  clock: WorkspaceClock;
  trusted: TrustedTime;
  control: SandboxControl;
  sources(): Promise<readonly SourceConfig[]>;
  remote: { close(): Promise<void> };
  onFault(error: unknown): void;
}): OpenSandbox {
  const { workspace, clock, control } = parts;
  const { executor, journal } = workspace;
  const scheduler = openScheduler(parts);
  const loop = new EngineLoop({
    executor,
    journal,
    clock,
    scheduler,
    // What woke the engine may be a person's command, whose answer is still on its way out: a pass would go before it.
    beforePass: () => new Promise((resolve) => setImmediate(resolve)),
    // A backup that is put back later is recognised by what is noted here.
    onPass: () => void workspace.database.noteHead(),
    onFault: parts.onFault,
  });
  const skip = new SkipWaiting({
    clock,
    isBusy: () => executor.isBusy,
    isWithheld: async () => (await control.withheld()) > 0,
    dueAt: () => dueWithoutPerson(workspace),
  });
  loop.start();
  skip.start();
  let isClosed = false;
  const close = () => {
    if (isClosed) return;
    isClosed = true;
    skip.stop();
    clock.stop();
    workspace.close();
    void parts.remote.close();
  };
  return {
    ...parts,
    scheduler,
    skip,
    loop,
    finish: async () => {
      skip.stop();
      await workspace.reconciliation.stop();
      await loop.stop();
      if (!isClosed) executor.releaseAll();
      close();
    },
    halt: () => {
      loop.halt();
      close();
    },
  };
}

/** Begins the week's edition on Monday, if nobody has begun it by hand before; each morning holds what went out against the outside. */
function openScheduler(parts: { workspace: Workspace; clock: WorkspaceClock; trusted: TrustedTime }): Scheduler {
  const { workspace, clock, trusted } = parts;
  const { reconciliation } = workspace;
  const created = workspace.reader.prepare<[], { at: number }>("SELECT created_at AS at FROM journal_state").get();
  const { weekly, reconciliation: daily } = schedulesFrom(created?.at ?? clock.now());
  const jobs = [{ schedule: daily, run: () => reconciliation.runDaily() }];
  const pipelines = [{ schedule: weekly, definition: briefingDefinition, language: LANGUAGE }];
  const fires = openScheduleFires(workspace.database.sqlite);
  return new Scheduler({ pipelines, jobs, journal: workspace.journal, fires, clock, trusted });
}

/** The next due moment of a task that waits for time and not for a person. */
function dueWithoutPerson(workspace: Workspace): Instant | null {
  const waits = [...workspace.executor.waiting].filter(([taskId]) => {
    const task = workspace.journal.reader.task(taskId);
    return task !== null && !waitsForPerson(task);
  });
  return earliest(...waits.map(([, wait]) => wait.until));
}

async function startRemote(
  dir: string,
  from: { samplesDir: string; sourcesDir: string | null },
  clock: WorkspaceClock,
): Promise<{ url: string; close(): Promise<void> }> {
  try {
    return await startSandbox({
      dir: join(dir, "remote"),
      samplesDir: from.samplesDir,
      ...(from.sourcesDir === null ? {} : { sourcesDir: from.sourcesDir }),
      // Sources are read by requests that carry no clock: on the wall's the samples would be of another week.
      now: () => clock.now(),
    });
  } catch (error) {
    // A headless run on the same workspace has them running: the same remotes, not a second set.
    if (error instanceof SandboxInUse) return { url: error.url, close: async () => undefined };
    throw error;
  }
}

/** Asked once per start: the list is configuration, and the screens ask for it often. */
function cachedSources(control: SandboxControl): () => Promise<readonly SourceConfig[]> {
  let known: readonly SourceConfig[] | null = null;
  return async () => {
    known ??= await control.sources();
    return known ?? [];
  };
}

function openClock(file: string): WorkspaceClock {
  const first = deadlineOf(FIRST_EDITION, FIRST_LOCAL, briefingDefinition.deadlines.zone);
  return createWorkspaceClock({
    start: Math.max(first, readPosition(file)),
    rate: 1,
    persist: (now) => keepPosition(file, now),
  });
}

/** Where the clock was, or 0: then the journal's last event says where time has come to. */
function readPosition(file: string): Instant {
  if (!existsSync(file)) return 0;
  try {
    const kept: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof kept === "number" && Number.isSafeInteger(kept) ? kept : 0;
  } catch {
    // A torn position is none.
    return 0;
  }
}

function keepPosition(file: string, now: Instant): void {
  try {
    const draft = `${file}.${process.pid}.tmp`;
    writeFileSync(draft, JSON.stringify(now));
    renameSync(draft, file);
  } catch {
    // A full disk must not stop the clock: the journal refuses to write and says so, and the position is only comfort.
    return;
  }
}
