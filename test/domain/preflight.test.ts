import { describe, expect, test } from "vitest";
import { MIGRATIONS } from "../../db/migrate";
import type { TaskId } from "../../main/domain/ids";
import { idempotencyCoverage } from "../../main/domain/metrics-coverage";
import { answerPreflight, isProved, type PreflightFacts, preflightVerdict } from "../../main/domain/preflight";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";
import { membershipDefinition } from "../../main/pipeline/membership-cancellation/definition";

// The nine questions (domain 13): yes only beside a proof, and each gap by its name.

const DAY = 24 * 3_600_000;
const NOW = 1_785_000_000_000;

const held = new Set(
  MIGRATIONS.flatMap(({ sql }) =>
    [...sql.matchAll(/CREATE (?:TRIGGER|UNIQUE INDEX|INDEX) (\w+)/g)].map(([, name = ""]) => name),
  ),
);

const writes = [{ step: "publishing", adapter: "site", phase: "create" }] as const;
const coverage = (unique: boolean) =>
  idempotencyCoverage(writes, () => ({ key: { where: "meta", unique }, query: { reliable: false } }) as never);

const good: PreflightFacts = {
  definition: briefingDefinition,
  coverage: coverage(true),
  constraints: held,
  violations: 0,
  lastRoundAt: NOW - 3_600_000,
  now: NOW,
  newestTask: { taskId: "t1" as TaskId, edition: "2026-W30" },
};

const gapsOf = (change: Partial<PreflightFacts>) =>
  answerPreflight({ ...good, ...change }).flatMap(({ question, gaps }) =>
    gaps.map(({ code, names }) => [question, code, names.join(" ")].join(" ").trim()),
  );
const verdictOf = (change: Partial<PreflightFacts>) => preflightVerdict(answerPreflight({ ...good, ...change }));

describe("the nine questions", () => {
  test("all answered with yes, each with a proof, where everything is there", () => {
    const answers = answerPreflight(good);
    expect(answers).toHaveLength(9);
    expect(answers.filter((answer) => !isProved(answer))).toEqual([]);
    expect(preflightVerdict(answers)).toBe("automatic");
  });

  test("what is missing is named, and the verdict goes by what it is", () => {
    const dropped = new Set([...held].filter((name) => name !== "i05_event_token"));
    expect(gapsOf({ constraints: dropped })).toEqual(["conditional_updates constraint_missing i05_event_token"]);
    expect(verdictOf({ constraints: dropped })).toBe("draft_and_manual");
    expect(gapsOf({ coverage: coverage(false) })).toEqual(["keys_and_constraints write_without_key site/create"]);
    expect(verdictOf({ coverage: coverage(false) })).toBe("in_parts");
    expect(gapsOf({ lastRoundAt: NOW - 2 * DAY })).toEqual(["next_day_round round_too_old"]);
    expect(verdictOf({ lastRoundAt: NOW - 2 * DAY })).toBe("in_parts");
    expect(gapsOf({ lastRoundAt: null, newestTask: null })).toEqual([
      "next_day_round never_reconciled",
      "one_history nothing_ran_yet",
    ]);
  });

  test("a round from days ahead, held under another clock, is none of today", () => {
    expect(gapsOf({ lastRoundAt: NOW + 9 * DAY })).toEqual(["next_day_round round_too_old"]);
  });

  test("a constraint that has its name is no proof before its words were checked", () => {
    const open = gapsOf({ violations: null });
    expect(open).toHaveLength(3);
    expect(open.every((line) => line.endsWith("journal_not_checked"))).toBe(true);
    expect(gapsOf({ violations: 2 }).every((line) => line.endsWith("journal_not_in_order"))).toBe(true);
  });

  test("a definition is judged by its own rows", () => {
    const { policies, transitions, blocked } = briefingDefinition;
    const [reason = "", rule] = Object.entries(blocked)[0] ?? [];
    const [tool = "", policy] = Object.entries(policies).find(([, { maxCalls }]) => maxCalls > 1) ?? [];
    if (!rule || !policy) throw new Error("the briefing has blocks and policies");
    const change = (more: Partial<typeof briefingDefinition>) => ({ definition: { ...briefingDefinition, ...more } });
    expect(gapsOf(change({ blocked: { ...blocked, [reason]: { ...rule, owner: "" } } }))).toEqual([
      `retries_and_dead_letters block_without_owner ${reason}`,
    ]);
    expect(gapsOf(change({ policies: { ...policies, [tool]: { ...policy, jitterPercent: 0 } } }))).toEqual([
      `retries_and_dead_letters no_backoff ${tool}`,
    ]);
    expect(gapsOf(change({ backupOwner: briefingDefinition.owner }))).toEqual(["owners no_backup_owner"]);
    const unguarded = transitions.map((row) => (row.to === "succeeded" ? { ...row, guards: [] } : row));
    expect(gapsOf(change({ transitions: unguarded }))[0]).toContain("verified_results succeeds_unverified");
    const stuck = transitions.filter(
      ({ from, to }) => !(from.includes("publishing") && (to === "blocked" || to === "compensating")),
    );
    expect(gapsOf(change({ transitions: stuck })).some((line) => line.includes("no_way_out_of_unknown"))).toBe(true);
  });

  test("the second pipeline is asked the same", () => {
    expect(gapsOf({ definition: membershipDefinition })).toEqual([]);
  });
});
