import { createSourceParser } from "../adapters/sources/parser";
import { isTerminal } from "../domain/definition";
import type { Instant } from "../domain/ids";
import type { Operator } from "../sandbox/scenarios/stage";
import { rememberExtractions } from "../simulation/parser-memory";
import { Killed, type ScenarioEngine } from "./scenarios-engine";
import type { StageInput } from "./scenarios-engines";
import { ScenarioPlay } from "./scenarios-stage";

/** Thousands of plays read the same sources. */
const parser = rememberExtractions(createSourceParser());

/** The death that the exhaustive run adds to a scenario, beside those that its script asks for. */
class Crashed extends Killed {}

/** Counts the points that the processes of a play pass, and kills the one that reaches the chosen one. */
export class CrashPlan {
  passed = 0;
  /** Where a process died; null before that, or when the play was over earlier. */
  diedAt: string | null = null;
  private dead: string | null = null;

  /** @param deadly the number of the deadly point, from 1 on; 0: nobody dies and the points are counted */
  constructor(private readonly deadly: number) {}

  /** @throws Crashed where the process dies now, or is dead already: what it had begun besides comes to nothing. */
  reach(engine: string, point: string): void {
    if (engine === this.dead) throw new Crashed(point);
    this.passed += 1;
    if (this.passed !== this.deadly) return;
    this.diedAt = point;
    this.dead = engine;
    throw new Crashed(point);
  }

  isDead(engine: ScenarioEngine): boolean {
    return engine.name === this.dead;
  }
}

/**
 * A stage on which one process dies where no script expects it. As in life the program is started again on the same files, and
 * whoever sat before it looks what became of their click: what was not taken down they ask for again.
 */
export class CrashingPlay extends ScenarioPlay {
  private isMissed = false;

  constructor(
    input: StageInput,
    private readonly plan: CrashPlan,
  ) {
    super({
      ...input,
      onPoint: (engine, point) => plan.reach(engine, point),
      adjust: (ports) => ({ ...ports, parser }),
    });
  }

  override start(edition?: string): string {
    return this.again(() => super.start(edition)) ?? LOST;
  }

  override startVersion(): string {
    return this.again(() => super.startVersion()) ?? LOST;
  }

  override fireTimers(count: number): string[] {
    // A timer asks again after a restart, whatever it had done before.
    return this.again(() => super.fireTimers(count)) ?? super.fireTimers(count);
  }

  override async workUntilWithheld(): Promise<void> {
    for (;;) {
      try {
        this.isMissed = false;
        await super.workUntilWithheld();
        if (!this.isMissed) return;
      } catch (error) {
        this.revive(error);
        continue;
      }
      const dueAt = await this.pass();
      if (dueAt === null || isTerminal(this.view().task.state)) return;
      await this.moveTo(dueAt);
    }
  }

  override async wake(): Promise<void> {
    try {
      await super.wake();
    } catch (error) {
      this.revive(error);
    }
  }

  protected override async pass(): Promise<Instant | null> {
    try {
      return await super.pass();
    } catch (error) {
      this.revive(error);
      return this.input.clock.now();
    }
  }

  /** After a crash another way may have led there. */
  protected override missed(what: string): Promise<void> {
    if (this.plan.diedAt === null) return super.missed(what);
    this.isMissed = true;
    return Promise.resolve();
  }

  /** Puts another process in the dead one's place. @throws the error when nobody died of it */
  private revive(error: unknown): void {
    if (!(error instanceof Crashed)) throw error;
    const dead = this.engines.find((engine) => this.plan.isDead(engine));
    if (dead) this.follow(dead);
  }

  /** Asks once more for what the dead process had not written; null: it had, and nobody heard of it. */
  private again<T>(act: () => T): T | null {
    try {
      return act();
    } catch (error) {
      return this.againAfter(error, act);
    }
  }

  private againAfter<T>(error: unknown, act: () => T): T | null {
    this.revive(error);
    return error instanceof Crashed && error.point.startsWith("after-commit:") ? null : act();
  }

  protected override handsOf(operator: Operator): Operator {
    return new Proxy(operator, {
      get: (hands, name) => {
        const hand: unknown = Reflect.get(hands, name);
        if (typeof hand !== "function") return hand;
        return (...given: unknown[]) => {
          const act = () => Reflect.apply(hand, hands, given) as unknown;
          const answer = this.again(act) ?? LOST;
          return answer instanceof Promise ? answer.catch((error) => this.againAfter(error, act) ?? LOST) : answer;
        };
      },
    });
  }
}

const LOST = "the program died before it answered";
