import type { MixInput } from "../sandbox/ledger/mix";
import { SOURCE_IDS } from "../sandbox/ledger/weekly-sources";
import { Dice } from "../simulation/dice";

const EDITIONS = 30;

/** How likely something is in one week: about what the reference mix has, and now and then twice as much. */
const CHANCES = { source: 0.6, repair: 0.2, invented: 0.1, lostPublish: 0.1, lostSend: 0.07, takenBack: 0.04 };

/** Draws a mix of thirty weeks. The same seed gives the same mix; another gives another, and so other figures. */
export function drawMix(seed: number): MixInput {
  const dice = new Dice(seed, 11);
  const weeks = Array.from({ length: EDITIONS }, (_, index) => index + 1);
  const drawn = weeks.map((week) => ({
    sources: dice.chance(CHANCES.source) ? [drawSource(dice, week)] : [],
    // One draft has one fault.
    draft: dice.weighted<"repair" | "invented" | null>(
      [
        ["repair", CHANCES.repair],
        ["invented", CHANCES.invented],
        [null, 1 - CHANCES.repair - CHANCES.invented],
      ],
      null,
    ),
    lost: [
      ...(dice.chance(CHANCES.lostPublish) ? [drawLost(dice, week, "publish" as const)] : []),
      ...(dice.chance(CHANCES.lostSend) ? [drawLost(dice, week, "send" as const)] : []),
    ],
    isTakenBack: dice.chance(CHANCES.takenBack),
    content: dice.between(3, 14),
    send: dice.between(1, 6),
    week,
  }));
  const having = (test: (one: (typeof drawn)[number]) => boolean) => drawn.filter(test).map(({ week }) => week);
  return {
    editions: EDITIONS,
    sources: drawn.flatMap(({ sources }) => sources),
    repairs: having(({ draft }) => draft === "repair"),
    inventedQuotes: having(({ draft }) => draft === "invented"),
    lostAnswers: drawn.flatMap(({ lost }) => lost),
    compensations: having(({ isTakenBack }) => isTakenBack),
    minutes: { content: drawn.map(({ content }) => content), send: drawn.map(({ send }) => send) },
  };
}

function drawSource(dice: Dice, week: number): NonNullable<MixInput["sources"]>[number] {
  const [first = "", ...others] = SOURCE_IDS;
  return {
    week,
    source: dice.pick([first, ...others]),
    error: dice.pick(["dns", "timeout", "rate_limit"]),
    times: dice.weighted(
      [
        [1, 0.75],
        [2, 0.17],
        [3, 0.08],
      ],
      1,
    ),
  };
}

function drawLost(dice: Dice, week: number, of: "publish" | "send"): NonNullable<MixInput["lostAnswers"]>[number] {
  return { week, of, refusedMinutes: dice.chance(0.3) ? dice.between(2, 15) : 0 };
}
