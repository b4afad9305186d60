import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDebugLog, traceOf } from "../../main/adapters/debug-log";

const NOW = Date.UTC(2026, 6, 20, 1);
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "imprimatur-log-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the debug log", () => {
  it("has one line per entry, in a file per day", () => {
    const report = openDebugLog(path.join(folder, "logs"), () => NOW);
    report({ code: "a" });
    report({ code: "b", channel: "today.get", numbers: { ms: 3 } });
    const text = readFileSync(path.join(folder, "logs", "debug-2026-07-20.log"), "utf8");
    expect(
      text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { at: "2026-07-20T01:00:00.000Z", code: "a" },
      { at: "2026-07-20T01:00:00.000Z", code: "b", channel: "today.get", numbers: { ms: 3 } },
    ]);
  });

  it("rolls after 14 days and touches nothing else", () => {
    for (const name of ["debug-2026-07-05.log", "debug-2026-07-06.log", "debug-notes.log", "other.txt"])
      writeFileSync(path.join(folder, name), "");
    openDebugLog(folder, () => NOW);
    expect(readdirSync(folder).sort()).toEqual(["debug-2026-07-06.log", "debug-notes.log", "other.txt"]);
  });

  it("never fails, and says later how many lines were lost", () => {
    const blocked = path.join(folder, "file");
    writeFileSync(blocked, "");
    const report = openDebugLog(blocked, () => NOW);
    expect(() => report({ code: "lost" })).not.toThrow();
    rmSync(blocked);
    openDebugLog(blocked, () => NOW);
    report({ code: "back" });
    expect(readFileSync(path.join(blocked, "debug-2026-07-20.log"), "utf8")).toContain('"lostLines":2');
  });
});

describe("what is told about an error", () => {
  it("is its class and its places, never its text", () => {
    const trace = traceOf(new RangeError("to reader@example.org\n    at fake (body.txt:1:1)"));
    expect(trace.name).toBe("RangeError");
    expect(trace.at[0]).toContain("debug-log.test");
    expect(JSON.stringify(trace)).not.toMatch(/reader|body\.txt/);
    expect(traceOf("reader@example.org")).toEqual({ name: "string", at: [] });
  });
});
