import type { Report } from "../adapters/debug-log";
import type { SandboxControl } from "../adapters/sandbox-control";
import type { WorkspaceClock } from "../adapters/workspace-clock";
import type { SourceConfig } from "../domain/ports";
import type { TaskView } from "../domain/view";
import type { Replacements, ScenarioStage } from "../sandbox/scenarios/stage";
import { type EngineInput, openEngine, type ScenarioEngine } from "./scenarios-engine";
import { newestView } from "./scenarios-starting";

export interface StageInput {
  dir: string;
  clock: WorkspaceClock;
  control: SandboxControl;
  sources: readonly SourceConfig[];
  replaced: Replacements;
  edition: string;
  report: Report;
  website(does: Parameters<ScenarioStage["atTheWebsite"]>[0]): Promise<void>;
}

/** The processes of a scenario: engines on common files, named A, B, C in the order in which they were opened. */
export class ScenarioEngines {
  readonly engines: ScenarioEngine[] = [];
  commits = 0;
  /** Which engine works: the newest, except where more were opened only for their timers. */
  protected current = -1;

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
    const { dir, clock: shared, control, sources, replaced, report } = this.input;
    const name = String.fromCharCode(65 + this.engines.length);
    const input: EngineInput = { name, dir, remoteUrl: control.url, shared, sources, replaced, report };
    const engine = openEngine(input);
    engine.workspace.journal.onCommit(() => {
      this.commits += 1;
    });
    this.engines.push(engine);
    this.current = this.engines.length - 1;
  }
}
