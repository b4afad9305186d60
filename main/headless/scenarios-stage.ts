import { createSystemClock } from "../adapters/clock";
import { createWorkspaceTime } from "../adapters/trusted-time";
import { driveUntil } from "../adapters/workspace-clock";
import { isTerminal } from "../domain/definition";
import type { Instant } from "../domain/ids";
import { isOpenAccount } from "../domain/open-account";
import type { SandboxConfig } from "../sandbox/config";
import type { Operator, ScenarioFault, ScenarioStage } from "../sandbox/scenarios/stage";
import { keepCopy, putBack } from "./scenarios-backup";
import { Killed, type ScenarioEngine } from "./scenarios-engine";
import { ScenarioEngines, type StageInput } from "./scenarios-engines";
import { ScenarioOperator } from "./scenarios-operator";
import { describeShown } from "./scenarios-shown";
import { fireAtOnce, startAnotherVersion, startEditionByHand } from "./scenarios-starting";
import { scenarioViews } from "./scenarios-views";
import type { Watch } from "./scenarios-watch";

/** An edition takes well under a hundred passes; more means that something turns in circles. */
const MAX_PASSES = 500;
/** How long the script reads before it decides: the ledger's medians (domain 11). */
const READING_MS: Readonly<Record<string, number>> = {
  awaiting_content_approval: 7 * 60_000,
  awaiting_send_approval: 3 * 60_000,
};
/** Whoever waits in one of these waits for a person. */
const FOR_A_PERSON = ["awaiting_content_approval", "awaiting_send_approval", "awaiting_observation", "blocked"];

/** A scenario being played: engines on common files, a clock that stands until it is moved, and the sandbox's servers. */
export class ScenarioPlay extends ScenarioEngines implements ScenarioStage {
  readonly operator: Operator;
  readonly answers: string[] = [];
  readonly shown: Record<string, readonly string[]> = {};
  private readonly real = createSystemClock();
  /** Answers that are held back from processes which are dead or stand still: no reason to move the time. */
  private ignoredHolds = 0;
  /** Which engine stands still. */
  protected paused = 0;
  private edition: string;

  constructor(input: StageInput) {
    super(input);
    this.edition = input.edition;
    this.operator = this.handsOf(
      new ScenarioOperator({
        workspace: () => this.engine.workspace,
        view: () => this.view(),
        note: (asked, result) => this.note(asked, result),
      }),
    );
  }

  /** The operator's hands as the script has them. */
  protected handsOf(operator: Operator): Operator {
    return operator;
  }

  start(edition: string = this.edition): string {
    this.edition = edition;
    return startEditionByHand(this.engine.workspace, this.engine.clock, edition);
  }

  startVersion(): string {
    const { task } = this.view();
    const answer = startAnotherVersion(this.engine.workspace, task);
    this.note(`start version ${task.taskVersion + 1}`, answer);
    return answer;
  }

  backUp(): void {
    this.betweenTwo(() => keepCopy(this.input.dir));
    this.say("backed_up");
  }

  restore(): void {
    this.betweenTwo(() => putBack(this.input.dir));
    this.say("restored");
  }

  async atTheWebsite(does: Parameters<ScenarioStage["atTheWebsite"]>[0]): Promise<void> {
    await this.input.website(does);
  }

  async work(): Promise<string> {
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      const dueAt = await this.pass();
      const { task } = this.view();
      if (isTerminal(task.state) || dueAt === null) return task.state;
      if (FOR_A_PERSON.includes(task.state) && !this.hasOpenLooks() && !this.isAccounted()) return task.state;
      await this.moveTo(dueAt);
    }
    throw new Error("the edition turned in circles");
  }

  async workTo(state: string): Promise<string> {
    for (let turn = 0; turn < 20; turn += 1) {
      const reached = await this.work();
      if (reached === state || isTerminal(reached)) return reached;
      await this.wait(READING_MS[reached] ?? 0);
      if (reached === "awaiting_content_approval") this.operator.approveContent();
      else if (reached === "awaiting_send_approval") this.operator.approveSend();
      else return reached;
      if (this.view().task.state === state) return state;
    }
    throw new Error(`${state} was never reached`);
  }

  async workUntilWithheld(): Promise<void> {
    const { engine } = this;
    engine.pending ??= engine.workspace.executor.runOnce();
    let isOver = false;
    const ended = engine.pending.finally(() => {
      isOver = true;
    });
    const held = async () => {
      while (!isOver && (await this.input.control.withheld()) <= this.ignoredHolds) await this.real.sleep(5);
    };
    await driveUntil(Promise.race([ended, held()]), {
      clock: this.input.clock,
      isWithheld: async () => false,
      settleMs: SETTLE_MS,
      idleMs: IDLE_MS,
    });
    if (isOver) await this.missed("nothing was held back");
  }

  async wait(ms: number): Promise<string> {
    const until = this.input.clock.now() + ms;
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      const dueAt = await this.pass();
      const now = this.input.clock.now();
      if (now >= until) break;
      await this.moveTo(dueAt === null ? until : Math.min(dueAt, until));
    }
    return this.view().task.state;
  }

  async sleep(ms: number): Promise<void> {
    this.engine.clock.pause();
    await this.input.clock.advanceBy(ms);
    this.say("slept", String(ms));
    this.engine.clock.wake();
  }

  async workUntilKilled(point: string): Promise<void> {
    this.engine.killAt(point);
    try {
      await this.work();
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      this.engine.close();
      this.say("killed", point);
      this.open();
      return;
    }
    await this.missed(`${point} was never reached`);
  }

  /** What the script waited for did not come. @throws Error unless something else explains it */
  protected missed(what: string): Promise<void> {
    throw new Error(what);
  }

  pause(): void {
    this.ignoredHolds += 1;
    this.paused = this.current;
    this.engine.clock.pause();
    this.say("paused");
  }

  takeOver(): void {
    this.open();
    this.say("taken_over");
  }

  async wake(): Promise<void> {
    const paused = this.engines[this.paused] as ScenarioEngine;
    this.input.watch.program("woken", paused.name);
    paused.clock.wake();
    await paused.pending;
    paused.pending = null;
  }

  fireTimers(count: number): string[] {
    while (this.engines.length < count) this.open();
    this.current = 0;
    const workspaces = this.engines.map(({ workspace }) => workspace);
    const fired = fireAtOnce(workspaces, this.input.clock);
    for (const key of fired) this.note("timer", key);
    return fired;
  }

  async addFault(fault: ScenarioFault): Promise<void> {
    await this.input.control.addFault(fault);
  }

  async clearFaults(): Promise<void> {
    await this.input.control.clearFaults();
  }

  async configure(change: Partial<SandboxConfig>): Promise<void> {
    await this.input.control.configure(change);
  }

  async show(label: string): Promise<void> {
    const { workspace, clock } = this.engine;
    const trusted = createWorkspaceTime(clock);
    const views = scenarioViews(workspace, { clock, trusted, sources: this.input.sources });
    this.shown[label] = await describeShown(views, this.view().task.id);
  }

  protected async pass(): Promise<Instant | null> {
    const { engine } = this;
    const run = engine.pending ?? engine.workspace.executor.runOnce();
    engine.pending = null;
    const { clock, control } = this.input;
    // Only when every call that is waited for is one whose answer is held back can nothing but time help.
    const isWithheld = async () => (await control.withheld()) - this.ignoredHolds >= clock.pendingTimeouts;
    return driveUntil(run, { clock, isWithheld, settleMs: SETTLE_MS, idleMs: IDLE_MS });
  }

  protected async moveTo(instant: Instant): Promise<void> {
    const { clock } = this.input;
    if (instant > clock.now()) await clock.advanceTo(instant);
  }

  private note(asked: string, result: string): void {
    this.answers.push(`${asked}: ${result}`);
    this.input.watch.person(asked, result);
  }

  private say(what: Parameters<Watch["program"]>[0], detail = ""): void {
    this.input.watch.program(what, this.engine.name, detail);
  }

  /** Every recipient's end is known: what is left is to write it down, by whoever has the lease or will have it. */
  private isAccounted(): boolean {
    const view = this.view();
    return view.task.state === "awaiting_observation" && !view.recipients().some(isOpenAccount);
  }

  private hasOpenLooks(): boolean {
    return this.view()
      .operations()
      .some((operation) => operation.nextLookAt !== null && operation.state === "unknown");
  }
}

/** Real ms of quiet before time is moved: everything between two waits is synchronous or a call that is counted. */
const SETTLE_MS = 5;
/** Real ms after which a call that the remote does not hold back is given up for lost: far above any honest answer. */
const IDLE_MS = 20_000;
