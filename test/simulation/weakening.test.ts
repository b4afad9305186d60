import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { InvariantId } from "../../main/domain/invariants";
import { runSeeds } from "../../main/simulation/run-seeds";

const INVARIANTS: readonly InvariantId[] = ["I01", "I02", "I03", "I04", "I05", "I06", "I07", "I08"];

describe("with guard and constraint off the simulation sees it", () => {
  test.each(INVARIANTS)("%s", { timeout: 120_000 }, async (broken) => {
    const { found } = await runSeeds({ from: 1, count: 3, shard: 0, shards: 1, options: { broken } });
    const names = found.flatMap(({ violations }) => violations.map(({ invariant }) => invariant));
    expect(names).toContain(broken);
    // Seen at the step in which it happened, not only when the week had ended.
    const atOnce = found.flatMap(({ violations }) =>
      violations.filter(({ detail }) => detail.startsWith("after a step")),
    );
    expect(atOnce.map(({ invariant }) => invariant)).toContain(broken);
  });
});

describe("what switches guards off", () => {
  const root = path.resolve(import.meta.dirname, "../..");
  const marks = ["weakenedRules", "ap-invented", "dropConstraints"];
  const bundles = ["out/main", "out/test/main"].map((folder) => path.join(root, folder)).filter(existsSync);

  test("is in no program that anybody works with", () => {
    for (const folder of bundles) {
      const app = readFileSync(path.join(folder, "index.cjs"), "utf8");
      expect(
        marks.filter((mark) => app.includes(mark)),
        folder,
      ).toEqual([]);
    }
  });

  test("would be seen there: it is in the simulation's own file", () => {
    const own = bundles.map((folder) => path.join(folder, "simulate.worker.cjs")).filter(existsSync);
    for (const file of own) expect(marks.filter((mark) => readFileSync(file, "utf8").includes(mark))).toEqual(marks);
  });
});
