import { describe, expect, test } from "vitest";
import { editionAt, editionDueAt } from "../../main/domain/edition-week";

const at = (text: string) => Date.parse(text);
const iso = (instant: number) => new Date(instant).toISOString();

describe("the edition of a moment", () => {
  test.each([
    ["2026-07-20T01:14:00Z", "Asia/Shanghai", "2026-W30"],
    // Sunday evening in UTC is Monday morning in Shanghai, and still Sunday in New York.
    ["2026-07-19T16:00:00Z", "Asia/Shanghai", "2026-W30"],
    ["2026-07-19T15:59:59Z", "Asia/Shanghai", "2026-W29"],
    ["2026-07-19T16:00:00Z", "America/New_York", "2026-W29"],
    // Around New Year the week decides about the year.
    ["2026-12-31T12:00:00Z", "UTC", "2026-W53"],
    ["2027-01-03T23:59:59Z", "UTC", "2026-W53"],
    ["2027-01-04T00:00:00Z", "UTC", "2027-W01"],
    ["2024-12-30T00:00:00Z", "UTC", "2025-W01"],
    ["2021-01-03T12:00:00Z", "UTC", "2020-W53"],
    ["2023-01-01T12:00:00Z", "UTC", "2022-W52"],
  ])("%s in %s is %s", (moment, zone, edition) => {
    expect(editionAt(at(moment), zone)).toBe(edition);
  });

  test("equals a slow count of weeks over forty years", () => {
    // Week 1 of 2001 began on Monday the first of January: counting on from there needs no rule.
    let [year, week] = [2001, 0];
    for (let monday = at("2001-01-01T00:00:00Z"); monday < at("2041-01-01T00:00:00Z"); monday += 7 * 86_400_000) {
      const thursdayYear = new Date(monday + 3 * 86_400_000).getUTCFullYear();
      if (thursdayYear === year) week += 1;
      else [year, week] = [thursdayYear, 1];
      const edition = `${year}-W${String(week).padStart(2, "0")}`;
      for (let day = 0; day < 7; day += 3) expect(editionAt(monday + day * 86_400_000, "UTC")).toBe(edition);
      expect(iso(editionDueAt(edition, "00:00", "UTC"))).toBe(iso(monday));
    }
  });
});

describe("the moment an edition is due", () => {
  test("is its Monday at the local time", () => {
    expect(iso(editionDueAt("2026-W30", "10:30", "Asia/Shanghai"))).toBe("2026-07-20T02:30:00.000Z");
    expect(iso(editionDueAt("2026-W01", "10:30", "Asia/Shanghai"))).toBe("2025-12-29T02:30:00.000Z");
  });

  test("follows the clocks of the zone over the year", () => {
    expect(iso(editionDueAt("2026-W13", "10:30", "Europe/Berlin"))).toBe("2026-03-23T09:30:00.000Z");
    expect(iso(editionDueAt("2026-W14", "10:30", "Europe/Berlin"))).toBe("2026-03-30T08:30:00.000Z");
    expect(iso(editionDueAt("2026-W44", "10:30", "Europe/Berlin"))).toBe("2026-10-26T09:30:00.000Z");
  });

  test("a time of day that the Monday leaves out comes later by as much", () => {
    // Tehran, Monday 2021-03-22: 00:00 became 01:00.
    expect(iso(editionDueAt("2021-W12", "00:30", "Asia/Tehran"))).toBe("2021-03-21T21:00:00.000Z");
    expect(iso(editionDueAt("2021-W12", "01:30", "Asia/Tehran"))).toBe("2021-03-21T21:00:00.000Z");
    // Monday 2020-09-21 began twice: the hour before its midnight was repeated, which leaves the Monday whole.
    expect(iso(editionDueAt("2020-W39", "00:30", "Asia/Tehran"))).toBe("2020-09-20T21:00:00.000Z");
  });

  test("lies in the edition it is for, in every zone and season", () => {
    for (const zone of [
      "Asia/Shanghai",
      "America/New_York",
      "Pacific/Kiritimati",
      "Pacific/Niue",
      "Australia/Lord_Howe",
    ])
      for (const edition of ["2026-W01", "2026-W11", "2026-W14", "2026-W30", "2026-W41", "2026-W45", "2026-W53"])
        for (const time of ["00:00", "10:30", "23:59"])
          expect(editionAt(editionDueAt(edition, time, zone), zone)).toBe(edition);
  });

  test("there is none for a week that the year has not", () => {
    expect(() => editionDueAt("2026-W54", "10:30", "UTC")).toThrow("no such week");
    expect(() => editionDueAt("2025-W53", "10:30", "UTC")).toThrow("no such week");
    expect(() => editionDueAt("2026-W00", "10:30", "UTC")).toThrow("no such week");
    expect(() => editionDueAt("2026-30", "10:30", "UTC")).toThrow("no edition");
    expect(() => editionDueAt("2026-W30", "24:00", "UTC")).toThrow("no edition");
  });
});
