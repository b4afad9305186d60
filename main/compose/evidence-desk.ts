import { rmSync } from "node:fs";
import { dirname } from "node:path";
import type { z } from "zod";
import type { Input, MadeBundle, Output } from "../../preload/contract";
import type { Clock } from "../domain/ports";
import type { BackgroundCheck } from "./background-check";
import type { ChildProgram, StartChild } from "./child-program";
import { partOf } from "./evidence-file";
import { type EvidenceOrder, EvidenceReport } from "./evidence-report";
import type { EvidenceSubject } from "./evidence-subject";
import { SigningDesk, type SigningOptions, type SigningWorkspace } from "./signing-desk";

type Evidence = Output<"evidence.get">;
type Work = NonNullable<Evidence["work"]>;
type Started = Output<"evidence.export">;
type Choice = Pick<Input<"evidence.export">, "withBytes" | "stamp">;
export type BundleRecord = z.infer<typeof MadeBundle>;

/** The workspace that is open. */
export interface EvidenceWorkspace extends SigningWorkspace {
  check: Pick<BackgroundCheck, "chain" | "start">;
}

export interface EvidenceDeskOptions extends SigningOptions {
  /** The child program's file. */
  file: string;
  startChild: StartChild;
  /** Real time: when a bundle was made. */
  clock: Clock;
  bundles: { read(): readonly BundleRecord[]; add(bundle: BundleRecord): void };
  files: SigningOptions["files"] & { chooseBundle(): Promise<string | null> };
  workspace(): EvidenceWorkspace | null;
  language(): "en" | "zh-CN";
  onChange(evidence: Evidence): void;
}

interface Job {
  child: ChildProgram;
  work: Work;
  /** What an ended child would leave behind. */
  part: string | null;
  done(report: EvidenceReport): void;
}

/** Makes and opens bundles in a child program, one at a time; the window and the open workspace go on meanwhile. */
export class EvidenceDesk {
  private job: Job | null = null;
  private isChoosing = false;
  private outcome: Evidence["outcome"] = null;
  private opened: Evidence["opened"] = null;

  readonly signing: SigningDesk;

  constructor(private readonly options: EvidenceDeskOptions) {
    this.signing = new SigningDesk(options, () => this.changed());
  }

  get(): Evidence {
    const { bundles } = this.options;
    const workspace = this.options.workspace();
    const { outcome, opened, job } = this;
    return {
      ...this.signing.get(),
      check: workspace?.check.chain ?? null,
      work: job?.work ?? null,
      outcome,
      made: [...bundles.read()],
      opened,
    };
  }

  /** What a bundle would hold; asked of a child program of its own, since a large journal takes a while. */
  plan(subject: EvidenceSubject | null, withBytes: boolean): Promise<Output<"evidence.plan">> {
    const workspace = this.options.workspace();
    if (workspace === null) return Promise.resolve({ result: "failed", detail: "no_workspace" });
    if (subject === null) return Promise.resolve({ result: "failed", detail: "no_tasks" });
    const { selection } = subject;
    const order = { kind: "plan", workspace: workspace.dir, selection, withBytes } as const;
    return new Promise((resolve) => {
      const child = this.startChild(order, (report) => {
        if (report.kind === "progress" || report.kind === "asking") return;
        if (report.kind === "planned") resolve({ result: "planned", plan: report.plan });
        else resolve({ result: "failed", detail: report.kind === "failed" ? report.reason : report.kind });
        child.end();
      });
    });
  }

  /** Lets the person name a file and begins to write it. */
  async export(subject: EvidenceSubject | null, { withBytes, stamp }: Choice): Promise<Started> {
    const workspace = this.options.workspace();
    if (workspace === null) return { result: "no_workspace" };
    if (subject === null) return { result: "not_found" };
    const { selection, label, taskId, of } = subject;
    const key = this.signing.order(workspace);
    if (key === null) return { result: "no_key" };
    const out = await this.choose(() => this.options.files.chooseNew(`${label}.evidence.zip`));
    if (typeof out !== "string") return out;
    const owner = process.pid;
    const language = this.options.language();
    const order = {
      kind: "export",
      workspace: workspace.dir,
      selection,
      withBytes,
      out,
      key,
      timestampUrl: stamp === true ? this.options.timestampServer.read() : null,
      language,
      owner,
    } as const;
    this.begin(order, { kind: "export", label, done: 0, of: 0 }, partOf(out, owner), (report) => {
      if (report.kind !== "exported") return this.fail("export", report);
      const { kind: _kind, timestamp, ...made } = report;
      const bundle = {
        ...made,
        at: this.options.clock.now(),
        taskId,
        file: out,
        withBytes,
        ...(of === null ? {} : { of }),
        ...(timestamp === null ? {} : { timestamp }),
      };
      this.options.bundles.add(bundle);
      this.outcome = { kind: "exported", bundle };
    });
    return { result: "started" };
  }

  /** Opens a bundle that was made here, or one that the person chooses, read-only. */
  async open({ sha256 }: Input<"evidence.open">): Promise<Started> {
    const made = this.options.bundles.read().find((bundle) => bundle.sha256 === sha256);
    if (sha256 !== null && made === undefined) return { result: "not_found" };
    const file = await this.choose(() => made?.file ?? this.options.files.chooseBundle());
    if (typeof file !== "string") return file;
    this.opened = null;
    const order = { kind: "open", file, workspace: this.options.workspace()?.dir ?? null } as const;
    this.begin(order, { kind: "open", label: nameOf(file), done: 0, of: 0 }, null, (report) => {
      if (report.kind !== "opened") return this.fail("open", report);
      this.opened = report.bundle;
      this.outcome = { kind: "opened" };
    });
    return { result: "started" };
  }

  /** Asks an export to stop, which cleans up after itself; reading is just ended. */
  cancel(): void {
    const { job } = this;
    if (job === null) return;
    if (job.work.kind === "export") job.child.send({ kind: "stop" } satisfies EvidenceOrder);
    else this.finish(job, { kind: "stopped" });
  }

  putAway(): void {
    this.outcome = null;
    this.opened = null;
    this.changed();
  }

  check(): void {
    this.options.workspace()?.check.start();
  }

  /** The workspace was closed, or another one was opened: nothing of the one is said beside the other. */
  forgetWorkspace(): void {
    this.outcome = null;
    if (this.opened !== null) this.opened = { ...this.opened, comparison: null };
  }

  /** The program ends: nothing is left running, and nothing half-written. */
  stop(): void {
    const { job } = this;
    this.job = null;
    job?.child.end();
    if (job?.part) rmSync(job.part, { force: true });
  }

  changed(): void {
    this.options.onChange(this.get());
  }

  private async choose(ask: () => Promise<string | null> | string): Promise<string | Started> {
    if (this.job !== null || this.isChoosing) return { result: "busy" };
    this.isChoosing = true;
    try {
      return (await ask()) ?? { result: "nothing_chosen" };
    } finally {
      this.isChoosing = false;
    }
  }

  private begin(order: EvidenceOrder, work: Work, part: string | null, done: Job["done"]): void {
    this.outcome = null;
    const child = this.startChild(order, (report) => {
      if (this.job?.child !== child) return;
      const { work } = this.job;
      if (report.kind === "progress") this.job.work = { ...work, done: report.done, of: report.of };
      else if (report.kind === "asking") this.job.work = { ...work, asking: report.key };
      else return this.finish(this.job, report);
      this.changed();
    });
    this.job = { child, work, part, done };
    this.changed();
  }

  /** Tells what the child says, parsed, and once that it ended before it had said what came of it. */
  private startChild(order: EvidenceOrder, tell: (report: EvidenceReport) => void): ChildProgram {
    const child = this.options.startChild(this.options.file);
    child.onMessage((message) => {
      const parsed = EvidenceReport.safeParse(message);
      tell(parsed.success ? parsed.data : { kind: "failed", reason: "unreadable_report" });
    });
    child.onEnd((code) => tell({ kind: "failed", reason: `ended_early ${code ?? ""}`.trim() }));
    child.send(order);
    return child;
  }

  private finish(job: Job, report: EvidenceReport): void {
    this.job = null;
    job.done(report);
    job.child.end();
    const clear = () => job.part !== null && rmSync(job.part, { force: true });
    // Only once the program is gone does nothing of it come back; it may be gone already.
    job.child.onEnd(clear);
    clear();
    this.changed();
  }

  private fail(work: Work["kind"], report: EvidenceReport): void {
    const detail = report.kind === "failed" ? report.reason : report.kind;
    this.outcome = report.kind === "stopped" ? { kind: "cancelled", work } : { kind: "failed", work, detail };
  }
}

/** A file's own name, as much of it as a line can show. */
const nameOf = (file: string): string =>
  file
    .slice(dirname(file).length)
    .replace(/^[\\/]/, "")
    .slice(0, 200);
