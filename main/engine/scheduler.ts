import { Cron } from "croner";
import type { ExecuteResult, Journal } from "../../db/journal";
import type { ScheduleFire, ScheduleFires, SchedulePause } from "../../db/schedule-fires";
import { definitionHash, type PipelineDefinition } from "../domain/definition";
import { Bug, type Instant } from "../domain/ids";
import { taskKeyOf } from "../domain/keys";
import { earliest } from "../domain/next-action";
import type { Clock, TrustedTime } from "../domain/ports";
import {
  type ClockMark,
  clockErrorMs,
  clockJumpMs,
  type Due,
  deadlineOf,
  editionOf,
  judgeOccurrence,
  type Schedule,
} from "../domain/schedule";
import { contextOf } from "./runtime";

/** What a schedule starts: an edition of a pipeline in a language. */
export interface ScheduledPipeline {
  schedule: Schedule;
  definition: PipelineDefinition;
  language: string;
}

/**
 * What is done once a day besides editions. It writes nothing outside and judges by itself what is due, so a clock that jumped
 * does not hold it back.
 */
export interface DailyJob {
  schedule: Schedule;
  /**
   * Resolves to whether it is done for the day; cut off by the program's end it is not, and begins again at the next start.
   * What it rejects with is told to whoever asks the scheduler next.
   */
  run(): Promise<boolean>;
}

export interface SchedulerOptions {
  pipelines: readonly ScheduledPipeline[];
  jobs?: readonly DailyJob[];
  journal: Pick<Journal, "execute">;
  fires: ScheduleFires;
  clock: Clock;
  trusted: TrustedTime;
}

export interface ScheduleStatus {
  name: string;
  nextAt: Instant | null;
  last: ScheduleFire | null;
  /** Not null: a person is asked about the clock, and nothing begins by itself until they answer. */
  paused: SchedulePause | null;
  /** The newest occurrence, where it is too long past to begin by itself. */
  missed: { key: string; scheduledAt: Instant } | null;
  /** The journal's last answer that was neither a new task nor the same one again. */
  refused: ExecuteResult | null;
}

/** What a schedule's calendar says from one moment on, until its next occurrence. */
interface Occurrences {
  newest: Instant | null;
  next: Instant | null;
  from: Instant;
}

/** After a start that could not be written: the tick's own pace. */
const RETRY_MS = 30_000;

/**
 * Starts editions by the clock: version 1 only, once per local date and slot (I01). It has no timer of its own: it is asked
 * by the tick, so that a sleep is nothing special.
 */
export class Scheduler {
  private before: ClockMark | null = null;
  private readonly crons = new Map<string, Cron>();
  private readonly known = new Map<string, Occurrences>();
  private readonly refusals = new Map<string, ExecuteResult>();
  private readonly jobsRunning = new Set<string>();
  private jobFault: Error | null = null;

  /** @throws Bug for a pattern that has no single time of day, or a zone that does not exist. */
  constructor(private readonly options: SchedulerOptions) {
    for (const { schedule } of [...options.pipelines, ...(options.jobs ?? [])])
      this.crons.set(schedule.name, cronOf(schedule));
  }

  /**
   * Looks at the clock, then begins what is due.
   * @returns when to look again at the latest, or null when nothing will come due by itself.
   */
  runOnce(): Instant | null {
    const { pipelines, jobs = [], clock } = this.options;
    if (this.jobFault !== null) throw this.jobFault;
    const now = clock.now();
    this.lookAtClock(now);
    for (const job of jobs) this.begin(job, now);
    return earliest(...pipelines.map((pipeline) => this.run(pipeline, now)));
  }

  /** A person has looked at the clock: it is right, and counts from now on. */
  resume(name: string): void {
    this.before = this.mark(this.options.clock.now());
    this.options.fires.resume(name);
  }

  status(): ScheduleStatus[] {
    const now = this.options.clock.now();
    return this.options.pipelines.map(({ schedule }) => {
      const { name } = schedule;
      const due = this.judge(schedule, now);
      return {
        name,
        nextAt: this.nextAfter(name, now),
        last: this.options.fires.last(name),
        paused: this.options.fires.paused(name),
        missed: due.kind === "missed" ? { key: due.key, scheduledAt: due.scheduledAt } : null,
        refused: this.refusals.get(name) ?? null,
      };
    });
  }

  /** A clock that jumped may stand on any day: starting an edition by it could start next year's (case C8). */
  private lookAtClock(now: Instant): void {
    const { fires, trusted, pipelines } = this.options;
    const mark = this.mark(now);
    const newest = this.before === null ? fires.newestMoment() : null;
    const before = newest === null ? this.before : { wall: newest, monotonic: null };
    const jumped = clockJumpMs(before, mark);
    const differs = clockErrorMs(now, trusted.read());
    this.before = mark;
    const movedMs = jumped || differs;
    if (movedMs === 0) return;
    const reason = jumped !== 0 ? "clock_jumped" : "clock_differs";
    for (const { schedule } of pipelines) fires.pause(schedule.name, { since: now, reason, movedMs });
  }

  private run(pipeline: ScheduledPipeline, now: Instant): Instant | null {
    const { schedule } = pipeline;
    if (this.options.fires.paused(schedule.name) !== null) return null;
    const due = this.judge(schedule, now);
    const next = this.nextAfter(schedule.name, now);
    if (due.kind !== "fire") return next;
    const answer = this.start(pipeline, due);
    if (!isBegun(answer)) {
      this.refusals.set(schedule.name, answer);
      return earliest(next, now + RETRY_MS);
    }
    this.refusals.delete(schedule.name);
    // After the task, not before: dying in between, the next tick finds the task there and only records the fire. The other
    // way round an edition would be lost.
    this.options.fires.record(schedule.name, { key: due.key, firedAt: now, lateMs: due.lateMs });
    return next;
  }

  /** Recorded once it is done and not before: a process that dies in the middle begins it again at its next start. */
  private begin({ schedule, run }: DailyJob, now: Instant): void {
    const due = this.judge(schedule, now);
    if (due.kind !== "fire" || this.jobsRunning.has(schedule.name)) return;
    this.jobsRunning.add(schedule.name);
    const { key, lateMs } = due;
    run()
      .then((isDone) => {
        if (isDone) this.options.fires.record(schedule.name, { key, firedAt: now, lateMs });
      })
      .catch((error: unknown) => {
        this.jobFault =
          error instanceof Error ? error : new Bug(`the daily job ${schedule.name} failed`, { cause: error });
      })
      .finally(() => this.jobsRunning.delete(schedule.name));
  }

  private start({ schedule, definition, language }: ScheduledPipeline, due: Extract<Due, { kind: "fire" }>) {
    const { dueLocal, zone } = definition.deadlines;
    const edition = editionOf(due.scheduledAt, schedule.zone);
    return this.options.journal.execute(
      {
        type: "create_task",
        taskKey: taskKeyOf(definition.name, edition, language),
        taskVersion: 1,
        pipeline: definition.name,
        definitionHash: definitionHash(definition),
        edition,
        language,
        deadlineAt: deadlineOf(edition, dueLocal, zone),
        zone,
        supersedesTaskId: null,
        context: { startAt: due.scheduledAt, lateMs: due.isLate ? due.lateMs : 0 },
      },
      contextOf(this.options, "scheduler"),
    );
  }

  private judge(schedule: Schedule, now: Instant): Due {
    const { newest } = this.occurrences(schedule.name, now);
    return judgeOccurrence(schedule, newest, now, (key) => this.options.fires.has(schedule.name, key));
  }

  private nextAfter(name: string, now: Instant): Instant | null {
    return this.occurrences(name, now).next;
  }

  /** Asked at every pass, so at every commit, and worked out anew only once an occurrence lies between: it takes milliseconds. */
  private occurrences(name: string, now: Instant): Occurrences {
    const known = this.known.get(name);
    if (known && known.from <= now && known.next !== null && now < known.next) return known;
    const cron = this.cronOf(name);
    // croner looks strictly before its reference; an occurrence of this very moment counts.
    const newest = cron.previousRuns(1, new Date(now + 1))[0]?.getTime() ?? null;
    const next = cron.nextRun(new Date(now))?.getTime() ?? null;
    const found = { newest, next, from: newest ?? now };
    this.known.set(name, found);
    return found;
  }

  private cronOf(name: string): Cron {
    const cron = this.crons.get(name);
    if (!cron) throw new Bug(`no schedule is named ${name}`);
    return cron;
  }

  private mark(now: Instant): ClockMark {
    return { wall: now, monotonic: this.options.clock.monotonic() };
  }
}

/** The next so many occurrences of a schedule, soonest first. @throws Bug where it is none */
export const nextOccurrences = (schedule: Schedule, now: Instant, count: number): Instant[] =>
  cronOf(schedule)
    .nextRuns(count, new Date(now))
    .map((run) => run.getTime());

function cronOf(schedule: Schedule): Cron {
  // With a list or a step of hours croner leaves a time out in spring and takes it twice in autumn.
  if (!/^\d{1,2} \d{1,2} \S+ \S+ \S+$/.test(schedule.pattern))
    throw new Bug(`a schedule needs one minute and one hour: ${schedule.pattern}`);
  try {
    return new Cron(schedule.pattern, { timezone: schedule.zone, mode: "5-part", fixedTimeRule: "single-value" });
  } catch (error) {
    throw new Bug(`not a schedule: ${schedule.pattern} in ${schedule.zone}`, { cause: error });
  }
}

/** The edition has its task: made now, or by another timer, another window or a person before. */
function isBegun(answer: ExecuteResult): boolean {
  if (answer.result === "applied") return true;
  if (answer.result !== "guard_failed") return false;
  return answer.unmet.some(({ code }) => code === "task_version_exists" || code === "task_live_already");
}
