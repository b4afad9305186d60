import { describe, expect, test } from "vitest";
import { automaticStopAt, callTimeoutMs, stepDeadlineAt } from "../../main/domain/deadlines";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";
import { DEADLINE, MINUTE, NOW, taskRow } from "./fake-view";

const { deadlines } = briefingDefinition;

test("due 10:30, the automatic path stops 10:20", () => {
  expect(new Date(automaticStopAt(taskRow(), deadlines)).toISOString()).toBe("2026-07-20T02:20:00.000Z");
});

describe("deadlines flow down", () => {
  test("a step gets its own time where the task has more", () => {
    expect(stepDeadlineAt(taskRow(), deadlines, NOW, 15 * MINUTE)).toBe(NOW + 15 * MINUTE);
  });
  test("and what the task has left, minus the human window, where that is less", () => {
    expect(stepDeadlineAt(taskRow(), deadlines, DEADLINE - 12 * MINUTE, 15 * MINUTE)).toBe(DEADLINE - 10 * MINUTE);
  });
  test("a call gets its own limit or what the step has left, and never nothing at all", () => {
    expect(callTimeoutMs(20_000, NOW, NOW + MINUTE)).toBe(20_000);
    expect(callTimeoutMs(20_000, NOW, NOW + 5_000)).toBe(5_000);
    expect(callTimeoutMs(20_000, NOW, NOW)).toBe(1);
    expect(callTimeoutMs(20_000, NOW, NOW - MINUTE)).toBe(1);
  });
});
