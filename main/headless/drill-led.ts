import { DrillReply, type DrillReport } from "../compose/drill-report";
import {
  choiceId,
  DRILL_CASES,
  type DrillChoice,
  type DrillQuestionKind,
  isAllMade,
  type LedDrill,
  rightChoices,
} from "../domain/drill-led";
import { publishTwice } from "../sandbox/scenarios/recovery";
import type { Scenario } from "../sandbox/scenarios/stage";
import { isTroubled, type LedStage } from "./drill-led-stage";
import { type Question, questionAt } from "./drill-question";
import { takeWay, waysAt } from "./drill-ways";

/** More decisions than any scenario takes: whoever turns in circles is asked whether it is over. */
const MAX_DECISIONS = 30;
/** Every call of the edition is one object and one mailing at most. */
const MOST_PUBLIC = 1;

/** Asks the person who plays, and waits for as long as they take. */
export class Person {
  private number = 0;
  private last: Question["last"] = null;
  private taken: ((choice: string) => void) | null = null;
  /** Which incident it has become: its runbook stays before them when it is closed. */
  private grown: LedDrill["kind"] | null = null;
  private prepare: () => void = () => undefined;

  constructor(private readonly tell: (report: DrillReport) => void) {}

  /** What has to be told before they are asked. */
  beforeAsking(prepare: () => void): void {
    this.prepare = prepare;
  }

  /** @returns the choice that was made, which is one of those offered */
  async ask<C extends DrillChoice>(
    stage: LedStage,
    asked: { what: DrillQuestionKind; choices: readonly C[]; right: readonly string[]; kind: LedDrill["kind"] },
  ): Promise<C> {
    const { what, choices, right } = asked;
    this.number += 1;
    this.grown = stage.view().freezes()[0]?.kind ?? this.grown;
    const kind = this.grown ?? asked.kind;
    const question = await questionAt(stage, { number: this.number, what, choices, kind, last: this.last });
    for (;;) {
      const answered = new Promise<string>((resolve) => {
        this.taken = resolve;
      });
      this.prepare();
      this.tell({ kind: "asks", question, right: [...right] });
      const id = await answered;
      const chosen = choices.find((one) => choiceId(one) === id);
      if (chosen !== undefined) return chosen;
    }
  }

  /** What the last choice came to, for the next question. */
  answered(choice: DrillChoice, answer: string): void {
    this.last = { choice, answer: answer.slice(0, 200) };
  }

  /** @throws ZodError when it is no answer */
  hear(message: unknown): void {
    const { number, choice } = DrillReply.parse(message);
    if (number === this.number) this.taken?.(choice);
  }
}

/** Plays a scenario with a person's decisions: which case it is, what to do until it is over, and whether it is proved. */
export async function playLed(stage: LedStage, scenario: Scenario, led: LedDrill, person: Person): Promise<void> {
  const { kind } = led;
  await begin(stage, scenario, led);
  for (let named = ""; named !== kind; ) {
    const choices = DRILL_CASES.map((name) => ({ name, about: null }));
    const chosen = await person.ask(stage, { what: "classify", choices, right: [kind], kind });
    named = chosen.name;
    person.answered(chosen, named === kind ? "right_case" : "other_case");
  }
  const made: string[] = [];
  const isOver = () => !isTroubled(stage.view()) && isAllMade(led, made);
  while (!isOver() && made.length < MAX_DECISIONS && !made.includes("finish")) {
    const choices = await waysAt(stage);
    const right = rightChoices(led, choices.map(choiceId), made);
    const chosen = await person.ask(stage, { what: "decide", choices, right, kind });
    made.push(choiceId(chosen));
    person.answered(chosen, await takeWay(stage, chosen));
  }
  const proved = isAllMade(led, made) && (await isProved(stage)) ? "verified" : "not_verified";
  const choices = ["verified", "not_verified"].map((name) => ({ name, about: null }));
  await person.ask(stage, { what: "verify", choices, right: [proved], kind });
  // What is left is what goes right every week.
  if (!isTroubled(stage.view()) && led.needed.length === 0) await stage.workTo("succeeded");
}

async function begin(stage: LedStage, scenario: Scenario, { begins }: LedDrill): Promise<void> {
  if (begins === "first_trouble") return stage.workToTrouble();
  if (begins === "script") return scenario.play(stage);
  if (begins === "stopped") {
    await stage.workTo("succeeded");
    return;
  }
  await publishTwice(stage);
  if (begins === "wrong_version") return;
  await stage.atTheWebsite({ overwrite: "18427" });
  await stage.wait(5_000);
}

/** The facts that whoever verifies has before them: nothing is in doubt, one page at most, nobody was mailed twice. */
async function isProved(stage: LedStage): Promise<boolean> {
  const { posts, campaigns } = await stage.remotes();
  const isPublic = posts.filter(({ status }) => status === "published").length;
  return !isTroubled(stage.view()) && isPublic <= MOST_PUBLIC && campaigns.length <= 1;
}
