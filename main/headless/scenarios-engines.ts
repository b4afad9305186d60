import type { Report } from "../adapters/debug-log";
import type { SandboxControl } from "../adapters/sandbox-control";
import type { WorkspaceClock } from "../adapters/workspace-clock";
import type { SourceConfig } from "../domain/ports";
import type { TaskView } from "../domain/view";
import type { Replacements, ScenarioStage } from "../sandbox/scenarios/stage";
import { type EngineInput, type OnPoint, openEngine, type ScenarioEngine } from "./scenarios-engine";
import { newestView } from "./scenarios-starting";
import type { Watch } from "./scenarios-watch";

export interface StageInput {
  dir: string;
  clock: WorkspaceClock;
  control: SandboxControl;
  sources: readonly SourceConfig[];
  replaced: Replacements;
  edition: string;
  report: Report;
  website(does: Parameters<ScenarioStage["atTheWebsite"]>[0]): Promise<void>;
  onPoint?: OnPoint | undefined;
  /** What replaces a part of the program by one that answers the same. */
  adjust?: EngineInput["adjust"];
  /** Hears of everything as it happens. */
  watch: Watch;
}

/** The processes of a scenario: engines on common files, named A, B, C in the order in which they were opened. */
export class ScenarioEngines {
  readonly engines: ScenarioEngine[] = [];
  commits = 0;
  /** Which engine works: the newest, except where more were opened only for their timers. */
  protected current = -1;
  private opened = 0;
  private readonly spent = { names: 0, drafts: 0 };

  constructor(protected readonly input: StageInput) {
    this.open();
  }

  get engine(): ScenarioEngine {
    return this.engines[this.current] as ScenarioEngine;
  }

  view(): TaskView {
    return newestView(this.engine.workspace);
  }

  /** Ends everything that still runs; what stood still is not woken to write once more. */
  close(): void {
    for (const engine of this.engines) {
      engine.pending?.catch(() => undefined);
      if (engine.workspace.database.sqlite.open) engine.close();
    }
  }

  /** One process ends, something is done to the files, another begins. */
  protected betweenTwo(act: () => void): void {
    this.engine.close();
    act();
    this.open();
  }

  protected open(): void {
    this.engines.push(this.begin());
    this.current = this.engines.length - 1;
  }

  /** A process that has died is followed by another in its place. */
  protected follow(dead: ScenarioEngine): ScenarioEngine {
    if (dead.workspace.database.sqlite.open) dead.close();
    const engine = this.begin();
    if (dead.deadly !== null) engine.killAt(dead.deadly);
    this.engines[this.engines.indexOf(dead)] = engine;
    return engine;
  }

  private begin(): ScenarioEngine {
    const { dir, clock: shared, control, sources, replaced, report, onPoint, adjust } = this.input;
    const name = String.fromCharCode(65 + this.opened);
    this.opened += 1;
    const outside = { remoteUrl: control.url, sources, replaced, spent: this.spent };
    const engine = openEngine({ name, dir, shared, report, ...outside, onPoint, adjust });
    engine.workspace.journal.onCommit((applied) => {
      this.commits += 1;
      this.input.watch.committed(engine.workspace, applied);
    });
    return engine;
  }
}
