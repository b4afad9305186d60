import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Bug } from "../../main/domain/ids";
import {
  deadlineOf,
  editionOf,
  instantOf,
  localDateOf,
  localTimeOf,
  mondayOf,
  nextClockChange,
} from "../../main/domain/schedule";

const ZONES = Intl.supportedValuesOf("timeZone");
const at = (text: string) => Date.parse(text);
const zone = fc.constantFrom(...ZONES);
const instant = fc.integer({ min: at("1990-01-01T00:00:00Z"), max: at("2090-01-01T00:00:00Z") });

/** Written the slow way, on the local date alone: walk to the week's Thursday and count its year's Thursdays. */
function isoWeekByCounting(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  while (day.getUTCDay() !== 4) day.setUTCDate(day.getUTCDate() + ((day.getUTCDay() + 6) % 7 < 3 ? 1 : -1));
  const year = day.getUTCFullYear();
  let week = 0;
  while (day.getUTCFullYear() === year) {
    week += 1;
    day.setUTCDate(day.getUTCDate() - 7);
  }
  return `${year}-W${String(week).padStart(2, "0")}`;
}

describe("editions", () => {
  test.each([
    ["2026-07-20T02:00:00Z", "Asia/Shanghai", "2026-W30"],
    ["2026-07-19T16:00:00Z", "Asia/Shanghai", "2026-W30"],
    ["2026-07-19T15:59:59Z", "Asia/Shanghai", "2026-W29"],
    ["2026-07-19T16:00:00Z", "America/New_York", "2026-W29"],
    ["2026-12-31T12:00:00Z", "UTC", "2026-W53"],
    ["2027-01-03T12:00:00Z", "UTC", "2026-W53"],
    ["2027-01-04T12:00:00Z", "UTC", "2027-W01"],
    ["2024-12-30T12:00:00Z", "UTC", "2025-W01"],
    ["2022-01-01T12:00:00Z", "UTC", "2021-W52"],
  ])("%s in %s is %s", (text, where, edition) => {
    expect(editionOf(at(text), where)).toBe(edition);
  });

  test("an edition is the ISO week of the local date, in every zone", () => {
    fc.assert(
      fc.property(instant, zone, (moment, where) => {
        expect(editionOf(moment, where)).toBe(isoWeekByCounting(localDateOf(moment, where)));
      }),
      { numRuns: 400 },
    );
  });

  test("an edition's Monday begins the week that the instant lies in", () => {
    fc.assert(
      fc.property(instant, zone, (moment, where) => {
        const edition = editionOf(moment, where);
        const days = (at(localDateOf(moment, where)) - at(mondayOf(edition))) / 86_400_000;
        expect(days).toBeGreaterThanOrEqual(0);
        expect(days).toBeLessThan(7);
        expect(new Date(mondayOf(edition)).getUTCDay()).toBe(1);
      }),
      { numRuns: 400 },
    );
  });

  test.each(["2026-W00", "2026-W54", "2025-W53", "2026-30", "W30", "2026-W3", "2026-W30 ", ""])(
    "%j is no edition",
    (text) => {
      expect(() => mondayOf(text)).toThrow(Bug);
    },
  );

  test("week 53 exists in long years only", () => {
    expect(mondayOf("2026-W53")).toBe("2026-12-28");
  });
});

describe("deadlines", () => {
  test("an edition is due on its Monday at the definition's local time", () => {
    expect(deadlineOf("2026-W30", "10:30", "Asia/Shanghai")).toBe(at("2026-07-20T02:30:00Z"));
    expect(deadlineOf("2026-W30", "10:30", "America/New_York")).toBe(at("2026-07-20T14:30:00Z"));
    expect(deadlineOf("2026-W02", "10:30", "America/New_York")).toBe(at("2026-01-05T15:30:00Z"));
  });

  test("a due time is shown by the clock on the wall, in every zone and week, or comes right after a gap", () => {
    const week = fc.integer({ min: at("2000-01-03T00:00:00Z"), max: at("2060-01-01T00:00:00Z") });
    fc.assert(
      fc.property(week, zone, fc.integer({ min: 0, max: 1439 }), (moment, where, minute) => {
        const edition = editionOf(moment, "UTC");
        const hours = String(Math.floor(minute / 60)).padStart(2, "0");
        const dueLocal = `${hours}:${String(minute % 60).padStart(2, "0")}`;
        const due = deadlineOf(edition, dueLocal, where);
        const shown = localTimeOf(due, where);
        const exact = shown.hour * 60 + shown.minute === minute && shown.second === 0;
        const before = localTimeOf(due - 1_000, where);
        const asMinutes = (local: typeof before) => local.hour * 60 + local.minute;
        const afterGap = asMinutes(before) < minute && asMinutes(shown) > minute;
        expect(exact || afterGap).toBe(true);
        if (exact) expect(localDateOf(due, where)).toBe(mondayOf(edition));
      }),
      { numRuns: 400 },
    );
  });

  test.each(["24:00", "9:30", "10:60", "10:30:00", "", "noon"])("%j is no time of day", (text) => {
    expect(() => deadlineOf("2026-W30", text, "UTC")).toThrow(Bug);
  });

  test("an unknown zone is a bug, not a silent UTC", () => {
    expect(() => deadlineOf("2026-W30", "10:30", "Mars/Olympus")).toThrow(Bug);
  });
});

describe("local times", () => {
  const local = (date: string, time: string) => {
    const [year, month, day] = date.split("-").map(Number) as [number, number, number];
    const [hour, minute] = time.split(":").map(Number) as [number, number];
    return { year, month, day, hour, minute, second: 0 };
  };

  test("a time that spring leaves out is the first moment after the gap", () => {
    expect(instantOf(local("2026-03-08", "02:30"), "America/New_York")).toBe(at("2026-03-08T07:00:00Z"));
    expect(instantOf(local("2026-10-04", "02:15"), "Australia/Lord_Howe")).toBe(at("2026-10-03T15:30:00Z"));
  });

  test("a time that autumn shows twice is the first of the two", () => {
    expect(instantOf(local("2026-11-01", "01:30"), "America/New_York")).toBe(at("2026-11-01T05:30:00Z"));
  });

  test("a whole day left out is a gap as well", () => {
    expect(instantOf(local("2011-12-30", "12:00"), "Pacific/Apia")).toBe(at("2011-12-30T10:00:00Z"));
  });

  test("reading the wall and setting it again come back to the same moment, or to its first occurrence", () => {
    fc.assert(
      fc.property(instant, zone, (moment, where) => {
        const whole = Math.floor(moment / 1_000) * 1_000;
        const shown = localTimeOf(whole, where);
        const back = instantOf(shown, where);
        expect(localTimeOf(back, where)).toEqual(shown);
        expect(back).toBeLessThanOrEqual(whole);
        expect(whole - back).toBeLessThanOrEqual(86_400_000);
      }),
      { numRuns: 400 },
    );
  });
});

describe("the next change of a zone's clocks", () => {
  const change = (now: string, zone: string, days = 366) => {
    const found = nextClockChange(Date.parse(now), zone, days);
    return found && [new Date(found.at).toISOString(), found.byMs / 3_600_000];
  };
  test("is an hour forward in spring, an hour back in autumn, half an hour where the zone does so, or none", () => {
    expect(change("2026-01-05T12:00:00Z", "Europe/Berlin")).toEqual(["2026-03-29T01:00:00.000Z", 1]);
    expect(change("2026-07-05T12:00:00.123Z", "Europe/Berlin")).toEqual(["2026-10-25T01:00:00.000Z", -1]);
    // The moment itself has come: the next one is autumn's.
    expect(change("2026-03-29T01:00:00Z", "Europe/Berlin")).toEqual(["2026-10-25T01:00:00.000Z", -1]);
    expect(change("2026-01-05T12:00:00Z", "Australia/Lord_Howe")).toEqual(["2026-04-04T15:00:00.000Z", -0.5]);
    expect(change("2026-01-05T12:00:00Z", "Asia/Shanghai")).toBeNull();
    expect(change("2026-01-05T12:00:00Z", "Europe/Berlin", 30)).toBeNull();
  });
});
