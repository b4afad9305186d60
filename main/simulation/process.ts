import { openBreakers } from "../../db/breakers";
import type { Applied, Rules } from "../../db/journal";
import type { Sqlite } from "../../db/open";
import { approvedPackage } from "../../db/queries/approved-package";
import { countEvents, previousEdition } from "../../db/queries/previous-edition";
import { listSuppressions } from "../../db/queries/suppressions";
import { buildCmsCreate, buildCmsStatus, buildCmsUpdate, slugOfSlot } from "../adapters/cms/sandbox";
import { createExtractiveDrafter } from "../adapters/drafter/extractive";
import { buildMailCancel, buildMailCreate, buildMailTrigger } from "../adapters/mail/sandbox";
import { createSourceParser } from "../adapters/sources/parser";
import { READ_ERRORS } from "../adapters/sources/reader";
import type { Desk } from "../commands/desk";
import type { Actor } from "../domain/commands";
import { Bug, type Instant } from "../domain/ids";
import type { BlobStore, Clock, CrashPoints, TrustedTime, WriteAdapter } from "../domain/ports";
import { Breaker } from "../engine/breaker";
import { Executor } from "../engine/executor";
import { EngineLoop } from "../engine/loop";
import type { Scheduler } from "../engine/scheduler";
import { briefingDefinition } from "../pipeline/briefing/definition";
import * as desk from "../pipeline/briefing/desk";
import { BriefingDraftDesk } from "../pipeline/briefing/draft-desk";
import type { BriefingPorts, CustomerPort } from "../pipeline/briefing/ports";
import { briefingRuntime } from "../pipeline/briefing/runtime";
import { openCalendar } from "./calendar";
import { clockOf, Life, ProcessJournal, type Wall } from "./crash";
import { rememberExtractions } from "./parser-memory";
import { type Readings, SOURCES, simulatedLinks, simulatedProbe, simulatedReader } from "./readings";
import type { Line } from "./remote";
import { simulatedCms, simulatedMail } from "./remote-adapters";

/** What all processes of a world share. */
export interface Ground {
  sqlite: Sqlite;
  blobs: BlobStore;
  customers: CustomerPort;
  clock: Clock;
  /** The machine's: all processes read the same one. */
  wall: Wall;
  trusted: TrustedTime;
  line: Line;
  readings: Readings;
  /** Where one rule is switched off to see what it prevents. */
  rules?: Rules;
  /** Something reached a named point; it may end the process by throwing. */
  onPoint(process: Process, point: string): void;
  onEvents(process: Process, applied: Applied): void;
  onFault(process: Process, error: unknown): void;
}

/** The engine's ticks are stretched to this where nothing is due: an idle edition of a week costs nothing then. */
const IDLE_MS = 12 * 60_000;

/** One start of the program: an executor with its loop, and a desk for whoever sits before it. */
export class Process {
  readonly life = new Life();
  readonly journal: ProcessJournal;
  readonly executor: Executor;
  readonly scheduler: Scheduler;
  readonly ports: BriefingPorts;
  private readonly clock: Clock;
  /** When the timer wants to be asked again. */
  private firesAt: Instant | null = null;
  private readonly loop: EngineLoop;

  constructor(
    private readonly ground: Ground,
    /** Unique per start: the lease's owner. */
    readonly name: string,
  ) {
    const { sqlite, trusted } = ground;
    const clock = clockOf(this.life, ground.clock, ground.wall);
    this.clock = clock;
    const crash: CrashPoints = { reach: (point) => ground.onPoint(this, point) };
    const definitions = [briefingDefinition];
    const rules = ground.rules ? { rules: ground.rules } : {};
    this.journal = new ProcessJournal({ sqlite, definitions, crash, now: () => clock.now(), ...rules }, this.life);
    const breaker = new Breaker(openBreakers(sqlite));
    this.ports = portsOf(ground, this.life, { clock, crash, breaker });
    const pipeline = briefingRuntime(this.ports);
    const adapters = new Map<string, WriteAdapter>(
      [this.ports.cms, this.ports.mail].map(({ name: adapter, adapter: port }) => [adapter, port]),
    );
    const { random } = ground.line.dice;
    this.executor = new Executor({
      journal: this.journal,
      ...{ clock, random, trusted, crash, breaker },
      executorId: name,
      pipelineOf: () => pipeline,
      adapterOf: (adapter) => adapters.get(adapter) ?? unknownAdapter(adapter),
    });
    this.journal.onCommit((applied) => ground.onEvents(this, applied));
    this.scheduler = openCalendar({ sqlite, journal: this.journal, clock, trusted });
    this.loop = new EngineLoop({
      executor: this.executor,
      journal: this.journal,
      clock: { ...clock, sleep: (ms, signal) => clock.sleep(this.stretched(ms), signal) },
      scheduler: {
        runOnce: () => {
          this.firesAt = this.scheduler.runOnce();
          return this.firesAt;
        },
      },
      onPass: () => undefined,
      onFault: (error) => ground.onFault(this, error),
    });
  }

  start(): void {
    this.loop.start();
  }

  /** Ends in good order: nothing new is begun, leases are given back. */
  stop(): void {
    this.loop.halt();
    this.executor.releaseAll();
  }

  halt(): void {
    this.loop.halt();
  }

  desk(actor: Actor): Desk {
    const { ports, journal } = this;
    return {
      ...{ actor, journal, clock: this.clock, trusted: this.ground.trusted },
      pipeline: {
        contentApproval: (view, seen) => desk.contentApproval(ports, view, seen),
        sendApproval: (view, seen) => desk.sendApproval(ports, view, seen),
        contentEdit: (view, base, edit) => desk.contentEdit(ports, view, base, edit),
        draft: new BriefingDraftDesk(ports),
        emailEdit: (view, words) => desk.emailEdit(ports, view, words),
        unblocking: (view, way) => desk.unblocking(ports, view, way),
      },
    };
  }

  private stretched(ms: number): number {
    const now = this.clock.now();
    const dues = [...this.executor.waiting.values()].flatMap(({ until }) => (until === null ? [] : [until - now]));
    const fires = this.firesAt === null ? IDLE_MS : this.firesAt - now;
    return Math.max(ms, Math.min(IDLE_MS, fires, ...dues));
  }
}

function unknownAdapter(name: string): never {
  throw new Bug(`no adapter is named ${name}`);
}

/** A thousand worlds read the same few sources. */
const parser = rememberExtractions(createSourceParser());
const drafter = createExtractiveDrafter();

function portsOf(
  ground: Ground,
  life: Life,
  own: { clock: Clock; crash: CrashPoints; breaker: Breaker },
): BriefingPorts {
  const { sqlite, blobs, customers, line, readings } = ground;
  const { base } = line.core;
  return {
    ...{ blobs, customers, ...own, random: line.dice.random },
    sources: async () => SOURCES,
    reader: simulatedReader(readings, life),
    readErrors: READ_ERRORS,
    ...{ parser, drafter },
    links: simulatedLinks(readings, life),
    probe: simulatedProbe(readings, life),
    cms: {
      adapter: simulatedCms(line, life),
      name: "cms-sandbox",
      target: base,
      requests: {
        create: buildCmsCreate,
        update: buildCmsUpdate,
        status: buildCmsStatus,
        slugOf: slugOfSlot,
        plannedUrl: (slug) => `${base}/site/${slug}`,
      },
    },
    mail: {
      adapter: simulatedMail(line, life),
      name: "mail-sandbox",
      target: base,
      requests: { create: buildMailCreate, trigger: buildMailTrigger, cancel: buildMailCancel },
    },
    wantedFacts: 9,
    suppressions: () => listSuppressions(sqlite),
    previous: (task) => previousEdition(sqlite, task),
    approvedPackage: (taskKey, contentHash) => approvedPackage(sqlite, taskKey, contentHash),
    receiptsSoFar: () => countEvents(sqlite, "CheckPassed"),
  };
}
