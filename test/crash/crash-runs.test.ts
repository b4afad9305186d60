import { beforeAll, expect, test } from "vitest";
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

test(
  "a point that no edition passes is a failure that names the command to see it again",
  async () => {
    const { code, stderr } = await command("crash", "--points", "after-commit:Nothing", "--kills", "0");
    expect(code).toBe(1);
    expect(stderr).toContain("again: npm run -s crash -- --points after-commit:Nothing --kills 0");
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
