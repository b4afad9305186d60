import { beforeEach, describe, expect, test } from "vitest";
import { alertsView } from "../../main/commands/views/alerts";
import { workspaceHandlers } from "../../main/compose/handlers";
import type { Handlers } from "../../main/shell/handlers";
import { answer } from "../../main/shell/ipc-answer";
import type { Channel, Output } from "../../preload/contract";
import { BriefingWalk } from "../support/briefing-walk";
import { EDITOR, World } from "../support/world";
import { worldViews } from "../support/world-views";

/** The inbox as the window asks for it: over the bridge's parsing, with the app's own handlers, on a real journal. */
class Inbox {
  readonly walk = new BriefingWalk(new World()).to("awaiting_content_approval");
  private readonly handlers: Promise<Handlers>;

  constructor() {
    const { world, taskId } = this.walk;
    const { task } = this.walk.view();
    world.now = task.deadlineAt;
    const version = { expectedVersion: task.stateVersion };
    world.must({ type: "transition", taskId, event: "DeadlineReached" }, "system", version);
    const desk = {
      ...{ actor: EDITOR, journal: world.journal, pipeline: null },
      ...{ clock: { now: () => world.now }, trusted: { read: () => world.trusted() } },
    };
    const views = worldViews(world);
    const alerts = () => alertsView(views.ports, { state: "failed", at: world.now });
    const workspace = { desk: () => desk, database: world.database };
    this.handlers = Promise.resolve(
      workspaceHandlers(
        { workspace } as never,
        { ...views, alerts } as never,
        {} as never,
        {} as never,
      ) as unknown as Handlers,
    );
  }

  ask<C extends Channel>(channel: C, input: unknown): Promise<Output<C>> {
    return answer(channel, input, { handlers: this.handlers, report: () => undefined });
  }
}

let inbox: Inbox;
beforeEach(() => {
  inbox = new Inbox();
});

describe("the inbox over the bridge", () => {
  test("carries what is needed to act, says that nothing is there where nothing is, and how the notifier does", async () => {
    const { open, done, notifier } = await inbox.ask("alerts.get", {});
    const { task } = inbox.walk.view();
    expect(done).toEqual([]);
    expect(notifier.state).toBe("failed");
    expect(open).toMatchObject([
      {
        ...{ code: "blocked_deadline", urgency: "five_minutes", todo: "unblock", edition: "2026-W30", times: 1 },
        ...{ taskKey: task.taskKey, state: "blocked", deadlineAt: task.deadlineAt, backupOwner: task.backupOwner },
        ...{ operations: [], lastApproval: null, freezes: [], toldAt: null },
      },
    ]);
    expect(open[0]?.actBy).toBe((open[0]?.at ?? 0) + 300_000);
    expect(open[0]?.contentHash).toMatch(/^[0-9a-f]{64}$/);
  });

  test("snoozes until the morning of the edition's zone, acknowledges, and keeps it as done", async () => {
    const [alert] = (await inbox.ask("alerts.get", {})).open;
    const { taskId, id: alertId } = alert ?? {};
    expect(await inbox.ask("alerts.snooze", { taskId, alertId, span: "morning" })).toMatchObject({ result: "applied" });
    const [snoozed] = (await inbox.ask("alerts.get", {})).open;
    expect(snoozed?.snoozedUntil).toBe(alert?.morningAt);
    expect(new Date(alert?.morningAt ?? 0).toISOString()).toBe("2026-07-20T23:00:00.000Z");
    expect(await inbox.ask("alerts.acknowledge", { taskId, alertId, note: "" })).toMatchObject({ result: "applied" });
    const { open, done } = await inbox.ask("alerts.get", {});
    expect(open).toEqual([]);
    expect(done).toMatchObject([{ id: alertId, by: EDITOR }]);
    expect(await inbox.ask("alerts.acknowledge", { taskId, alertId, note: "" })).toMatchObject({
      result: "illegal_transition",
      unmet: [{ code: "alert_is_done" }],
    });
  });

  test.each([
    ["a span that nobody offers", "alerts.snooze", { span: "week" }],
    ["no alert", "alerts.acknowledge", { alertId: "", note: "" }],
  ] as const)("refuses %s before anything is done", async (_what, channel, wrong) => {
    const [alert] = (await inbox.ask("alerts.get", {})).open;
    await expect(inbox.ask(channel, { taskId: alert?.taskId, alertId: alert?.id, ...wrong })).rejects.toThrow();
    expect((await inbox.ask("alerts.get", {})).open).toHaveLength(1);
  });
});
