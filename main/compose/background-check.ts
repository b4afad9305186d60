import { existsSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { z } from "zod";
import type { KeptCheck, Output } from "../../preload/contract";
import type { BrokenJournal } from "../commands/open-found-incidents";
import type { Clock } from "../domain/ports";
import type { Checks } from "./views";

/** What the worker tells. */
export type CheckReport =
  | { kind: "progress"; done: number; of: number }
  | {
      kind: "found";
      /** What SQLite's full check names, or null. */
      damage: string | null;
      chainOk: boolean;
      /** What the check of both chains says: how far it came, or which event is wrong. */
      detail: string;
      events: number;
      head: string;
      violations: number;
      /** The first of them by name. */
      named: BrokenJournal["violations"];
    };

type Chain = NonNullable<Output<"evidence.get">["check"]>;
export type CheckRecord = z.infer<typeof KeptCheck>;

/** Where the last results of all workspaces are remembered, newest first. */
export interface KeptChecks {
  read(): readonly CheckRecord[];
  add(check: CheckRecord): void;
}

/** Longer than any five faults that are named. */
const LONGEST_DETAIL = 4_000;

/** How long the first check of a start waits: on two processors it took a fifth of the time until the window was there. */
const AFTER_OPENING_MS = 2_000;

/** Runs the whole check in a worker, one at a time, and keeps what it found last. */
export class BackgroundCheck {
  private found: Checks = { chainVerifiedAt: null, invariantViolations: null };
  private running: Chain["running"] = null;
  private lastChain: Chain["last"] = null;
  private worker: Worker | null = null;
  private readonly stopped = new AbortController();

  constructor(
    private readonly options: {
      dir: string;
      clock: Clock;
      /** Without it, nothing is remembered. */
      kept?: { workspaceId: string; checks: KeptChecks };
      onFound(): void;
      /** Told what is broken, where something is. */
      onBroken?(broken: BrokenJournal): void;
      /** Told when a check begins, goes on and has ended. */
      onProgress?(): void;
      onFault(error: unknown): void;
      /** The worker's file, when not beside the built program. */
      file?: string;
    },
  ) {
    const { kept } = options;
    const last = kept?.checks.read().find((check) => check.workspaceId === kept.workspaceId);
    if (last === undefined) return;
    const { workspaceId: _workspaceId, ...found } = last;
    this.lastChain = found;
  }

  get last(): Checks {
    return this.found;
  }

  /** How far the check is that runs, and what the last one found, be it before this start. */
  get chain(): Chain {
    return { running: this.running, last: this.lastChain };
  }

  /** The first check, once the window has had the processors to itself. */
  async startLater(): Promise<void> {
    const { signal } = this.stopped;
    await this.options.clock.sleep(AFTER_OPENING_MS, signal);
    if (!signal.aborted) this.start();
  }

  /** Does nothing while a check is under way, or where the worker's file is not beside the program (tests from source). */
  start(): void {
    const { file = join(__dirname, "check.worker.cjs") } = this.options;
    if (this.worker !== null || !existsSync(file)) return;
    const worker = new Worker(file, { workerData: { dir: this.options.dir } });
    this.worker = worker;
    this.running = { done: 0, of: 0 };
    this.options.onProgress?.();
    worker.on("message", (report: CheckReport) => this.hear(report));
    worker.once("error", (error) => this.options.onFault(error));
    worker.once("exit", () => {
      this.worker = null;
      this.running = null;
      this.options.onProgress?.();
    });
  }

  private hear(report: CheckReport): void {
    if (report.kind === "progress") {
      this.running = { done: report.done, of: report.of };
      this.options.onProgress?.();
      return;
    }
    // A large journal is opened unread. What turns out to be damaged is left as it is, like one that is found so at the start.
    if (report.damage !== null)
      return this.options.onFault(Object.assign(new Error(report.damage), { code: "SQLITE_CORRUPT" }));
    const at = this.options.clock.now();
    const { chainOk: ok, detail, events, head, violations } = report;
    const found = { at, ok, events, head, detail: detail.slice(0, LONGEST_DETAIL), violations };
    this.lastChain = found;
    const { kept } = this.options;
    kept?.checks.add({ ...found, workspaceId: kept.workspaceId });
    this.found = { chainVerifiedAt: ok ? at : this.found.chainVerifiedAt, invariantViolations: violations };
    if (!ok || violations > 0) this.options.onBroken?.({ chain: ok ? null : found.detail, violations: report.named });
    this.options.onFound();
  }

  stop(): void {
    this.stopped.abort();
    void this.worker?.terminate();
  }
}
