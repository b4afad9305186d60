import type { z } from "zod";
import type { DrillLed, DrillQuestion } from "../../preload/contract";
import { choiceId } from "../domain/drill-led";
import { type DrillPhase, type DrillTiming, timePerson } from "../domain/drill-timing";
import type { Instant } from "../domain/ids";
import type { Clock } from "../domain/ports";
import type { DrillReply, DrillReport } from "./drill-report";

type Question = z.infer<typeof DrillQuestion>;
type Led = z.infer<typeof DrillLed>;
type Asked = Pick<Extract<DrillReport, { kind: "asks" }>, "question" | "right">;

/** A person's part of a play: what they are asked, what they decided, and when, by the real clock. */
export class LedPlay {
  private asked: (Asked & { at: Instant }) | null = null;
  private readonly decisions: Led["decisions"] = [];
  private readonly reached: Partial<Record<DrillPhase, Instant>>;

  /** @param clock real time */
  constructor(
    private readonly clock: Clock,
    startedAt: Instant,
  ) {
    this.reached = { registered: startedAt };
  }

  /** What the play stands still at; null while it goes on by itself. */
  get question(): Question | null {
    return this.asked?.question ?? null;
  }

  ask({ question, right }: Asked): void {
    const at = this.clock.now();
    this.asked = { question, right, at };
    // What is asked first is what was detected; that something can be verified is asked once it is recovered.
    this.reached.detected ??= at;
    if (question.what === "verify") this.reached.recovered = at;
  }

  /** @returns what the child program is to be told, or null where this was not asked or could not be chosen */
  answer({ number, choice: id }: DrillReply): DrillReply | null {
    const { asked } = this;
    const choice = asked?.question.choices.find((one) => choiceId(one) === id);
    if (asked === null || asked.question.number !== number || choice === undefined) return null;
    const at = this.clock.now();
    const { what } = asked.question;
    const isRight = asked.right.includes(id);
    this.asked = null;
    this.decisions.push({ what, choice, isRight, tookMs: Math.max(0, at - asked.at) });
    if (what === "decide") this.reached.decided = at;
    else if (isRight) this.reached[what === "classify" ? "classified" : "verified"] = at;
    return { number, choice: id };
  }

  led(): Led {
    return { decisions: [...this.decisions] };
  }

  time(scenario: string): DrillTiming {
    return timePerson(scenario, this.reached);
  }
}
