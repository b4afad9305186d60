import { beforeEach, describe, expect, test } from "vitest";
import { loadJournal } from "../../db/load-journal";
import { workspaceHandlers } from "../../main/compose/handlers";
import { checkInvariants } from "../../main/domain/invariants";
import type { Handlers } from "../../main/shell/handlers";
import { answer } from "../../main/shell/ipc-answer";
import type { Channel, Input, Output } from "../../preload/contract";
import { BriefingWalk } from "../support/briefing-walk";
import { EDITOR, World } from "../support/world";
import { worldViews } from "../support/world-views";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The board as the window asks for it: over the bridge's parsing, with the app's own handlers, on a real journal. */
class Board {
  readonly walk = new BriefingWalk(new World()).to("send_pending");
  readonly faults: unknown[] = [];
  private readonly handlers: Promise<Handlers>;

  constructor() {
    const { world } = this.walk;
    const desk = {
      ...{ actor: EDITOR, journal: world.journal, pipeline: null },
      ...{ clock: { now: () => world.now }, trusted: { read: () => world.trusted() } },
    };
    const workspace = { desk: () => desk, database: world.database };
    this.handlers = Promise.resolve(
      workspaceHandlers(
        { workspace } as never,
        worldViews(world) as never,
        {} as never,
        {} as never,
      ) as unknown as Handlers,
    );
  }

  ask<C extends Channel>(channel: C, input: unknown): Promise<Output<C>> {
    return answer(channel, input, { handlers: this.handlers, report: (fault) => void this.faults.push(fault) });
  }

  get = (itemId: string | null = null) => this.ask("recovery.get", { itemId });

  bounce(count: number): void {
    const outcomes = this.walk
      .view()
      .recipients()
      .filter(({ outcome }) => outcome !== "excluded")
      .map(({ recipientId }, index) => [recipientId, index < count ? "bounced" : "delivered"] as const);
    this.walk.account(Object.fromEntries(outcomes));
  }

  async move(itemId: string, to: string, more: Partial<Input<"recovery.move">> = {}) {
    const item = (await this.get()).items.find(({ id }) => id === itemId);
    const { taskId, stateVersion: expectedVersion, stage: from } = item ?? {};
    const said = { note: "called", minutes: 3, ...more };
    return this.ask("recovery.move", { taskId, expectedVersion, itemId, from, to, ...said });
  }
}

let board: Board;
beforeEach(() => {
  board = new Board();
});

describe("the recovery board over the bridge", () => {
  test("shows a bounce with its owner and due time, escalates it, and takes it to its review with what each stage asks", async () => {
    board.bounce(1);
    const before = await board.get();
    expect(before).toMatchObject({ patterns: [], untouchedDeadLetters: 0, history: [] });
    const [item] = before.items;
    expect(item).toMatchObject({
      ...{ kind: "customer_care", stage: "to_triage", edition: "2026-W30", taskState: "succeeded", minutes: 0 },
      ...{ owner: "editor", backupOwner: "backup_editor", escalation: null, operation: null },
      ways: [{ to: "triaged", asks: [] }],
    });
    expect(before.items).toHaveLength(1);
    const id = item?.id ?? "";
    const { world } = board.walk;
    world.now = (item?.dueAt ?? 0) + 1;
    expect((await board.get()).items).toMatchObject([{ escalation: "untouched" }]);

    expect(await board.move(id, "triaged", { owner: "editor:wang" })).toMatchObject({ result: "applied" });
    expect((await board.get()).items).toMatchObject([{ escalation: "overdue", owner: "editor:wang", minutes: 3 }]);
    await board.move(id, "recovering");
    expect((await board.get()).items[0]?.ways).toEqual([{ to: "to_verify", asks: ["method"] }]);
    expect(await board.move(id, "to_verify")).toMatchObject({ result: "guard_failed" });
    await board.move(id, "to_verify", { method: "another address" });
    await board.move(id, "closed", { verification: "the customer answered" });
    expect((await board.get()).items).toMatchObject([{ stage: "closed", escalation: null }]);
    expect(await board.move(id, "reviewed", { review: "we will be careful" })).toMatchObject({
      unmet: [{ code: "review_without_outcome" }],
    });
    await board.move(id, "reviewed", { review: "rule: 7", note: "talked about it" });

    const { items, history } = await board.get(id);
    expect(items).toMatchObject([{ stage: "reviewed", minutes: 15, verification: "the customer answered" }]);
    expect(history.map(({ from, to, actor }) => [from, to, actor])).toEqual([
      ["to_triage", "triaged", EDITOR],
      ["triaged", "recovering", EDITOR],
      ["recovering", "to_verify", EDITOR],
      ["to_verify", "closed", EDITOR],
      ["closed", "reviewed", EDITOR],
    ]);
    expect(history.at(-1)).toMatchObject({ note: "talked about it", minutes: 3 });
    // After a month it has left the board, and is still found by whoever asks for it.
    world.now += 31 * DAY;
    expect((await board.get()).items).toEqual([]);
    expect((await board.get(id)).items).toHaveLength(1);
    expect(checkInvariants(loadJournal(world.database.sqlite))).toEqual([]);
    expect(board.faults).toEqual([]);
  });

  test("says that a review is owed for three alike within a week, and no more once one of them is reviewed", async () => {
    board.bounce(3);
    const { patterns, items } = await board.get();
    expect(patterns).toMatchObject([{ kind: "customer_care", action: "bounced", lastWeek: 3, review: "due" }]);
    expect(items.map(({ pattern }) => pattern)).toEqual(Array(3).fill(patterns[0]?.fingerprint));
    const id = items[0]?.id ?? "";
    board.walk.world.now += HOUR;
    await board.move(id, "triaged");
    await board.move(id, "recovering");
    await board.move(id, "to_verify", { method: "asked" });
    await board.move(id, "closed", { verification: "seen" });
    await board.move(id, "reviewed", { review: "test: bounces" });
    expect((await board.get()).patterns).toMatchObject([{ review: "none" }]);
  });

  test("refuses what is not of the agreed form by the name of the field, and what was seen in an older stage", async () => {
    board.bounce(1);
    const [item] = (await board.get()).items;
    const id = item?.id ?? "";
    await expect(board.move(id, "triaged", { minutes: 1.5 })).rejects.toThrow("bad_input: minutes");
    await expect(board.move(id, "triaged", { note: " " })).rejects.toThrow("bad_input: note");
    await expect(board.move(id, "done")).rejects.toThrow("bad_input: to");
    await expect(board.ask("recovery.get", {})).rejects.toThrow("bad_input: itemId");
    const { taskId, stateVersion: expectedVersion } = item ?? {};
    const stale = { taskId, expectedVersion, itemId: id, from: "triaged", to: "recovering", note: "n", minutes: 0 };
    expect(await board.ask("recovery.move", stale)).toMatchObject({ result: "stale_version" });
    expect((await board.get(id)).history).toEqual([]);
  });
});
