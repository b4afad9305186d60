import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { freshDir } from "../db/fixture";
import { BUILD_LIMIT_MS, command, LIMIT_MS, provideProgram } from "./stage";

beforeAll(provideProgram, BUILD_LIMIT_MS);

/**
 * A sample of `npm run crash`, the same one every time: real processes, SIGKILL, real files. It is the command itself that is
 * run, so that what is proven here is what anybody can run.
 */
const SEED = 7;
const POINTS = 4;
const KILLS = 6;

interface Side {
  createCalls: number;
  remoteObjects: number;
}
interface Report {
  state: string;
  passed: boolean;
  violations: number;
  publish: Side;
  send: Side & { accepted: number };
}
interface Printed {
  kills: number;
  failed: number;
  points: (Report & { killed: boolean })[];
  editions: (Report & { seed: number; kills: { found: string[] }[] })[];
}

test(
  "killed at named points and at random moments, every edition ends with one object each",
  async () => {
    const args = ["--points", String(POINTS), "--kills", String(KILLS), "--seed", String(SEED)];
    const { code, stdout, stderr } = await command("crash", ...args, "--json");
    expect(code, `${stderr}\nagain: npm run -s crash -- ${args.join(" ")}`).toBe(0);
    const { kills, failed, points, editions } = JSON.parse(stdout) as Printed;
    expect(failed).toBe(0);
    expect(kills).toBeGreaterThanOrEqual(KILLS);
    expect(points.map((point) => point.killed)).toEqual(Array(POINTS).fill(true));
    expect(editions.flatMap((edition) => edition.kills)).toHaveLength(kills);
    expect(editions.flatMap((edition) => edition.kills.flatMap((kill) => kill.found))).toEqual([]);
    for (const report of [...points, ...editions])
      expect(report).toMatchObject({
        ...{ state: "succeeded", passed: true, violations: 0 },
        publish: { remoteObjects: 1 },
        send: { remoteObjects: 1, accepted: 63 },
      });
  },
  2 * BUILD_LIMIT_MS,
);

test.each([
  ["crash", "--points", ["--kills", "0"]],
  ["demo", "--crash-at", []],
] as const)(
  "%s: a point that no edition passes is said before anything is killed, with where the names are",
  async (name, option, more) => {
    // The first cannot be a point's name; the second could, and is held against what an edition passes.
    for (const point of ["publish", "after-commit:Nothing"]) {
      const { code, stdout, stderr } = await command(name, option, point, ...more);
      expect(code).toBe(2);
      expect(stdout).not.toContain("passed");
      expect(stderr).toContain(`${option} takes points that an edition passes, not ${point}`);
      expect(stderr).toContain("--crash-at list");
    }
  },
  LIMIT_MS,
);

test.each(["crash", "simulate"])(
  "%s fills no folder that has something in it",
  async (name) => {
    const dir = freshDir();
    writeFileSync(join(dir, "journal.db"), "somebody's");
    const { code, stdout, stderr } = await command(name, "--workspace", dir);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`--workspace: ${dir} is not empty: name a folder that does not exist yet, or empty it`);
    expect(readdirSync(dir)).toEqual(["journal.db"]);
    const file = await command(name, "--workspace", join(dir, "journal.db"));
    expect(file.code).toBe(2);
    expect(file.stderr).toContain("is a file");
  },
  LIMIT_MS,
);

test(
  "what cannot be read names the option and what it takes",
  async () => {
    const { code, stdout, stderr } = await command("crash", "--kills", "many");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("--kills takes a whole number, not many");
  },
  LIMIT_MS,
);
