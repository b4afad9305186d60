import { existsSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Output } from "../../preload/contract";
import type { ChildProgram, StartChild } from "./child-program";
import { LedgerReport } from "./ledger-report";

export interface SampleLedgerOptions {
  /** The workspace's folder: there only once it is whole. */
  dir: string;
  samplesDir: string;
  /** The child program's file. */
  file: string;
  startChild: StartChild;
  isThere(): boolean;
  /** Told of every step, also of the last one. */
  onChange(): void;
}

interface Building {
  child: ChildProgram;
  done: number;
  of: number;
}

/** Lets a child program make the sample ledger, one at a time; the window and the open workspace go on meanwhile. */
export class SampleLedger {
  private building: Building | null = null;
  private failed: string | null = null;

  constructor(private readonly options: SampleLedgerOptions) {}

  get(): Output<"app.bootstrap">["ledger"] {
    const { building, failed } = this;
    if (building !== null) return { state: "building", done: building.done, of: building.of, failed: null };
    return { state: this.options.isThere() ? "ready" : "absent", done: 0, of: 0, failed };
  }

  /** Begins to make it. Does nothing where it is being made. */
  build(): void {
    if (this.building !== null) return;
    const { dir, samplesDir, file, startChild } = this.options;
    this.failed = null;
    this.clear();
    const building: Building = { child: startChild(file), done: 0, of: 0 };
    this.building = building;
    building.child.onMessage((message) => this.hear(building, message));
    building.child.onEnd((code) => this.end(building, `ended_early ${code ?? ""}`.trim()));
    building.child.send({ dir, samplesDir });
    this.options.onChange();
  }

  /** Ends the making, and leaves nothing of it. */
  cancel(): void {
    if (this.building !== null) this.end(this.building, null);
  }

  /** The program ends. */
  stop(): void {
    const { building } = this;
    this.building = null;
    if (building === null) return;
    building.child.end();
    this.clear();
  }

  private hear(building: Building, message: unknown): void {
    if (this.building !== building) return;
    const parsed = LedgerReport.safeParse(message);
    if (!parsed.success) return this.end(building, "unreadable_report");
    const report = parsed.data;
    if (report.kind === "built") return this.end(building, null);
    if (report.kind === "failed") return this.end(building, report.reason);
    Object.assign(building, { done: report.done, of: report.of });
    this.options.onChange();
  }

  /** @param failed why there is nothing; null where it was made, or where that was what a person wanted */
  private end(building: Building, failed: string | null): void {
    if (this.building !== building) return;
    this.building = null;
    this.failed = failed === null ? null : failed.slice(0, 500);
    // Only once the program is gone does nothing of it come back.
    building.child.onEnd(() => this.building === null && this.clear());
    building.child.end();
    this.options.onChange();
  }

  /** What an ended program had begun beside the folder is nobody's. Called at the start, and between two tries. */
  clear(): void {
    const parent = dirname(this.options.dir);
    if (!existsSync(parent)) return;
    const begun = `${basename(this.options.dir)}.building-`;
    for (const name of readdirSync(parent).filter((entry) => entry.startsWith(begun)))
      rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 3 });
  }
}
