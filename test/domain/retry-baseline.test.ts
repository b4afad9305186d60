import { expect, test } from "vitest";
import { isRetryRateDoubled } from "../../main/domain/retry-baseline";

// Domain 10: twice its baseline over seven days is an alert about the dependency.

const usual = { calls: 100, again: 5 };

test.each([
  ["at twice the usual rate", { calls: 40, again: 4 }, usual, true],
  ["just under it", { calls: 41, again: 4 }, usual, false],
  ["twice the rate, but two hiccups only", { calls: 10, again: 2 }, usual, false],
  ["nothing was usual: three in a week are new", { calls: 60, again: 3 }, { calls: 100, again: 0 }, true],
  ["what is usual is not known yet", { calls: 10, again: 9 }, { calls: 9, again: 0 }, false],
  ["no calls", { calls: 0, again: 0 }, usual, false],
])("%s", (_, recent, baseline, doubled) => expect(isRetryRateDoubled(recent, baseline)).toBe(doubled));
