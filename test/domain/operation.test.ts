import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  approvalScopeOf,
  canMove,
  hasLeft,
  isMailing,
  isOut,
  isSettled,
  OPERATION_STATES,
} from "../../main/domain/operation";
import type { OperationState } from "../../main/domain/records";

// Domain section 6, copied out by reading it.
const MACHINE = `
prepared → request_sent · prepared → cancelled
request_sent → confirmed · request_sent → rejected · request_sent → unknown · request_sent → prepared
unknown → confirmed · unknown → not_found · unknown → conflict · unknown → locked
not_found → request_sent · not_found → confirmed · not_found → conflict
confirmed → conflict
rejected → prepared · cancelled → prepared
conflict → confirmed · conflict → not_found
locked → confirmed · locked → not_found`;
const LISTED = new Set(MACHINE.split(/[·\n]/).map((way) => way.trim().replace(" → ", ">")));

const EVERY_PAIR = OPERATION_STATES.flatMap((from) => OPERATION_STATES.map((to) => [from, to] as const));

test("the nine states", () => {
  expect([...OPERATION_STATES].sort()).toEqual(
    "cancelled confirmed conflict locked not_found prepared rejected request_sent unknown".split(" "),
  );
});

test.each(EVERY_PAIR)("%s → %s exists only where it is listed", (from, to) => {
  expect(canMove(from, to)).toBe(LISTED.has(`${from}>${to}`));
});

test("the database holds the same list", () => {
  const sql = readFileSync(new URL("../../db/migrations/0010_journal.sql", import.meta.url), "utf8");
  const trigger = /CREATE TRIGGER operation_machine[\s\S]*?NOT IN \(([\s\S]*?)\)\s*BEGIN/.exec(sql)?.[1] ?? "";
  const ways = [...trigger.matchAll(/'([a-z_]+>[a-z_]+)'/g)].map((match) => match[1]);
  expect(new Set(ways)).toEqual(new Set([...LISTED].filter((way) => way !== "")));
});

describe("what is out there", () => {
  const states = (judge: (operation: { state: OperationState }) => boolean) =>
    OPERATION_STATES.filter((state) => judge({ state })).sort();

  test("without a certain end: sent, unknown, in conflict, locked", () => {
    expect(states(isOut)).toEqual(["conflict", "locked", "request_sent", "unknown"]);
  });
  test("or with one: confirmed", () => {
    expect(states(hasLeft)).toEqual(["confirmed", "conflict", "locked", "request_sent", "unknown"]);
  });
});

test.each([
  ["confirmed", true, true],
  ["rejected", true, true],
  ["cancelled", true, true],
  ["not_found", false, true],
  ["prepared", false, false],
  ["request_sent", false, false],
  ["unknown", false, false],
  ["conflict", false, false],
  ["locked", false, false],
] as const)("%s is settled: before the horizon %s, past it %s", (state, before, past) => {
  expect(isSettled(state, false)).toBe(before);
  expect(isSettled(state, true)).toBe(past);
});

test("which gate governs a kind of write: what is published or mailed, and nothing else", () => {
  const kinds = ["publish", "send", "correct", "effect", "compensate"] as const;
  expect(kinds.map(approvalScopeOf)).toEqual(["publish", "send", "correct", null, null]);
  expect(kinds.filter(isMailing)).toEqual(["send", "correct"]);
});
