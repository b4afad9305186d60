import { join } from "node:path";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { DRILL_CASES, DRILL_WAYS } from "../../main/domain/drill-led";
import { RUNBOOK_FACTS } from "../../main/domain/runbook";
import { drillFacts } from "../../main/headless/drill-facts";
import { type Expected, readExpected } from "../../main/headless/scenarios-judge";
import { faultsByKind } from "../../main/sandbox/faults";
import { allScenarios, baselines } from "../../main/sandbox/scenarios/all";
import { counterNames } from "../../main/sandbox/state";
import { DrillFacts } from "../../preload/contract";
import { showLanguage } from "../../renderer/i18n";
import { FactsPanel } from "../../renderer/screens/drills/facts-panel";
import { answerWords, choiceWords } from "../../renderer/screens/drills/led-words";
import { stepLines } from "../../renderer/screens/drills/step-text";
import type { DrillStep } from "../../renderer/stores/drills";
import { wordFor } from "../../renderer/words";

const frozen = readExpected(join(import.meta.dirname, "../scenarios/expected"));
const WORDLESS = /no wording in this version|此版本没有对应的说法|\{\{|undefined|\[object|NaN/;

/** `showLanguage` tells the page's root element. */
const root = { documentElement: { lang: "" } };
Object.assign(globalThis, { document: globalThis.document ?? root });

const factsOf = (outcome: Expected) => DrillFacts.parse(drillFacts({ outcome, ms: 1740 }, outcome.events.length));
const answersOf = ({ answers }: Expected): DrillStep[] =>
  answers
    .filter((answer) => !answer.startsWith("debug log"))
    .map((answer) => {
      const [asked = "", ...rest] = answer.split(": ");
      return { kind: "person", at: 0, asked, answer: rest.join(": ") };
    });

describe.each(["en", "zh-CN"] as const)("in %s", (language) => {
  it.each([...frozen.keys()])("everything that was frozen about %s has words on the screen", (id) => {
    showLanguage(language);
    const outcome = frozen.get(id) as Expected;
    const html = renderToStaticMarkup(<FactsPanel facts={factsOf(outcome)} />);
    expect(html).not.toMatch(WORDLESS);
    for (const { text, detail } of stepLines(answersOf(outcome))) expect(`${text} ${detail}`).not.toMatch(WORDLESS);
  });

  it("every request that the remotes of a briefing count, and every fault that a scenario sets, has words", () => {
    showLanguage(language);
    const isOther = (name: string) => /^(member|voucher|message|service)\./.test(name);
    const calls = [...counterNames.filter((name) => !isOther(name)), "source.read"];
    const faults = allScenarios.flatMap(({ faults: set = [] }) => set);
    const steps: DrillStep[] = [
      ...calls.map((call): DrillStep => ({ kind: "call", at: 0, call })),
      ...faults.map(({ on, fault }): DrillStep => ({ kind: "fault", at: 0, on, fault })),
    ];
    const lines = stepLines(steps);
    expect(lines).toHaveLength(steps.length);
    for (const { text } of lines) expect(text).not.toMatch(WORDLESS);
    expect(faults.filter(({ on, fault }) => !faultsByKind[on].includes(fault))).toEqual([]);
  });

  it("every way that a person may be offered, every case, fact and answer of a drill that they play has words", () => {
    showLanguage(language);
    const cases = DRILL_CASES.map((name) => choiceWords("classify", { name, about: null }));
    const ways = DRILL_WAYS.map((name) => choiceWords("decide", { name, about: "18427" }));
    const ends = ["verified", "not_verified"].map((name) => choiceWords("verify", { name, about: null }));
    const facts = RUNBOOK_FACTS.map((name) => wordFor("drills.led.fact", name));
    const said = [...cases, ...ways, ...ends, ...facts, answerWords("guard_failed: duplicate_not_public")];
    for (const text of said) expect(text).not.toMatch(WORDLESS);
    expect(new Set([...cases, ...ways, ...ends]).size).toBe(cases.length + ways.length + ends.length);
  });

  it("every scenario tells given, fault and expected in this language", () => {
    const chinese = /[\u4e00-\u9fff]/;
    for (const { id, title, given, fault, expected } of [...allScenarios, ...baselines])
      for (const text of [title, given, fault, expected].map((words) => words[language]))
        expect([id, text.length > 3 && chinese.test(text) === (language === "zh-CN")]).toEqual([id, true]);
  });
});
