import { type Report, traceOf } from "../adapters/debug-log";
import { createSeededRandomness } from "../adapters/randomness";
import { createWorkspaceTime } from "../adapters/trusted-time";
import { createWorkspaceClock } from "../adapters/workspace-clock";
import { openWorkspace, type Workspace } from "../compose/workspace";
import type { Instant } from "../domain/ids";
import type { Clock, CrashPoints, SourceConfig } from "../domain/ports";
import type { BriefingPorts } from "../pipeline/briefing/ports";
import type { Replacements } from "../sandbox/scenarios/stage";
import { type PausableClock, pausable } from "./scenarios-pause";
import { replaceOutside, type Spent } from "./scenarios-replace";

/** Thrown at a crash point: stands for the death of the process. Whoever catches it closes the engine and opens another. */
export class Killed extends Error {
  constructor(readonly point: string) {
    super(`killed at ${point}`);
    this.name = "Killed";
  }
}

/** One process's part of a scenario: a workspace opened on the common files, with a name in the lease. */
export interface ScenarioEngine {
  name: string;
  workspace: Workspace;
  clock: PausableClock;
  /** The pass under way, when the script went on while the remote held an answer back. */
  pending: Promise<Instant | null> | null;
  /** The point at which it dies the next time it reaches it. */
  readonly deadly: string | null;
  /** Dies the next time this point is reached. */
  killAt(point: string): void;
  close(): void;
}

export interface EngineInput {
  name: string;
  dir: string;
  remoteUrl: string;
  shared: Clock;
  sources: readonly SourceConfig[];
  replaced: Replacements;
  spent: Spent;
  /** The debug log, as the app has it. */
  report: Report;
  /** Hears of every named point before it is passed; may end the process there by throwing `Killed`. */
  onPoint?: OnPoint | undefined;
  adjust?: ((ports: BriefingPorts) => BriefingPorts) | undefined;
}

/** @param engine the name of the process that reached the point */
export type OnPoint = (engine: string, point: string) => void;

/** Opens the workspace as a process of its own would. @throws Error when it cannot be opened. */
export function openEngine(input: EngineInput): ScenarioEngine {
  const clock = pausable(input.shared);
  let deadly: string | null = null;
  const crash: CrashPoints = {
    reach: (point) => {
      input.onPoint?.(input.name, point);
      if (point !== deadly) return;
      deadly = null;
      throw new Killed(point);
    },
  };
  const opened = openWorkspace({
    dir: input.dir,
    clock,
    // Seeded: waits with jitter are the same in every run, and so is every due moment.
    random: createSeededRandomness(30),
    trusted: createWorkspaceTime(clock),
    crash,
    remoteUrl: input.remoteUrl,
    sources: async () => input.sources,
    executorId: input.name,
    durability: "simulation",
    onListenerFault: (error) => input.report({ code: "monitor_failed", error: traceOf(error) }),
    adjust: (ports) => replaceOutside(input.adjust?.(ports) ?? ports, input.replaced, input.spent),
  });
  if (opened.kind === "problem") throw new Error(`${opened.problem.code}: ${opened.problem.detail}`);
  const { workspace } = opened;
  if (input.replaced.brokenMonitor) workspace.journal.onCommit(() => breakDown(workspace));
  return {
    name: input.name,
    workspace,
    clock,
    pending: null,
    get deadly() {
      return deadly;
    },
    killAt: (point) => {
      deadly = point;
    },
    close: () => {
      workspace.executor.stop();
      clock.end();
      workspace.close();
    },
  };
}

/** A monitor that quotes in its error what it was looking at: a customer's address. */
function breakDown({ customers }: Workspace): never {
  const ids = customers.recipients().map((row) => row.recipientId);
  throw new Error(`cannot watch ${[...customers.addressesFor(ids).values()].join(", ")}`);
}

export const createScenarioClock = (start: Instant) => createWorkspaceClock({ start });
