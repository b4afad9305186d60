import { mkdirSync, rmSync } from "node:fs";
import type { Input, Output, Pushed } from "../../preload/contract";
import type { DrillStanding } from "../commands/report-drills";
import { DRILL_DUTIES, failedDrills, judgeDuty } from "../domain/drill-duty";
import { ledDrillOf } from "../domain/drill-led";
import type { Instant } from "../domain/ids";
import type { Clock } from "../domain/ports";
import type { ChildProgram, StartChild } from "./child-program";
import { drillGroups } from "./drill-groups";
import { LedPlay } from "./drill-led-play";
import { type DrillRecord, playOf, type Step, timePlay } from "./drill-record";
import { DrillReport } from "./drill-report";

type Ending = Pick<DrillRecord, "outcome" | "detail" | "facts" | "timing" | "runbook">;
type Start = Output<"drills.start">;

/** Far more than any scenario needs on a slow machine (real ms). */
export const DRILL_LIMIT_MS = 120_000;
/** Four times what a stranger should need at night: whoever has not got through by then has left (real ms). */
const LED_LIMIT_MS = 2 * 3_600_000;

export interface DrillResults {
  /** Newest first. */
  read(): readonly DrillRecord[];
  add(result: DrillRecord): void;
  /** Puts an entry in the place of the one it is about. */
  replace(isIt: (result: DrillRecord) => boolean, result: DrillRecord): void;
  /** From when on drills are owed; absent: from now on. */
  since?: Instant;
}

export interface DrillRunnerOptions {
  /** A folder of ours alone: it is made for each play and removed with everything in it. */
  dir: string;
  samplesDir: string;
  /** The child program's file. */
  file: string;
  startChild: StartChild;
  /** Real time: the limit and when a drill was begun. */
  clock: Clock;
  results: DrillResults;
  /** Whose months and quarters count. */
  zone: string;
  onProgress(progress: Pushed<"drill.progress">): void;
  onChange(change: Pushed<"drill.changed">): void;
  /** There is another result than before, or it is judged otherwise. */
  onResult(): void;
  limitMs?: number;
}

interface Play {
  run: string;
  scenario: string;
  startedAt: number;
  waiting: readonly string[];
  steps: Step[];
  child: ChildProgram;
  /** The person's part; null: a script acts in their place. */
  led: LedPlay | null;
  /** Set once it is known how it ended; it is over when the child is gone, too. */
  ending: Ending | null;
  limit: { cancel(): void };
}

/** Plays scenarios one after the other, each in a child program and a folder of its own. The open workspace is not touched. */
export class DrillRunner {
  private current: Play | null = null;
  private count = 0;
  private isStopped = false;

  constructor(private readonly options: DrillRunnerOptions) {}

  get(): Output<"drills.get"> {
    const { current } = this;
    return {
      groups: drillGroups,
      running: current === null ? null : { ...runningOf(current), steps: [...current.steps] },
      ...this.owed(),
      results: [...this.options.results.read()],
      limitMs: this.limitMs,
      ledLimitMs: LED_LIMIT_MS,
    };
  }

  /** Begins the first of these and remembers the others; refused while one is being played. */
  start({ scenarios, led = false }: Input<"drills.start">): Start {
    const known = new Set(drillGroups.flatMap((group) => group.scenarios.map(({ id }) => id)));
    const strange = scenarios.find((id) => !known.has(id));
    if (strange !== undefined) return { result: "unknown_scenario", scenario: strange };
    const silent = led ? scenarios.find((id) => ledDrillOf(id) === null) : undefined;
    if (silent !== undefined) return { result: "not_led", scenario: silent };
    if (this.current !== null) return { result: "busy", scenario: this.current.scenario };
    return { result: "started", run: this.play(scenarios, led) };
  }

  /** Ends the one that is being played, and with it those that wait. */
  cancel(): Output<"drills.cancel"> {
    const { current } = this;
    if (current === null) return { result: "nothing_runs" };
    current.waiting = [];
    this.end(current, { outcome: "cancelled", ...NOTHING_KNOWN });
    return { result: "cancelled" };
  }

  /** A person decides what the play stands still at; it goes on at once. */
  answer({ run, ...reply }: Input<"drills.answer">): Output<"drills.answer"> {
    const { current } = this;
    const told = current?.run === run && current.ending === null ? (current.led?.answer(reply) ?? null) : null;
    if (current === null || told === null) return { result: "not_asked" };
    current.child.send(told);
    this.tellRunning(current);
    return { result: "taken" };
  }

  /** A person says whether they got along with the runbook alone; a no makes it a failed drill. */
  judge({ run, alone, note }: Input<"drills.judge">): Output<"drills.judge"> {
    const { results, clock } = this.options;
    const result = results.read().find((one) => one.run === run);
    if (result?.outcome !== "played") return { result: "not_played" };
    results.replace((one) => one.run === run, { ...result, runbook: { alone, note, at: clock.now() } });
    this.options.onResult();
    return { result: "noted", drills: this.get() };
  }

  /** The program ends: nothing is left running and nothing is left lying about. */
  stop(): void {
    this.isStopped = true;
    const { current } = this;
    if (current === null) return;
    current.limit.cancel();
    current.child.end();
    this.clearFolder();
  }

  /** What is known of the drills at this moment, for whoever has to be told of it. */
  standing(): DrillStanding & { duties: Output<"drills.get">["duties"] } {
    const { results, zone, clock } = this.options;
    const now = clock.now();
    const plays = results.read().map(playOf);
    const duties = DRILL_DUTIES.map((duty) => judgeDuty(duty, plays, { since: results.since ?? now, zone, now }));
    return { plays, duties };
  }

  private owed(): Pick<Output<"drills.get">, "duties" | "failed"> {
    const { plays, duties } = this.standing();
    return { duties, failed: failedDrills(plays) };
  }

  private get limitMs(): number {
    return this.options.limitMs ?? DRILL_LIMIT_MS;
  }

  private tellRunning(play: Play): void {
    this.options.onChange({ running: runningOf(play), ended: null, ...this.owed() });
  }

  private play(scenarios: readonly string[], isLed: boolean): string {
    const [scenario = "", ...waiting] = scenarios;
    const { clock, startChild, file, samplesDir, dir } = this.options;
    this.count += 1;
    const startedAt = clock.now();
    const run = `${startedAt}-${this.count}`;
    // What a killed program left here is nobody's.
    this.clearFolder();
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const child = startChild(file);
    const timeout = clock.timeout(isLed ? LED_LIMIT_MS : this.limitMs);
    const led = isLed ? new LedPlay(clock, startedAt) : null;
    const play: Play = { run, scenario, startedAt, waiting, steps: [], child, led, ending: null, limit: timeout };
    this.current = play;
    const overTime = () => this.end(play, { outcome: "over_time", ...NOTHING_KNOWN });
    timeout.signal.addEventListener("abort", overTime, { once: true });
    child.onMessage((message) => this.hear(play, message));
    child.onEnd((code) => this.over(play, code));
    child.send({ scenario, dir, samplesDir, ...(isLed && { led: true }) });
    this.tellRunning(play);
    return run;
  }

  private hear(play: Play, message: unknown): void {
    if (play.ending !== null) return;
    const parsed = DrillReport.safeParse(message);
    if (!parsed.success) return this.end(play, failed("unreadable_report"));
    const report = parsed.data;
    if (report.kind === "played")
      return this.end(play, {
        outcome: "played",
        detail: null,
        facts: report.facts,
        timing: timePlay(play, this.options.results.read()),
        runbook: null,
      });
    if (report.kind === "failed") return this.end(play, failed(report.reason));
    if (report.kind === "asks") {
      if (play.led === null) return this.end(play, failed("unreadable_report"));
      play.led.ask(report);
      return this.tellRunning(play);
    }
    const from = play.steps.length;
    play.steps.push(...report.steps);
    this.options.onProgress({ run: play.run, from, steps: report.steps });
  }

  private end(play: Play, ending: Ending): void {
    if (play.ending !== null) return;
    play.ending = ending;
    play.limit.cancel();
    play.child.end();
  }

  private over(play: Play, code: number | null): void {
    if (this.current !== play) return;
    play.limit.cancel();
    this.current = null;
    this.clearFolder();
    if (this.isStopped) return;
    const { run, scenario, startedAt, waiting } = play;
    const led = play.led?.led() ?? null;
    const ended = { run, scenario, startedAt, led, ...(play.ending ?? failed(`ended_early ${code ?? ""}`.trim())) };
    this.options.results.add(ended);
    this.options.onResult();
    this.options.onChange({ running: null, ended, ...this.owed() });
    if (waiting.length > 0) this.play(waiting, false);
  }

  private clearFolder(): void {
    rmSync(this.options.dir, { recursive: true, force: true, maxRetries: 3 });
  }
}

const NOTHING_KNOWN = { detail: null, facts: null, timing: null, runbook: null };

const failed = (reason: string): Ending => ({ ...NOTHING_KNOWN, outcome: "failed", detail: reason.slice(0, 500) });

const runningOf = ({ run, scenario, startedAt, waiting, led }: Play) => ({
  run,
  scenario,
  startedAt,
  waiting: [...waiting],
  isLed: led !== null,
  question: led?.question ?? null,
});
