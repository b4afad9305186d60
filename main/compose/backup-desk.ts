import type { z } from "zod";
import type { BackupRecord, BackupSettings, Output } from "../../preload/contract";
import type { Instant } from "../domain/ids";
import type { Clock } from "../domain/ports";
import { objectionToTarget } from "./backup-folder";
import { type BackupOrder, BackupReport } from "./backup-report";
import type { ChildProgram, StartChild } from "./child-program";

type Backups = Output<"backups.get">;
type Record = z.infer<typeof BackupRecord>;
export type BackupChoices = z.infer<typeof BackupSettings>;

/** How often it looks whether a backup is due; looking costs nothing. */
const LOOK_MS = 60_000;
const DAILY_MS = 24 * 60 * 60 * 1000;
/** After one that came to nothing. */
const AGAIN_MS = 60 * 60 * 1000;
/** Workspaces whose results are remembered. */
const REMEMBERED = 20;

/** The open workspace, as its backups need it. */
export interface BackupPlace {
  id: string;
  dir: string;
  /** By its own clock. */
  now(): Instant;
  /** Nothing is on its way out. */
  isIdle(): boolean;
}

export interface BackupDeskOptions {
  /** The child program's file. */
  file: string;
  startChild: StartChild;
  /** This computer's clock: how often it looks. */
  clock: Clock;
  store: { read(): BackupChoices; write(choices: BackupChoices): boolean };
  /** The system's own dialog; null: nothing was chosen. */
  chooseFolder(): Promise<string | null>;
  showFolder(folder: string): void;
  place(): BackupPlace | null;
  onChange(backups: Backups): void;
}

/** Where nobody keeps choices: off for good. */
export const NO_BACKUPS: Pick<BackupDeskOptions, "store" | "chooseFolder"> = {
  store: { read: () => ({ folder: null, keep: 14, results: [] }), write: () => false },
  chooseFolder: async () => null,
};

interface Running {
  child: ChildProgram;
  workspaceId: string;
  at: Instant;
  into: string;
  progress: NonNullable<Backups["running"]>;
}

/** Backups of the open workspace: by hand and once a day, one at a time, in a program of their own. Off until a folder is chosen. */
export class BackupDesk {
  private running: Running | null = null;
  private readonly stopped = new AbortController();

  constructor(private readonly options: BackupDeskOptions) {}

  get(): Backups {
    const { folder, keep } = this.options.store.read();
    const { last, made } = this.remembered();
    return { folder, keep, running: this.running?.progress ?? null, last, made };
  }

  /** What the health screens say: the last one that was made, and why the last try came to nothing. */
  health(): { backupAt: Instant | null; backupFault: string | null; backupsOn: boolean } {
    const { last, made } = this.remembered();
    return {
      backupAt: made?.at ?? null,
      backupFault: last?.result === "failed" ? last.code : null,
      backupsOn: this.options.store.read().folder !== null,
    };
  }

  /** Lets the person choose where backups go; from then on one is made every day. */
  async choose(): Promise<Output<"backups.choose">> {
    const into = await this.options.chooseFolder();
    const place = this.options.place();
    if (into === null || place === null) return { result: "nothing_chosen" };
    const objection = objectionToTarget(place.dir, into);
    if (objection !== null) return { result: objection };
    return { result: this.change({ folder: into }) ? "chosen" : "not_saved" };
  }

  turnOff(): Output<"backups.choose"> {
    return { result: this.change({ folder: null }) ? "chosen" : "not_saved" };
  }

  setKeep(keep: number): Output<"backups.choose"> {
    return { result: this.change({ keep }) ? "chosen" : "not_saved" };
  }

  /** Begins one. Does nothing while one is being made, or where no folder is chosen. */
  start(): Backups {
    const place = this.options.place();
    const { folder: into, keep } = this.options.store.read();
    if (this.running !== null || place === null || into === null) return this.get();
    const child = this.options.startChild(this.options.file);
    const at = place.now();
    const running: Running = { child, workspaceId: place.id, at, into, progress: { step: "journal", done: 0, of: 0 } };
    this.running = running;
    child.onMessage((message) => this.hear(running, message));
    child.onEnd((code) => this.fail(running, "ended_early", String(code ?? "")));
    child.send({ dir: place.dir, into, at, keep } satisfies BackupOrder);
    return this.changed();
  }

  /** Ends it. What it had begun never had a backup's name, and is removed by the next one. */
  cancel(): Backups {
    const { running } = this;
    this.running = null;
    running?.child.end();
    return this.changed();
  }

  show(): void {
    const { folder } = this.options.store.read();
    if (folder !== null) this.options.showFolder(folder);
  }

  /** Looks again and again whether a backup is due, until the program ends. */
  async keepLooking(): Promise<void> {
    const { signal } = this.stopped;
    for (;;) {
      await this.options.clock.sleep(LOOK_MS, signal);
      if (signal.aborted) return;
      this.startIfDue();
    }
  }

  /** Once a day, when nothing is on its way out; an hour after one that failed. */
  startIfDue(): void {
    const place = this.options.place();
    if (place === null || this.running !== null || !place.isIdle()) return;
    const { last } = this.remembered();
    const age = last === null ? DAILY_MS : place.now() - last.at;
    // A clock that was set back must not put backups off until it has caught up.
    if (age < 0 || age >= (last?.result === "failed" ? AGAIN_MS : DAILY_MS)) this.start();
  }

  stop(): void {
    this.stopped.abort();
    const { running } = this;
    this.running = null;
    running?.child.end();
  }

  private hear(running: Running, message: unknown): void {
    if (this.running !== running) return;
    const parsed = BackupReport.safeParse(message);
    if (!parsed.success) return this.fail(running, "unknown", "unreadable report");
    const report = parsed.data;
    if (report.kind === "ended") return this.end(running, report.result);
    running.progress = { step: report.step, done: report.done, of: report.of };
    this.changed();
  }

  private fail(running: Running, code: Extract<Record, { result: "failed" }>["code"], detail: string): void {
    this.end(running, { result: "failed", at: running.at, code, path: running.into, detail });
  }

  private end(running: Running, last: Record): void {
    if (this.running !== running) return;
    this.running = null;
    running.child.end();
    const { workspaceId } = running;
    const { results } = this.options.store.read();
    const before = results.find((one) => one.workspaceId === workspaceId);
    const made = last.result === "made" ? last : (before?.made ?? null);
    const others = results.filter((one) => one.workspaceId !== workspaceId);
    this.change({ results: [{ workspaceId, last, made }, ...others].slice(0, REMEMBERED) });
  }

  private remembered(): Pick<Backups, "last" | "made"> {
    const id = this.options.place()?.id;
    const found = this.options.store.read().results.find(({ workspaceId }) => workspaceId === id);
    return { last: found?.last ?? null, made: found?.made ?? null };
  }

  private change(change: Partial<BackupChoices>): boolean {
    const { store } = this.options;
    const isKept = store.write({ ...store.read(), ...change });
    this.changed();
    return isKept;
  }

  private changed(): Backups {
    const backups = this.get();
    this.options.onChange(backups);
    return backups;
  }
}
