import { describe, expect, test } from "vitest";
import { INCIDENT_KINDS } from "../../main/domain/incident";
import { factsOf, fillIn, RUNBOOK_PHASES, type Runbook, validateRunbook } from "../../main/domain/runbook";
import { RUNBOOKS, usable } from "../../main/domain/runbooks";

describe.each(INCIDENT_KINDS)("%s", (kind) => {
  const runbook = RUNBOOKS[kind];

  test("the built-in runbook may be used, and is for this kind", () => {
    expect(validateRunbook(runbook)).toEqual([]);
    expect(runbook.kind).toBe(kind);
    expect(runbook.version).toBeGreaterThan(0);
    expect([...new Set(runbook.steps.map(({ phase }) => phase))]).toEqual(RUNBOOK_PHASES);
  });

  test("both languages are filled in with the same facts", () => {
    const words = [
      ...Object.values(runbook.parts),
      ...Object.values(runbook.drafts),
      ...runbook.steps.flatMap((step) => [step.words, ...step.branches.map((branch) => branch.words)]),
    ];
    for (const { en, "zh-CN": zh } of words) expect(new Set(factsOf(zh)), en).toEqual(new Set(factsOf(en)));
  });

  test("something can be done without the network in every phase but looking", () => {
    expect(runbook.steps.some((step) => step.phase === "freeze" && !step.needsNetwork)).toBe(true);
    expect(runbook.steps.some((step) => step.phase === "communicate" && !step.needsNetwork)).toBe(true);
  });
});

const sound = RUNBOOKS.unknown_publish;
const faultsOf = (changed: Partial<Runbook>) =>
  validateRunbook({ ...sound, ...changed }).map(({ rule, at }) => `${rule} ${at}`);
const [first, second, ...rest] = sound.steps;
if (!first || !second) throw new Error("the runbook has steps");

test.each<[string, Partial<Runbook>, string[]]>([
  ["a phase is missing", { steps: sound.steps.filter(({ phase }) => phase !== "verify") }, ["phase_missing verify"]],
  [
    "a branch leads nowhere",
    { steps: [first, { ...second, branches: [{ id: "one", words: first.words, to: "nowhere" }] }, ...rest] },
    ["branch_dangles look_now.one"],
  ],
  [
    "a fact does not exist",
    { steps: [{ ...first, words: { en: "Look at {password}", "zh-CN": "查看 {edition}" } }, second, ...rest] },
    ["fact_unknown read_journal: password"],
  ],
  [
    "a language is missing",
    { drafts: { ...sound.drafts, correction: { en: "None.", "zh-CN": " " } } },
    ["words_missing correction"],
  ],
  ["a step comes twice", { steps: [first, first, second, ...rest] }, ["step_twice read_journal"]],
  ["a step has no time", { steps: [{ ...first, withinMinutes: 0 }, second, ...rest] }, ["time_missing read_journal"]],
  [
    "a phase comes before its turn",
    { steps: [...sound.steps, { ...first, id: "again" }] },
    ["phase_out_of_order again"],
  ],
])("%s: refused", (_title, changed, faults) => {
  expect(faultsOf(changed)).toEqual(faults);
  expect(() => usable({ ...sound, ...changed })).toThrow(faults[0]);
});

test("what is not known is a dash, and a fact is put in as it is", () => {
  expect(fillIn("{edition} at {pageUrl}", { edition: "2026-W30 {slot} <b>" })).toBe("2026-W30 {slot} <b> at —");
});
