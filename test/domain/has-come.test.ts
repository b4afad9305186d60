import { expect, test } from "vitest";
import { hasCome } from "../../main/domain/has-come";
import { NOW } from "./fake-view";

const DAY_MS = 86_400_000;

test("a moment to come back at: not before it, and at once where it lies further ahead than any wait (C8)", () => {
  const moments = [NOW - 1, NOW, NOW + 1, NOW + DAY_MS, NOW + DAY_MS + 1, NOW + 365 * DAY_MS];
  expect(moments.map((at) => hasCome(at, NOW))).toEqual([true, true, false, false, true, true]);
});
