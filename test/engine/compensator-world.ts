import { openBreakers } from "../../db/breakers";
import { Journal } from "../../db/journal";
import { loadJournal } from "../../db/load-journal";
import { createPageProbe } from "../../main/adapters/probe";
import { sha256 } from "../../main/domain/hashing";
import { checkInvariants } from "../../main/domain/invariants";
import { slotOf } from "../../main/domain/keys";
import type { Clock, CrashPoints } from "../../main/domain/ports";
import type { CompensationRow, OperationRow } from "../../main/domain/records";
import { Breaker } from "../../main/engine/breaker";
import { Executor } from "../../main/engine/executor";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";
import { briefingRuntime } from "../../main/pipeline/briefing/runtime";
import type { SandboxConfig } from "../../main/sandbox/config";
import type { Sandbox } from "../../main/sandbox/start-sandbox";
import { fault as addFault, records, sandbox } from "../sandbox/world";
import { BriefingWalk } from "../support/briefing-walk";
import type { EditionOptions } from "../support/content-walk";
import { EDITOR, World } from "../support/world";

/**
 * Ahead of every machine's own clock: a remote goes by the latest time it has seen, and a public page is read without ours.
 * So its queries lag behind its writes here, as they would outside.
 */
const LATER = Date.parse("2031-01-06T00:00:00Z");

export const noCrash: CrashPoints = { reach: () => undefined };

/** Thrown where the process is to die. Nothing of ours catches it. */
export class Killed extends Error {}

/** Dies at the n-th time a point is reached, once. */
export function killAt(point: string, times = 1): CrashPoints {
  let left = times;
  return {
    reach: (reached) => {
      if (reached !== point) return;
      left -= 1;
      if (left === 0) throw new Killed(point);
    },
  };
}

/** Every point in the order it was reached, with the how-manieth time it was. */
export function notePoints(): CrashPoints & { points: { point: string; times: number }[] } {
  const points: { point: string; times: number }[] = [];
  return {
    points,
    reach: (point) => void points.push({ point, times: points.filter((one) => one.point === point).length + 1 }),
  };
}

/** The world's own time: it stands while nobody moves it, and a sleep ends when it is no longer waited for. */
export const manualClock = (world: { now: number }): Clock => ({
  now: () => world.now,
  monotonic: () => world.now,
  sleep: (_ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      signal?.addEventListener("abort", () => resolve(), { once: true });
    }),
  // Real milliseconds: nothing here takes long, and a withheld answer is to be given up soon.
  timeout: () => {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), 1_500);
    return { signal: controller.signal, cancel: () => clearTimeout(timer) };
  },
});

/** A journal on disk, real remotes on loopback, and a clock that the test moves: what undoing is tried on. */
export class UndoWorld {
  readonly world = new World(LATER);
  walk!: BriefingWalk;
  private executors = 0;
  private readonly kept = new Map<string, Uint8Array>();

  private constructor(readonly remote: Sandbox) {}

  static async open(config: Partial<SandboxConfig> = {}): Promise<UndoWorld> {
    const remote = await sandbox({ config: { bounces: 0, ...config } });
    return new UndoWorld(remote);
  }

  /** Begins an edition, or a further version of it, with everything outside pointed at the remotes. */
  begin(options: EditionOptions = {}): BriefingWalk {
    this.walk = new BriefingWalk(this.world, options);
    const { ports } = this.walk;
    const { url } = this.remote;
    Object.assign(ports, {
      clock: this.clock,
      random: { next: () => 0.5, bytes: (count: number) => new Uint8Array(count) },
      breaker: new Breaker(openBreakers(this.world.database.sqlite)),
      probe: createPageProbe(),
      cms: {
        ...ports.cms,
        target: url,
        requests: { ...ports.cms.requests, plannedUrl: (slug: string) => `${url}/site/${slug}` },
      },
      mail: { ...ports.mail, target: url },
      customers: {
        ...ports.customers,
        keepRequest: (id: string, bytes: Uint8Array) => {
          this.kept.set(id, bytes);
          return sha256(bytes);
        },
        keptRequest: (id: string) => this.kept.get(id) ?? null,
      },
    });
    return this.walk;
  }

  readonly clock = manualClock(this.world);

  /** A fresh executor with a journal object of its own, as after a start of the process. */
  executor(crash: CrashPoints = noCrash): Executor {
    this.executors += 1;
    const { ports } = this.walk;
    const runtime = briefingRuntime({ ...ports, crash });
    const journal = new Journal({
      sqlite: this.world.database.sqlite,
      definitions: [briefingDefinition],
      crash,
      now: () => this.world.now,
    });
    return new Executor({
      journal,
      clock: this.clock,
      random: ports.random,
      trusted: { read: () => this.world.trusted() },
      crash,
      breaker: ports.breaker,
      executorId: `e${this.executors}`,
      pipelineOf: () => runtime,
      adapterOf: (name) => (name === ports.cms.name ? ports.cms.adapter : ports.mail.adapter),
    });
  }

  /**
   * Lets an executor go on, moving time to whatever is due, until only a person can do something, or until the task is in the
   * state that is waited for.
   */
  async drive(executor = this.executor(), until: string | null = null): Promise<void> {
    for (let pass = 0; pass < 200; pass += 1) {
      const dueAt = await executor.runOnce();
      // A program that is closed gives its leases back; one that is killed does not.
      if (dueAt === null || this.walk.state === until) return executor.releaseAll();
      this.world.now = Math.max(dueAt, this.world.now + 1);
    }
    throw new Error(`it turned in circles in ${this.walk.state}`);
  }

  /** As `drive`, but dying and starting anew at a crash point. @returns whether it died. */
  async driveKilled(crash: CrashPoints): Promise<boolean> {
    let died = false;
    await this.drive(this.executor(crash)).catch((error: unknown) => {
      for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
        if (cause instanceof Killed) died = true;
      if (!died) throw error;
    });
    if (died) await this.drive();
    return died;
  }

  /** The page is out and proved, the send review open. */
  async published(options: EditionOptions = {}, title?: string): Promise<BriefingWalk> {
    const walk = this.begin(options);
    walk.to("awaiting_content_approval");
    if (title !== undefined) {
      walk.edit(title);
      walk.check();
    }
    walk.approveContent();
    await this.drive(this.executor(), "awaiting_send_approval");
    if (walk.state !== "awaiting_send_approval") throw new Error(`the page was not proved: ${walk.state}`);
    return walk;
  }

  /** Mailed as well. */
  async mailed(): Promise<BriefingWalk> {
    const walk = await this.published();
    walk.approveSend();
    await this.drive(this.executor(), "send_pending");
    return walk;
  }

  entry(action: string): CompensationRow {
    const found = this.walk
      .view()
      .compensations()
      .find((row) => row.action === action);
    if (!found) throw new Error(`no undo entry ${action}`);
    return found;
  }

  undo(action: string): OperationRow | null {
    const found = this.walk
      .view()
      .operations()
      .filter((row) => row.kind === "compensate" && row.intentKey.endsWith(`:${action}`));
    return found.at(-1) ?? null;
  }

  close(action: string, note = "told by letter", evidence = "https://desk.example/letters/7") {
    const { id } = this.entry(action);
    return this.world.execute(
      { type: "close_compensation", taskId: this.walk.taskId, compensationId: id, note, evidence },
      EDITOR,
      { expectedVersion: this.walk.view().task.stateVersion },
    );
  }

  resume(action: string, reason = "the server is back") {
    const { id } = this.entry(action);
    return this.world.execute(
      { type: "resume_compensation", taskId: this.walk.taskId, compensationId: id, reason },
      EDITOR,
      { expectedVersion: this.walk.view().task.stateVersion },
    );
  }

  /** Types of the events since compensation started, in order. */
  told(): string[] {
    return this.world.database.sqlite
      .prepare<[string], { type: string }>("SELECT type FROM event WHERE task_id = ? ORDER BY task_seq")
      .all(this.walk.taskId)
      .map((row) => row.type)
      .filter((_, index, all) => index >= all.indexOf("CompensationStarted"))
      .filter((type) => !type.startsWith("Lease"));
  }

  rows<T>(table: "recovery_item" | "alert"): T[] {
    return this.world.database.sqlite.prepare<[], T>(`SELECT * FROM ${table} ORDER BY rowid`).all();
  }

  violations(): string[] {
    const found = checkInvariants(loadJournal(this.world.database.sqlite));
    return found.map(({ invariant, subject, detail }) => `${invariant} ${subject}: ${detail}`);
  }

  fault = (rule: Record<string, unknown>) => addFault(this.remote.url, rule);
  /** What the remotes themselves say, now. */
  remotely = () => records(this.remote.url, new Date(this.world.now).toISOString());

  /** What a reader gets. */
  async page(): Promise<{ status: number; text: string }> {
    const slug = this.walk.ports.cms.requests.slugOf(slotOf("publish", this.walk.view().task.taskKey));
    const answer = await fetch(`${this.remote.url}/site/${slug}`, {
      headers: { "Imprimatur-Clock": new Date(this.world.now).toISOString() },
    });
    return { status: answer.status, text: await answer.text() };
  }
}
