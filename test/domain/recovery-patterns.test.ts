import { describe, expect, test } from "vitest";
import { causeOf, fingerprintOf, type PatternItem, patternsOf } from "../../main/domain/recovery-patterns";
import { HOUR, NOW } from "./fake-view";

const DAY = 24 * HOUR;

const item = (daysAgo: number, more: Partial<PatternItem> = {}): PatternItem => ({
  id: `ri-${daysAgo}`,
  kind: "dead_letter",
  stage: "to_triage",
  subject: "publish:weekly-briefing:2026-W30:zh-CN:v1",
  errorClass: "transient",
  action: "cms-sandbox/create",
  rawCode: "http_503",
  createdAt: NOW - daysAgo * DAY,
  stageAt: null,
  method: null,
  ...more,
});

/** The one pattern that these are. */
function only(...items: PatternItem[]) {
  const patterns = patternsOf(items, NOW);
  expect(patterns).toHaveLength(1);
  return patterns[0] as (typeof patterns)[number];
}

describe("the fingerprint of an item", () => {
  const print = (more: Partial<PatternItem>) => fingerprintOf(causeOf(item(0, more)));

  test("is its kind, class, action and code, without what differs from case to case", () => {
    expect(print({})).toBe("dead_letter · transient · cms-sandbox/create · http_503");
    expect(print({ rawCode: " HTTP_503" })).toBe(print({}));
    expect(print({ rawCode: "post 18427 is locked" })).toBe(print({ rawCode: "post 18431 is locked" }));
    expect(print({ rawCode: "request 0f8e2c11-77aa-4b6c-9d20-aa10bb20cc30" })).toBe(
      print({ rawCode: "request 00000000" }),
    );
    expect(print({ subject: "publish:weekly-briefing:2026-W31:zh-CN:v1" })).toBe(print({}));
  });

  test("tells apart what is not the same trouble", () => {
    const others = [
      { rawCode: "http_502" },
      { kind: "unknown_outcome" },
      { errorClass: "auth" },
      { action: "mail-sandbox/create" },
    ];
    const prints = [{}, ...others].map((more) => print(more as Partial<PatternItem>));
    expect(new Set(prints).size).toBe(prints.length);
  });

  test("of what has no call behind it is what its subject begins with, and names nobody", () => {
    const care = { kind: "customer_care", errorClass: null, action: null, rawCode: "mailbox_full" } as const;
    expect(print({ ...care, subject: "bounced:R7" })).toBe("customer_care · — · bounced · mailbox_full");
    expect(print({ ...care, subject: "bounced:R9" })).toBe(print({ ...care, subject: "bounced:R7" }));
    const undo = { ...care, kind: "compensation_failed", rawCode: null, subject: "take_page_down: http_503" } as const;
    expect(print(undo)).toBe("compensation_failed · — · take_page_down · http_503");
    expect(print({ ...care, subject: "complained:R7" })).not.toBe(print({ ...care, subject: "bounced:R7" }));
  });
});

describe("what recurs", () => {
  test("once is no pattern", () => expect(patternsOf([item(1)], NOW)).toEqual([]));

  test("twice is shown, with how often in which time", () => {
    expect(only(item(1), item(20))).toMatchObject({ lastWeek: 1, lastMonth: 2, review: "none", automation: null });
  });

  test("the most frequent comes first", () => {
    const other = { rawCode: "timeout" };
    const found = patternsOf([item(1, other), item(2, other), item(1), item(2), item(3)], NOW);
    expect(found.map(({ cause }) => cause.code)).toEqual(["http_503", "timeout"]);
  });

  describe("three times in seven days forces a review", () => {
    test("up to the last moment of the seventh day", () => {
      expect(only(item(0), item(3), item(7)).review).toBe("due");
      expect(only(item(0), item(3), item(7, { createdAt: NOW - 7 * DAY - 1 })).review).toBe("none");
    });
    test("twice does not", () => expect(only(item(0), item(1)).review).toBe("none"));
    test("it stays owed after the week", () => expect(only(item(20), item(22), item(25)).review).toBe("due"));
    test("until one of them has been reviewed", () => {
      const reviewed = item(3, { stage: "reviewed", stageAt: NOW - HOUR });
      expect(only(item(1), item(2), reviewed).review).toBe("none");
    });
    test("closed is not reviewed", () => {
      const closed = item(3, { stage: "closed", stageAt: NOW - HOUR });
      expect(only(item(1), item(2), closed).review).toBe("due");
    });
  });

  describe("what comes again within thirty days of a review opens it again", () => {
    const reviewed = (daysAgo: number) => item(55, { stage: "reviewed", stageAt: NOW - daysAgo * DAY });
    test("on the thirtieth day", () => expect(only(reviewed(30), item(0)).review).toBe("reopened"));
    test("not later", () => expect(only(reviewed(31), item(0)).review).toBe("none"));
    test("not by what was there before", () => expect(only(reviewed(2), item(3)).review).toBe("none"));
    test("until it has been reviewed anew", () => {
      expect(only(reviewed(20), item(5, { stage: "reviewed", stageAt: NOW - DAY })).review).toBe("none");
    });
  });

  describe("five times in thirty days, recovered the same way, is proposed as a rule", () => {
    const done = (daysAgo: number, method: string | null = "Sent it again by hand") => item(daysAgo, { method });
    test("in whatever spaces and case it was written", () => {
      const five = [done(1), done(5), done(9, "sent it  again by hand "), done(12), done(29)];
      expect(only(...five).automation).toEqual({ method: "Sent it again by hand", times: 5 });
    });
    test("four times is not, nor five with one of them elsewhere, undone or long ago", () => {
      const four = [done(1), done(2), done(3), done(4)];
      for (const fifth of [done(5, "Asked the provider"), done(5, null), done(30)])
        expect(only(...four, fifth).automation).toBeNull();
      expect(only(...four).automation).toBeNull();
    });
  });
});
