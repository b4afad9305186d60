import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { OperationIntent } from "../../main/domain/commands";
import type { CompensationGrade } from "../../main/domain/compensation-grade";
import {
  type ActionDescription,
  describeIntents,
  splitFor,
  validateActions,
} from "../../main/domain/validate-definition";
import type { BriefingPorts } from "../../main/pipeline/briefing/ports";
import { publishIntents } from "../../main/pipeline/briefing/publish";
import { sendIntents } from "../../main/pipeline/briefing/send";
import { fakeView, SENDABLE } from "./fake-view";

const write = (name: string, grade: CompensationGrade, segment: string | null = "main"): ActionDescription => ({
  name,
  grade,
  write: true,
  fallible: true,
  segment,
});
const read = (name: string): ActionDescription => ({ ...write(name, "A"), write: false });
const rules = (actions: readonly ActionDescription[]) => validateActions(actions).map((fault) => fault.rule);

describe("a write that no machine can undo", () => {
  test.each(["C", "D"] as const)("of grade %s may not be followed by another fallible write by itself", (grade) => {
    const faults = validateActions([write("mail", grade), write("announce", "B")]);
    expect(faults).toContainEqual({
      rule: "write_after_grade_c",
      segment: "main",
      action: "mail",
      grade,
      follower: "announce",
    });
  });

  test("may be the last, after writes of grade A or B", () => {
    expect(validateActions([write("page", "B"), write("index", "A"), write("mail", "C")])).toEqual([]);
  });

  test("may be followed by reads, probes and observation", () => {
    expect(validateActions([write("mail", "C"), read("observe"), read("report")])).toEqual([]);
  });

  test("may be followed by a write that cannot fail", () => {
    expect(validateActions([write("mail", "C"), { ...write("note", "A"), fallible: false }])).toEqual([]);
  });

  test("is not excused by a read in between", () => {
    expect(rules([write("mail", "C"), read("observe"), write("announce", "A")])).toEqual(["write_after_grade_c"]);
  });

  test("may be followed by anything behind a person's gate", () => {
    expect(validateActions([write("mail", "C", "send"), write("announce", "B", "announce")])).toEqual([]);
    expect(validateActions([write("mail", "C", null), write("announce", "B", null)])).toEqual([]);
  });

  test("of grade D never runs in an automatic segment, alone or last", () => {
    expect(rules([write("wipe", "D")])).toEqual(["grade_d_automatic"]);
    expect(rules([write("page", "B"), write("wipe", "D")])).toEqual(["grade_d_automatic"]);
    expect(rules([write("wipe", "D", null)])).toEqual([]);
  });

  test("each is a fault of its own", () => {
    expect(rules([write("a", "C"), write("b", "C"), write("c", "D"), write("d", "A")])).toEqual([
      "write_after_grade_c",
      "write_after_grade_c",
      "grade_d_automatic",
      "write_after_grade_c",
    ]);
  });
});

describe("the stack", () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => write(`w${n + 1}`, "A", `s${n}`));

  test("holds eight undos over all segments, and not nine", () => {
    expect(validateActions(many(8))).toEqual([]);
    expect(validateActions(many(9))).toEqual([{ rule: "stack_too_deep", depth: 9, action: "w8" }]);
  });

  test("does not count reads", () => {
    expect(validateActions([...many(8), read("probe"), read("observe")])).toEqual([]);
  });
});

test("every fault says how to split, and splitting so removes it", () => {
  const action = fc.record({
    grade: fc.constantFrom<CompensationGrade>("A", "B", "C", "D"),
    write: fc.boolean(),
    fallible: fc.boolean(),
    segment: fc.constantFrom("one", "two", null),
  });
  fc.assert(
    fc.property(fc.array(action, { maxLength: 14 }), (described) => {
      let actions: ActionDescription[] = described.map((rest, index) => ({ name: `a${index}`, ...rest }));
      for (let round = 0; round < 60; round += 1) {
        const [fault] = validateActions(actions);
        if (!fault) return;
        expect(splitFor(fault)).toContain(`"${fault.action}"`);
        actions = split(actions, fault);
      }
      expect(validateActions(actions)).toEqual([]);
    }),
  );
});

/** Does what the validator advises. */
function split(
  actions: readonly ActionDescription[],
  fault: ReturnType<typeof validateActions>[number],
): ActionDescription[] {
  const at = actions.findIndex((action) => action.name === fault.action);
  switch (fault.rule) {
    case "grade_d_automatic":
      return actions.map((action, index) => (index === at ? { ...action, segment: null } : action));
    case "write_after_grade_c": {
      const from = actions.findIndex((action) => action.name === fault.follower);
      const behind = (action: ActionDescription, index: number) => index >= from && action.segment === fault.segment;
      return actions.map((action, index) =>
        behind(action, index) ? { ...action, segment: `${fault.segment}'` } : action,
      );
    }
    case "stack_too_deep":
      return actions.slice(0, at + 1);
  }
}

describe("the briefing", () => {
  const adapter = (name: string, grade: CompensationGrade) => ({
    name,
    target: "http://remote",
    adapter: { manifest: { callTimeoutMs: 30_000, compensation: { grade } } },
  });
  const ports = { cms: adapter("cms", "B"), mail: adapter("mail", "C") } as unknown as BriefingPorts;
  const view = fakeView({ task: { context: SENDABLE } });

  test("publishes with one write behind the content gate", () => {
    expect(describeIntents(publishIntents(ports, view))).toEqual([
      { name: "publish.create", grade: "B", write: true, fallible: true, segment: null },
    ]);
    expect(validateActions(describeIntents(publishIntents(ports, view)))).toEqual([]);
  });

  test("creates a campaign that can be deleted, and starts it last", () => {
    const actions = describeIntents(sendIntents(ports, view));
    expect(actions.map(({ name, grade, segment }) => [name, grade, segment])).toEqual([
      ["send.create", "B", "send.create"],
      ["send.trigger", "C", "send.create"],
    ]);
    expect(validateActions(actions)).toEqual([]);
  });

  test("could not start the mailing first", () => {
    const [create, trigger] = sendIntents(ports, view) as [OperationIntent, OperationIntent];
    const turned = [
      { ...trigger, automatic: false },
      { ...create, automatic: true },
    ];
    expect(validateActions(describeIntents(turned))).toEqual([
      {
        rule: "write_after_grade_c",
        segment: "send.trigger",
        action: "send.trigger",
        grade: "C",
        follower: "send.create",
      },
    ]);
  });

  test("counts the children of a mailing, which share its undo, as one write", () => {
    const [create] = sendIntents(ports, view) as [OperationIntent];
    const parent: OperationIntent = { ...create, compensation: { ...create.compensation!, grade: "C" } };
    const child: OperationIntent = { ...create, phase: "deliver", automatic: true, compensation: null };
    expect(validateActions(describeIntents([parent, child, child, child]))).toEqual([]);
  });
});
