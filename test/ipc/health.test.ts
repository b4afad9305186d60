import { beforeEach, describe, expect, test } from "vitest";
import { workspaceHandlers } from "../../main/compose/handlers";
import type { Handlers } from "../../main/shell/handlers";
import { answer } from "../../main/shell/ipc-answer";
import type { Output } from "../../preload/contract";
import { BriefingWalk } from "../support/briefing-walk";
import { EDITOR, World } from "../support/world";
import { worldViews } from "../support/world-views";

const MINUTE = 60_000;

/** The health screen as the window asks for it: over the bridge's parsing, with the app's own handlers, on a real journal. */
class Desk {
  readonly world = new World();
  readonly faults: unknown[] = [];

  ask(input: unknown): Promise<Output<"health.get">> {
    const { world } = this;
    const desk = {
      ...{ actor: EDITOR, journal: world.journal, pipeline: null },
      ...{ clock: { now: () => world.now }, trusted: { read: () => world.trusted() } },
    };
    const workspace = { desk: () => desk, database: world.database };
    const views = worldViews(world, {
      checks: () => ({
        chainVerifiedAt: world.now,
        invariantViolations: 0,
        backupAt: null,
        backupFault: null,
        backupsOn: false,
      }),
    });
    const handlers = workspaceHandlers(
      { workspace } as never,
      views as never,
      {} as never,
      {} as never,
    ) as unknown as Handlers;
    const report = (fault: unknown) => void this.faults.push(fault);
    return answer("health.get", input, { handlers: Promise.resolve(handlers), report });
  }
}

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
});

const metricOf = (health: Output<"health.get">, id: string) => health.metrics.find((metric) => metric.id === id);

describe("health over the bridge", () => {
  test("a workspace in which nothing happened has no data, and says that there is no backup", async () => {
    const health = await desk.ask({ days: 90 });
    expect(health.metrics).toHaveLength(12);
    expect(
      health.metrics.every(({ value, denominator, rows }) => value === null && denominator === 0 && rows.length === 0),
    ).toBe(true);
    expect(health).toMatchObject({ breakers: [], journal: { backupAt: null, chainVerifiedAt: desk.world.now } });
    expect(health.coverage).toMatchObject([
      {
        ...{ pipeline: "weekly-briefing", covered: 5, of: 5, retriesByItself: true },
        undo: { failures: 0, limit: 3, isWithheld: false },
      },
      {
        ...{ pipeline: "membership-cancellation", covered: 2, of: 3, retriesByItself: false },
        steps: [{ step: "cancelling", uncovered: ["messages-sandbox/deliver"] }],
      },
    ]);
    expect(desk.faults).toEqual([]);
  });

  test("pre-flight: proved by the journal's own constraints, open where nothing ran, and closed by what happens", async () => {
    const openOf = ({ preflight: [pipeline] }: Output<"health.get">) =>
      pipeline?.answers.filter(({ isProved }) => !isProved).map(({ question }) => question);
    const before = await desk.ask({ days: 90 });
    expect(openOf(before)).toEqual(["next_day_round", "one_history"]);
    expect(before.preflight).toMatchObject([
      { pipeline: "weekly-briefing", verdict: "in_parts" },
      { pipeline: "membership-cancellation", verdict: "in_parts" },
    ]);
    const { taskId } = new BriefingWalk(desk.world).to("awaiting_content_approval");
    const after = await desk.ask({ days: 90 });
    expect(openOf(after)).toEqual(["next_day_round"]);
    expect(after.preflight[0]?.answers.flatMap(({ proofs }) => proofs)).toContainEqual({
      ...{ kind: "task", taskId, edition: "2026-W30" },
    });
    desk.world.database.sqlite.exec("DROP TRIGGER i05_event_token");
    const dropped = await desk.ask({ days: 90 });
    expect(dropped.preflight[0]?.verdict).toBe("draft_and_manual");
  });

  test("an edition with a lost answer: how long it was unknown, how long people took, and the run it is about", async () => {
    const { world } = desk;
    const walk = new BriefingWalk(world).to("awaiting_content_approval");
    world.now += 7 * MINUTE;
    walk.approveContent();
    walk.startPublishing();
    const create = walk.operation("publish");
    walk.markSent(create);
    walk.answer(create.id, "unknown");
    world.now += 2 * MINUTE;
    walk.look(create.id, "confirmed", { ids: ["18427"], url: walk.package().plannedUrl });
    const health = await desk.ask({ days: 7 });
    const unknown = metricOf(health, "unknown_duration");
    expect(unknown).toMatchObject({ numerator: 1, denominator: 1, rowCount: 1 });
    expect(unknown?.rows).toMatchObject([{ taskId: walk.taskId, edition: "2026-W30" }]);
    // A second or two passes with each command.
    const inMinutes = (ms: number | null | undefined) => Math.round((ms ?? 0) / MINUTE);
    expect(inMinutes(unknown?.value)).toBe(2);
    expect(inMinutes(metricOf(health, "approval_wait_content")?.value)).toBe(7);
    expect(inMinutes(metricOf(health, "human_minutes")?.value)).toBe(7);
    expect(metricOf(health, "duplicate_rate")).toMatchObject({ numerator: 0, denominator: 1, value: 0 });
    expect(metricOf(health, "recovery_success")).toMatchObject({ numerator: 0, denominator: 1, value: 0 });
    expect(health.budgets.tasks).toMatchObject([{ edition: "2026-W30", of: 400 }]);
    expect(desk.faults).toEqual([]);
  });

  test("a host's breaker is open until its pause is over, and half-open until a call has come through", async () => {
    const { world } = desk;
    const put = world.database.sqlite.prepare(
      "INSERT INTO breaker (host, failures, opened_at, retry_at) VALUES (?, ?, ?, ?)",
    );
    put.run("feeds.example", 5, world.now, world.now + MINUTE);
    put.run("site.example", 0, null, null);
    const states = async () => (await desk.ask({ days: 30 })).breakers.map(({ host, state }) => `${host} ${state}`);
    expect(await states()).toEqual(["feeds.example open", "site.example closed"]);
    world.now += MINUTE;
    expect(await states()).toEqual(["feeds.example half_open", "site.example closed"]);
  });

  test("refuses a period that nobody offers by the name of the field", async () => {
    await expect(desk.ask({ days: 31 })).rejects.toThrow("bad_input: days");
    await expect(desk.ask({})).rejects.toThrow("bad_input: days");
  });
});
