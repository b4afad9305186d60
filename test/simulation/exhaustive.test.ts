import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { exhaustive } from "../../main/headless/exhaustive";
import { crashScenario } from "../../main/headless/exhaustive-run";
import { compareVerdicts, verdictOf } from "../../main/headless/exhaustive-verdict";
import type { ScenarioOutcome } from "../../main/headless/scenarios-outcome";
import { allScenarios } from "../../main/sandbox/scenarios/all";
import { Dice } from "../../main/simulation/dice";
import { frozen, SAMPLES } from "../scenarios/frozen";

/** Another number is another sample; all of it is `npm run exhaustive`. */
const SEED = 1;
const SCENARIOS = 8;
const CRASHES = 3;
const LIMIT_MS = 300_000;

const dir = mkdtempSync(join(tmpdir(), "imprimatur-exhaustive-test-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function run(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await exhaustive(args, SAMPLES, { out: (text) => out.push(text), err: (text) => err.push(text) });
  return { code, out: out.join(""), err: err.join("") };
}

describe(`a sample of all crashes (seed ${SEED})`, () => {
  const dice = new Dice(SEED, 30);
  const sample = dice.shuffled(allScenarios).slice(0, SCENARIOS);
  test.each(sample)("$id ends as it does without a crash", { timeout: LIMIT_MS }, async (scenario) => {
    const choose = (points: number) => Array.from({ length: CRASHES }, () => dice.between(1, points));
    const { reports, points } = await crashScenario(scenario, { samplesDir: SAMPLES, choose });
    expect(points).toBeGreaterThan(40);
    expect(reports.filter(({ differences }) => differences.length > 0)).toEqual([]);
    // Died somewhere, and not merely played.
    expect(reports.map(({ diedAt }) => diedAt)).not.toContain(null);
  });
});

describe("the verdict", () => {
  const verdict = verdictOf(frozen("S13"));

  test("leaves the way there out", () => {
    const { events, operations, answers } = frozen("S13");
    const longer = {
      ...frozen("S13"),
      events: [...events, "LeaseClaimed by B"],
      operations: operations.map((row) => ({ ...row, looks: [...row.looks, "not_found 0"] })),
      answers: [...answers, "approve_content: stale_version:"],
    };
    expect(compareVerdicts(verdict, verdictOf(longer))).toEqual([]);
  });

  test("takes a refusal that was learnt by looking for the refusal that it is", () => {
    const [publish, ...others] = frozen("S18").operations;
    const looked = { ...frozen("S18"), operations: [{ ...publish, state: "conflict" }, ...others] } as ScenarioOutcome;
    expect(publish?.state).toBe("rejected");
    expect(compareVerdicts(verdictOf(frozen("S18")), verdictOf(looked))).toEqual([]);
  });

  test.each([
    ["another state", { state: "blocked" }],
    ["a second object", { posts: [...verdict.posts, "18428 published"] }],
    ["a mail more", { mails: verdict.mails + 1 }],
    ["a broken promise", { violations: ["I03 two"] }],
    ["a call that was never settled", { operations: [...verdict.operations, "send.trigger unknown -"] }],
  ])("sees %s", (_what, change) => {
    expect(compareVerdicts(verdict, { ...verdict, ...change })).toHaveLength(1);
  });
});

describe("exhaustive, as a command", () => {
  test("goes on where it was interrupted", { timeout: LIMIT_MS }, async () => {
    const file = join(dir, "played.jsonl");
    const args = ["--only", "S06", "--shard", "2/40", "--resume", file, "--json"];
    const first = await run(...args);
    expect(first.code).toBe(0);
    const lines = readFileSync(file, "utf8");
    const report = JSON.parse(first.out) as { crashes: number; failed: number };
    expect(report).toMatchObject({ shard: "2/40", scenarios: 1, failed: 0 });
    expect(lines.trimEnd().split("\n")).toHaveLength(report.crashes);
    // What was kept is taken as it is: a verdict written into the file comes back, and nothing is played again.
    writeFileSync(file, lines.replace('"differences":[]', '"differences":["kept"]'));
    const second = await run(...args);
    expect(second.code).toBe(1);
    expect(JSON.parse(second.out)).toMatchObject({ crashes: report.crashes, failed: 1 });
    expect(readFileSync(file, "utf8").trimEnd().split("\n")).toHaveLength(report.crashes);
  });

  test.each([
    [["--shard", "3/2"], "--shard takes K/N"],
    [["--shard", "half"], "--shard takes K/N"],
    [["--only", "S49"], "--only takes ids from S01 to S48, not S49"],
    [["--everything"], "--everything"],
  ])("refuses %s", async (args, words) => {
    const { code, err, out } = await run(...args);
    expect(code).toBe(2);
    expect(err).toContain(words);
    expect(out).toBe("");
  });

  test("refuses to go on with a file of somebody else's", async () => {
    const file = join(dir, "other.txt");
    writeFileSync(file, "dear diary\n");
    await expect(run("--only", "S06", "--resume", file)).rejects.toThrow("none of a run's");
    expect(readFileSync(file, "utf8")).toBe("dear diary\n");
  });
});
