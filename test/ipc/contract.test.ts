import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { channels, events } from "../../preload/channels";
import { contract, pushEvents } from "../../preload/contract";

const preload = ["index.ts", "channels.ts"].map((name) =>
  readFileSync(new URL(`../../preload/${name}`, import.meta.url), "utf8"),
);

describe("the preload's lists", () => {
  it("name exactly the contract's channels, once each", () => {
    expect([...channels].sort()).toEqual(Object.keys(contract).sort());
  });

  it("name exactly the contract's push events, once each", () => {
    expect([...events].sort()).toEqual(Object.keys(pushEvents).sort());
  });
});

describe("the preload", () => {
  it("imports the contract as types only, so that it carries no zod", () => {
    for (const text of preload) {
      for (const line of text.split("\n").filter((candidate) => /from "\.\/contract"/.test(candidate))) {
        expect(line).toMatch(/^import type /);
      }
      expect(text).not.toMatch(/from "zod"/);
    }
  });

  it("exposes neither ipcRenderer nor the event object", () => {
    expect(preload[0]).not.toMatch(/exposeInMainWorld\([^)]*ipcRenderer/);
    expect(preload[0]).toMatch(/listener\(value\)/);
  });
});

describe("the contract", () => {
  it("can be written down as JSON Schema: nothing in it but data crosses the bridge", () => {
    for (const { input, output } of Object.values(contract)) {
      expect(() => z.toJSONSchema(input)).not.toThrow();
      expect(() => z.toJSONSchema(output)).not.toThrow();
    }
    for (const schema of Object.values(pushEvents)) expect(() => z.toJSONSchema(schema)).not.toThrow();
  });

  it("asks every command about a task for the task's id, and every reviewed command for the version that was seen", () => {
    const reviewed = [
      "contentReview.approve",
      "contentReview.reject",
      "draft.use",
      "sendReview.approve",
      "sendReview.reject",
      "run.unblock",
    ] as const;
    for (const name of reviewed)
      expect(Object.keys(contract[name].input.shape)).toEqual(expect.arrayContaining(["taskId", "expectedVersion"]));
  });

  it("refuses an approval without the hashes that were on the screen", () => {
    const { input } = contract["contentReview.approve"];
    expect(input.safeParse({ taskId: "t", expectedVersion: 3 }).success).toBe(false);
  });
});
