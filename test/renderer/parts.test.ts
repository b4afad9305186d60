import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { ask, listen } from "../../renderer/bridge";
import { diffLines } from "../../renderer/components/diff-lines";
import { eventSubject, eventsAsText, rawEvent } from "../../renderer/components/event-text";
import { findQuote, lineAt, splitLines } from "../../renderer/components/source-lines";
import { filterRows, operationRows, stagesOf } from "../../renderer/components/timeline-rows";
import { timelineScale } from "../../renderer/components/timeline-scale";
import { formatBytes, formatDuration, formatZoned } from "../../renderer/format";
import { i18next } from "../../renderer/i18n";
import { effectOf } from "../../renderer/screens/approval-box";
import { readSections, sectionsOf, warningKey } from "../../renderer/screens/content-review/sections";
import { actorWord, wordFor } from "../../renderer/words";
import { fromLocalField, toLocalField } from "../../renderer/zoned-time";
import { makeFakeApi } from "./fake-api";
import { HOUR, MINUTE, NOW } from "./fixtures/common";
import { contentReview, snapshots } from "./fixtures/content";
import { succeededRun, unknownRun } from "./fixtures/run";

beforeAll(() => i18next.changeLanguage("en"));

describe("the bridge", () => {
  afterEach(() => Reflect.deleteProperty(window, "api"));

  it("turns a missing core, a thrown error and a wrong shape into problems, never into exceptions", async () => {
    expect(await ask("today.get", {})).toMatchObject({ ok: false, problem: { kind: "absent" } });
    const api = makeFakeApi();
    window.api = api;
    api.answer("today.get", () => Promise.reject(new Error("gone")));
    expect(await ask("today.get", {})).toEqual({
      ok: false,
      problem: { kind: "rejected", channel: "today.get", detail: "gone" },
    });
    api.answer("sandbox.setClock", () => ({ now: "soon" }));
    expect(await ask("sandbox.setClock", {})).toMatchObject({
      ok: false,
      problem: { kind: "malformed", detail: expect.stringContaining("now") },
    });
  });

  it("drops a push of another form, and stops listening when asked", () => {
    const api = makeFakeApi();
    window.api = api;
    const heard: unknown[] = [];
    const stop = listen("journal.changed", (value) => heard.push(value));
    api.push("journal.changed", { seq: "x" });
    api.push("journal.changed", { seq: 1, taskIds: [] });
    stop();
    api.push("journal.changed", { seq: 2, taskIds: [] });
    expect(heard).toEqual([{ seq: 1, taskIds: [] }]);
  });
});

describe("times", () => {
  it("say two units at most, rounded down", () => {
    expect([0, 400, 12_000, 71_000, 12 * MINUTE, 72 * MINUTE, 26 * HOUR, 49 * HOUR].map(formatDuration)).toEqual([
      "0 s",
      "400 ms",
      "12 s",
      "1 min 11 s",
      "12 min",
      "1 h 12 min",
      "26 h",
      "2 d 1 h",
    ]);
  });

  it("name the zone", () => expect(formatZoned(NOW, "Asia/Shanghai", "dayMinute")).toBe("Tue 09:18 Asia/Shanghai"));

  it("go to a local field and back, across changes of the clock", () => {
    for (const zone of ["Asia/Shanghai", "America/New_York", "Europe/Berlin", "UTC"]) {
      for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 17 * HOUR)
        expect(fromLocalField(toLocalField(at, zone), zone)).toBe(at);
    }
    expect(fromLocalField("2026-07-21T10:30", "Asia/Shanghai")).toBe(Date.UTC(2026, 6, 21, 2, 30));
    // New York skips 02:00 to 03:00 on 8 March 2026, and has 01:30 twice on 1 November.
    expect(fromLocalField("2026-03-08T02:30", "America/New_York")).toBe(Date.UTC(2026, 2, 8, 7, 30));
    expect(fromLocalField("2026-11-01T01:30", "America/New_York")).toBe(Date.UTC(2026, 10, 1, 5, 30));
    expect(fromLocalField("tomorrow", "UTC")).toBeNull();
  });

  it("sizes have one digit behind the point at most", () =>
    expect([950, 21_877, 4_400_000].map(formatBytes)).toEqual(["950 B", "21.9 kB", "4.4 MB"]));
});

describe("words", () => {
  it("fall back readably, and never look into another family", () => {
    expect(wordFor("state", "blocked")).toBe("Blocked");
    expect(wordFor("state", "proof_reading")).toBe("proof reading (no wording in this version)");
    expect(wordFor("event", "title")).toBe("title (no wording in this version)");
    expect(wordFor("unmet", "a.b")).toBe("a.b (no wording in this version)");
    expect(actorWord("editor:Lin")).toBe("Editor Lin");
    expect(actorWord("somebody")).toBe("somebody");
  });
});

describe("a source's text", () => {
  const long = snapshots[contentReview.facts[0]?.snapshotHash ?? ""]?.text ?? "";

  it("is cut without losing a character, and every place is found in its line", () => {
    const text = `${"x".repeat(5000)}\n\n短句。\n${"汉字😀 ".repeat(900)}${long}`;
    const lines = splitLines(text);
    for (const line of lines) expect(text.startsWith(line.text, line.start)).toBe(true);
    expect(Math.max(...lines.map((line) => line.text.length))).toBeLessThanOrEqual(601);
    for (const line of lines) expect(/[\ud800-\udbff]$/.test(line.text)).toBe(false);
    for (const place of [0, 4999, 5002, text.length - 1]) {
      const line = lines[lineAt(lines, place)];
      expect(line && line.start <= place && place <= line.start + line.text.length).toBe(true);
    }
    expect(lines.map((line) => line.text).join("").length).toBe(text.replaceAll("\n", "").length);
  });

  it("of ten megabytes without a line end is cut into lines that can be shown", () => {
    expect(splitLines("word ".repeat(2_000_000)).length).toBeGreaterThan(10_000);
  });

  it("believes a place only with the words", () => {
    const { quote = "", start = 0, end = 0 } = contentReview.facts[0] ?? {};
    expect(findQuote(long, quote, start, end)).toEqual({ start, end, as: "named" });
    expect(findQuote(long, quote, start + 1, end + 1)).toEqual({ start, end, as: "moved" });
    expect(findQuote(long, "never said", start, end)).toBeNull();
    expect(findQuote(long, "", 0, 5)).toBeNull();
  });
});

describe("the timeline", () => {
  it("stays in order, and cuts nights out so that a minute of work keeps its room", () => {
    const moments = [0, 1000, 2000, 14 * HOUR, 14 * HOUR + 30_000, 14 * HOUR + 60_000];
    const scale = timelineScale(moments);
    expect(scale.breaks).toContainEqual({ from: 2000, to: 14 * HOUR });
    const places = moments.map((at) => scale.place(at));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBe(0);
    expect(places.at(-1)).toBeCloseTo(1, 5);
    expect((places[5] ?? 0) - (places[3] ?? 0)).toBeGreaterThan(0.5);
  });

  it("has a place for every moment of any list, also of none", () => {
    for (const moments of [[], [5], [5, 5, 5], [0, 100 * HOUR]]) {
      const scale = timelineScale(moments);
      for (const at of [...moments, -1, 1e13]) {
        expect(scale.place(at)).toBeGreaterThanOrEqual(0);
        expect(scale.place(at)).toBeLessThanOrEqual(1);
      }
    }
  });

  it("draws the time without an answer as what it is", () => {
    const [row] = operationRows(unknownRun, NOW);
    expect(row?.segments.map((segment) => segment.kind)).toEqual(["wait", "call", "unknown"]);
    expect(row?.open).toBe(true);
    expect(filterRows(operationRows(unknownRun, NOW), "open")).toHaveLength(1);
    expect(filterRows(operationRows(succeededRun, NOW), "failed")).toHaveLength(0);
    expect(
      stagesOf(succeededRun, NOW, true)
        .map((stage) => stage.state)
        .slice(-2),
    ).toEqual(["send_pending", "succeeded"]);
  });
});

describe("the package's sections", () => {
  it("hold a mark only for exactly the text that was read", () => {
    const sections = sectionsOf(contentReview);
    const reads = Object.fromEntries(sections.map((section) => [section.id, section.text]));
    expect(readSections(sections, reads)).toHaveLength(13);
    const moved = sectionsOf({
      ...contentReview,
      facts: contentReview.facts.map((fact) => (fact.id === "F3" ? { ...fact, quote: `${fact.quote} ` } : fact)),
    });
    expect(readSections(moved, reads)).not.toContain("fact:F3");
    expect(readSections(moved, reads)).toHaveLength(12);
  });

  it("name a warning as the journal does", () => {
    expect(contentReview.warnings.map(warningKey)).toEqual([
      "link_redirect:4",
      "link_bot_blocked:12",
      "source_failed:harbor",
    ]);
    expect(warningKey({ code: "shortfall", values: { n: 2 } })).toBe("shortfall:2");
  });
});

describe("a comparison", () => {
  it("is laid out in lines, however the parts are cut", () => {
    const lines = diffLines([
      { kind: "same", text: "Title\n\nNine " },
      { kind: "removed", text: "small" },
      { kind: "added", text: "large" },
      { kind: "same", text: " changes.\n" },
      { kind: "removed", text: "gone\naltogether\n" },
      { kind: "added", text: "new\n" },
    ]);
    expect(lines.map((line) => [line.kind, line.parts.map((part) => part.text).join("|")])).toEqual([
      ["same", "Title"],
      ["same", ""],
      ["changed", "Nine |small|large| changes."],
      ["removed", "gone"],
      ["removed", "altogether"],
      ["added", "new"],
    ]);
    expect(diffLines([])).toEqual([]);
  });
});

describe("revoking", () => {
  it("is told by what has left at that moment", () => {
    expect(effectOf({ operations: [] }, "publish")).toBe("nothingOut");
    expect(effectOf(unknownRun, "publish")).toBe("out");
    expect(effectOf(succeededRun, "publish")).toBe("settled");
    expect(effectOf(unknownRun, "send")).toBe("nothingOut");
  });
});

describe("events as text", () => {
  it("say what they are about where the payload has a word for it", () => {
    const [event] = unknownRun.events;
    if (!event) throw new Error("no event");
    const about = (payload: unknown) => eventSubject({ ...event, payload: JSON.stringify(payload) });
    expect(about({ sourceId: "harbor-releases", httpStatus: 200 })).toBe("harbor-releases");
    expect(about({ error: { code: "timeout", httpStatus: null } })).toBe("timeout");
    expect(about({ remoteId: "18427", code: null })).toBe("18427");
    expect(about({ httpStatus: 404 })).toBe("404");
    expect(about("a text")).toBe("");
    expect(eventSubject({ ...event, payload: null })).toBe("");
  });

  it("are tab-separated with times in UTC, and their payload opens up as JSON", () => {
    const [first] = unknownRun.events;
    if (!first) throw new Error("no event");
    expect(eventsAsText([first])).toBe(
      `101\t${new Date(first.at).toISOString()}\tTaskCreated\t-\tcreated\teditor:Lin\t-\t-\t${first.hash}`,
    );
    expect(JSON.parse(rawEvent(first)).payload.type).toBe("TaskCreated");
    expect(JSON.parse(rawEvent({ ...first, payload: "not json" })).payload).toBe("not json");
  });
});
