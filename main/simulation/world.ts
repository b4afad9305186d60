import type { Applied } from "../../db/journal";
import { loadJournal } from "../../db/load-journal";
import type { Sqlite } from "../../db/open";
import { createWorkspaceClock, type WorkspaceClock } from "../adapters/workspace-clock";
import { checkInvariants, checkRemote, type Violation } from "../domain/invariants";
import type { TrustedTime } from "../domain/ports";
import { deadlineOf } from "../domain/schedule";
import { briefingDefinition } from "../pipeline/briefing/definition";
import type { DraftDocument } from "../pipeline/briefing/draft-schema";
import { Crash, Life, type Wall } from "./crash";
import { Crashes } from "./crashes";
import { Dice } from "./dice";
import { Faults } from "./faults";
import { keepWorkspace } from "./keep-workspace";
import { isIncident, stuckTasks } from "./liveness";
import { createMemoryBlobs, createMemoryCustomers, type MemoryBlobs, openMemoryJournal } from "./memory";
import { Person } from "./person";
import { type Ground, Process } from "./process";
import { RemoteCore } from "./remote-core";
import { StepWatch } from "./step-watch";
import { Trace } from "./trace";
import { Trespasser } from "./trespasser";
import { RemoteWatch } from "./watch";
import { dropConstraints, weakenedRules } from "./weakening";
import { Weather } from "./weather";
import type { WorldOptions, WorldResult } from "./world-options";

const HOUR = 3_600_000;
const WEEKS = ["2026-W30", "2026-W31", "2026-W32", "2026-W33", "2026-W34"] as const;
/** A world takes five hundred steps; many more mean that something turns in circles. */
const MAX_STEPS = 5_000;

/** A whole world from one seed: journal, remotes, processes, people, and everything that goes wrong between them. */
export class World {
  readonly sqlite: Sqlite;
  readonly blobs: MemoryBlobs = createMemoryBlobs();
  readonly trace: Trace;
  private readonly clock: WorkspaceClock;
  private readonly trusted: TrustedTime;
  private readonly weather: Weather;
  private readonly core = new RemoteCore("https://remote.example");
  private readonly watch: RemoteWatch;
  private readonly steps: StepWatch;
  private readonly faults: Faults;
  private readonly ground: Ground;
  private readonly trespasser: Trespasser;
  private readonly chance: Dice;
  private readonly crashes: Crashes;
  private readonly login = { isValid: true };
  private readonly staleReads = { left: 0 };
  private readonly wall: Wall = { offsetMs: 0 };
  private readonly customers = createMemoryCustomers(["r1", "r2", "r3", "r4", "r5"]);
  private processes: Process[] = [];
  /** Crashed ones: parts of a zombie may still be at work. */
  private fallen: Process[] = [];
  private readonly faultsOfOurs: Violation[] = [];
  private readonly circles: string[] = [];
  private starts = 0;
  private edition: (typeof WEEKS)[number] = WEEKS[0];
  private isOpen = false;
  private isWilling = true;
  private lagMs = 0;
  private readonly counted = { steps: 0, unknowns: 0, reconciled: 0 };

  constructor(private readonly options: WorldOptions) {
    const { seed } = options;
    const start = deadlineOf(WEEKS[0], "08:00", briefingDefinition.deadlines.zone);
    this.clock = createWorkspaceClock({ start, rate: 0 });
    this.sqlite = openMemoryJournal(start);
    this.weather = new Weather({
      clock: this.clock,
      dice: new Dice(seed, 20),
      sqlite: this.sqlite,
      wall: this.wall,
      processes: () => this.processes,
      isRough: () => this.isOpen && this.faults.isActive,
      note: (text) => this.trace.note("world", text),
    });
    this.trusted = this.weather.trusted;
    this.trace = new Trace(() => this.clock.now(), options.keepTrace ?? false);
    this.chance = new Dice(seed, 1);
    this.crashes = new Crashes(new Dice(seed, 21), (process, point) => this.buried(process, point));
    this.watch = new RemoteWatch(this.sqlite, this.blobs);
    this.steps = new StepWatch(this.sqlite);
    this.faults = new Faults({
      dice: new Dice(seed, 2),
      rate: this.chance.pick([0.08, 0.15, 0.3]),
      beyondHorizon: options.beyondHorizon ?? false,
      limit: options.faultLimit ?? Number.POSITIVE_INFINITY,
      note: (text) => this.trace.note("world", text),
    });
    this.ground = this.prepareGround();
    this.trespasser = new Trespasser({
      ...{ clock: this.clock, line: this.ground.line, life: new Life(), blobs: this.blobs, customers: this.customers },
      desk: () => this.processes[0]?.desk("editor:trespasser") ?? null,
      undoes: options.broken === "I07",
      note: (text) => this.trace.note("trespasser", text),
    });
    if (options.broken) dropConstraints(this.sqlite, options.broken);
  }

  async run(): Promise<WorldResult> {
    const editions = this.chance.between(2, 3);
    for (const [index, edition] of WEEKS.entries()) {
      const needsMore = this.counted.unknowns === 0 || this.crashes.happened === 0;
      if (index >= editions && !needsMore) break;
      await this.liveWeek(edition, index === 0 || index >= editions);
      this.check();
      if (this.violations().length + this.circles.length > 0) break;
    }
    const isWhole = this.violations().length === 0;
    const stuck = [...this.circles, ...(isWhole ? stuckTasks(this.sqlite, this.clock.now()) : [])];
    this.clock.stop();
    const { seed } = this.options;
    const counted = { ...this.counted, faults: this.faults.drawn, crashes: this.crashes.happened };
    return { seed, ...counted, violations: this.violations(), stuck, trace: this.trace.lines };
  }

  /** Keeps journal and bytes as a workspace; mails of invented customers lie among the others. */
  keep(dir: string): void {
    keepWorkspace(dir, this.sqlite, [...this.blobs.kept.values(), ...this.customers.requests.values()]);
  }

  close(): void {
    this.sqlite.close();
  }

  private violations(): Violation[] {
    return [...this.watch.found, ...this.steps.found, ...this.faultsOfOurs];
  }

  private prepareGround(): Ground {
    const { sqlite, blobs, customers, clock, trusted, core, faults, staleReads } = this;
    const { seed, broken } = this.options;
    return {
      ...{ sqlite, blobs, customers, clock, trusted, wall: this.wall },
      line: {
        ...{ core, clock, faults, login: this.login, salt: seed },
        dice: new Dice(seed, 3),
        lagMs: () => this.lagMs,
        onCommit: (request, answer, isRemoteFault) => {
          this.trace.note(
            "remote",
            `${request.kind}.${request.phase} ${answer.status} ${answer.object?.remoteId ?? ""}`,
          );
          this.watch.onCommit(request, answer, core, isRemoteFault);
          if (request.kind === "publish") staleReads.left = this.chance.chance(0.3) ? this.chance.between(1, 3) : 0;
        },
      },
      readings: { core, clock, faults, staleReads, dice: new Dice(seed, 4), edition: () => this.edition },
      onPoint: (process, point) => this.crashes.reached(process, point),
      onEvents: (process, applied) => this.happened(process, applied),
      ...(broken ? { rules: weakenedRules(broken) } : {}),
      onFault: (process, error) => {
        if (error instanceof Crash) return;
        const detail = error instanceof Error ? error.message : String(error);
        this.trace.note(process.name, `bug: ${error instanceof Error ? (error.stack ?? detail) : detail}`);
        this.faultsOfOurs.push({ invariant: "I08", subject: `bug in ${process.name}`, detail });
      },
    };
  }

  private happened(process: Process, applied: Applied): void {
    const types = applied.events.map(({ type }) => type);
    this.trespasser.onEvents(types, applied.taskId);
    if (types.length > 0) this.trace.note(process.name, types.join(" "));
    for (const type of types) {
      if (type === "OutcomeUnknown") this.counted.unknowns += 1;
      if (type === "RemoteConfirmed" || type === "RemoteNotFound") this.counted.reconciled += 1;
    }
  }

  /** Another is started some time after one died. */
  private buried(process: Process, point: string): void {
    this.trace.note(process.name, `${process.life.state} at ${point}`);
    this.processes = this.processes.filter((other) => other !== process);
    this.fallen.push(process);
    void this.clock.sleep(this.chance.between(500, 240_000)).then(() => this.startProcess());
  }

  private startProcess(): void {
    if (!this.isOpen) return;
    this.starts += 1;
    const process = new Process(this.ground, `p${this.starts}`);
    this.processes.push(process);
    this.trace.note(process.name, "started");
    process.start();
  }

  /** One Monday: programs start, a timer fires in each, people come and go, faults end, and everything has to come to rest. */
  private async liveWeek(edition: (typeof WEEKS)[number], isWilling: boolean): Promise<void> {
    const { zone } = briefingDefinition.deadlines;
    this.edition = edition;
    this.isWilling = isWilling;
    this.isOpen = true;
    this.faults.isActive = true;
    if (this.counted.unknowns === 0) this.faults.loseNext();
    await this.advanceTo(deadlineOf(edition, "08:00", zone));
    this.crashes.plan();
    if (!isWilling) await this.oversleep();
    const lateMs = this.clock.now() - deadlineOf(edition, "08:00", zone);
    for (let count = this.chance.between(2, 3); count > 0; count -= 1) this.startProcess();
    const person = this.person();
    void person.work();
    if (!isWilling) void this.weather.blow();
    this.lagMs = this.chance.pick([0, 1_000, 4_000, 10_000]);
    await this.advanceTo(deadlineOf(edition, "11:15", zone) + lateMs);
    this.faults.isActive = false;
    this.crashes.end();
    this.login.isValid = true;
    // Who sleeps wakes, and what waited comes to its end.
    const latest = this.clock.now() + (this.isAsleep() ? 9 * HOUR : 0);
    await this.advanceTo(latest);
    await this.advanceTo(latest + 1.5 * HOUR);
    this.isOpen = false;
    await this.advanceTo(this.clock.now() + HOUR);
    for (const process of this.processes.splice(0)) this.stop(process);
    for (const process of this.fallen.splice(0)) process.halt();
  }

  /** Programs that are started after the timer's time, up to so late that it begins nothing by itself; clocks that stand wrong. */
  private async oversleep(): Promise<void> {
    const lateMs = this.chance.pick([0, 0, 0, 0, 0.5 * HOUR, 2 * HOUR, 13 * HOUR]);
    if (lateMs > 0) this.trace.note("world", `nobody starts a program for ${lateMs} ms`);
    await this.advanceTo(this.clock.now() + lateMs);
    const movedMs = this.chance.pick([0, 0, 0, 0, -3 * HOUR, 9 * 24 * HOUR]);
    if (movedMs !== 0) this.weather.moveClock(movedMs);
  }

  private person(): Person {
    const { clock, core, login, blobs } = this;
    const dice = new Dice(this.options.seed, 5 + WEEKS.indexOf(this.edition));
    const any = () => this.processes[dice.between(0, Math.max(0, this.processes.length - 1))];
    return new Person({
      ...{ clock, core, login, dice },
      desk: () => any()?.desk("editor:lin") ?? null,
      scheduler: () => this.processes[0]?.scheduler ?? null,
      ports: () => this.processes[0]?.ports ?? null,
      isClockRight: () => this.wall.offsetMs === 0,
      edition: () => this.edition,
      nextEdition: () => WEEKS[WEEKS.indexOf(this.edition) + 1] ?? "2026-W35",
      draft: (hash) => JSON.parse(new TextDecoder().decode(blobs.get(hash as never))) as DraftDocument,
      isOpen: () => this.isOpen,
      isWilling: () => this.isWilling,
      note: (text) => this.trace.note("lin", text),
    });
  }

  /** Some are stopped in good order, some by the end of the day. */
  private stop(process: Process): void {
    if (process.life.state === "running" && this.chance.chance(0.7)) process.stop();
    else process.halt();
  }

  private isAsleep(): boolean {
    return this.processes.some(({ life }) => life.state === "paused");
  }

  private isCircling(): boolean {
    const circling = [...this.processes, ...this.fallen].filter(({ life }) => life.isCircling);
    for (const { name } of circling) this.circles.push(`${name} turns in circles in ${this.edition}`);
    return circling.length > 0;
  }

  /** Goes from timer to timer; in between everything that can go on without time does, and is judged. */
  private async advanceTo(instant: number): Promise<void> {
    for (;;) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      this.steps.look();
      const next = this.clock.nextTimerAt();
      // What comes after the first violation explains nothing.
      if (this.isCircling() || this.violations().length > 0) return;
      if (next === null || next > instant) break;
      this.counted.steps += 1;
      if (this.counted.steps > MAX_STEPS) return void this.circles.push(`${this.edition} turns in circles`);
      await this.clock.advanceTo(next);
    }
    await this.clock.advanceTo(instant);
  }

  private check(): void {
    const snapshot = loadJournal(this.sqlite);
    const unseen = this.watch.doubled().filter((slot) => !isIncident(this.sqlite, slot));
    this.watch.found.push(
      ...checkInvariants(snapshot),
      ...checkRemote(snapshot, this.watch.records(this.core)),
      ...unseen.map((subject) => ({ invariant: "I03" as const, subject, detail: "two objects, and no incident" })),
    );
  }
}
