import { describe, expect, test } from "vitest";
import { loadJournal } from "../../db/load-journal";
import type { Command } from "../../main/domain/commands";
import { checkInvariants } from "../../main/domain/invariants";
import type { RecoveryItemRow } from "../../main/domain/records";
import { RECOVERY_WAYS, type RecoveryStage } from "../../main/domain/recovery";
import { BriefingWalk } from "../support/briefing-walk";
import { EDITOR, World } from "../support/world";

// Domain 10: an item's stages, held by the handler and by the database alike, on a task that has ended.

type Move = Extract<Command, { type: "move_recovery_item" }>;

/** An edition that ended well but for one bounce, which is customer care's. */
class CareDesk {
  readonly walk = new BriefingWalk(new World()).to("send_pending");

  constructor() {
    const ids = this.walk
      .view()
      .recipients()
      .map((row) => row.recipientId);
    const outcomes = ids.map((id, index) => [id, index === 0 ? ("bounced" as const) : ("delivered" as const)] as const);
    this.walk.account(Object.fromEntries(outcomes));
  }

  get item(): RecoveryItemRow {
    const [item] = this.walk.view().recoveryItems();
    if (!item) throw new Error("the bounce made no item");
    return item;
  }

  move(to: RecoveryStage, more: Partial<Move> = {}, actor: `editor:${string}` | "system" = EDITOR) {
    const { world, taskId } = this.walk;
    const command: Move = {
      ...{ type: "move_recovery_item", taskId, itemId: this.item.id, from: this.item.stage, to },
      ...{ note: "called the customer", minutes: 4, ...more },
    };
    const answer = world.execute(command, actor, { expectedVersion: this.walk.view().task.stateVersion });
    return "unmet" in answer ? answer.unmet.map(({ code }) => code) : answer.result;
  }
}

describe("a recovery item", () => {
  test("goes from triage to review with what was done, what proved it and the minutes it took", () => {
    const desk = new CareDesk();
    expect(desk.walk.state).toBe("succeeded");
    expect(desk.move("triaged", { owner: "editor:wang" })).toBe("applied");
    expect(desk.move("recovering")).toBe("applied");
    expect(desk.move("to_verify", { method: "another address was given" })).toBe("applied");
    expect(desk.move("closed", { verification: "the customer answered" })).toBe("applied");
    expect(desk.move("reviewed", { review: "test: bounce-of-a-full-mailbox" })).toBe("applied");
    const { stage, owner, method, verification, review, minutes } = desk.item;
    expect({ stage, owner, method, verification, review, minutes }).toEqual({
      stage: "reviewed",
      owner: "editor:wang",
      method: "another address was given",
      verification: "the customer answered",
      review: "test: bounce-of-a-full-mailbox",
      minutes: 20,
    });
    const snapshot = loadJournal(desk.walk.world.database.sqlite);
    expect(snapshot.events.filter(({ type }) => type === "RecoveryItemMoved")).toHaveLength(5);
    expect(checkInvariants(snapshot)).toEqual([]);
  });

  test("is not closed on an action alone, nor reviewed on a good intention", () => {
    const desk = new CareDesk();
    desk.move("triaged");
    desk.move("recovering");
    expect(desk.move("to_verify")).toEqual(["recovery_proof_missing"]);
    desk.move("to_verify", { method: "called" });
    expect(desk.move("closed")).toEqual(["recovery_proof_missing"]);
    desk.move("closed", { verification: "seen" });
    expect(desk.move("reviewed")).toEqual(["recovery_proof_missing"]);
    expect(desk.move("reviewed", { review: "we will be more careful" })).toEqual(["review_without_outcome"]);
    expect(desk.move("reviewed", { review: "rule: 7" })).toBe("applied");
  });

  test("that was verified wrongly is taken up again, and its proof is gone", () => {
    const desk = new CareDesk();
    desk.move("triaged");
    desk.move("recovering");
    desk.move("to_verify", { method: "called" });
    desk.move("closed", { verification: "seen" });
    expect(desk.move("recovering")).toBe("applied");
    expect(desk.item).toMatchObject({ stage: "recovering", method: "called", verification: null });
  });

  test("takes a note where it is, and tells who saw an older stage", () => {
    const desk = new CareDesk();
    expect(desk.move("to_triage", { minutes: 1 })).toBe("applied");
    expect(desk.item).toMatchObject({ stage: "to_triage", stageAt: null, minutes: 1 });
    desk.move("triaged");
    expect(desk.move("triaged", { from: "to_triage" })).toEqual(["recovery_stage_is"]);
  });

  test("asks for a person, a note and a number of minutes", () => {
    const desk = new CareDesk();
    expect(desk.move("triaged", { note: " ", minutes: -1 }, "system")).toEqual([
      "person_required",
      "reason_missing",
      "minutes_not_counted",
    ]);
    expect(desk.move("triaged", { minutes: 0.5 })).toEqual(["minutes_not_counted"]);
    expect(desk.move("triaged", { itemId: "ri-other" })).toEqual(["recovery_item_not_found"]);
  });

  test("has the same ways in the handler and in the database", () => {
    const stages = Object.keys(RECOVERY_WAYS) as RecoveryStage[];
    const desk = new CareDesk();
    const { sqlite } = desk.walk.world.database;
    sqlite.exec("DROP TRIGGER recovery_item_identity");
    for (const from of stages)
      for (const to of stages.filter((stage) => stage !== from)) {
        sqlite.exec("BEGIN; UPDATE recovery_item SET method = 'm', verification = 'v', review = 'r'");
        const trigger = sqlite
          .prepare("SELECT sql FROM sqlite_schema WHERE name = 'recovery_item_machine'")
          .pluck()
          .get();
        sqlite.exec(`DROP TRIGGER recovery_item_machine; UPDATE recovery_item SET stage = '${from}'; ${trigger}`);
        const put = () => sqlite.exec(`UPDATE recovery_item SET stage = '${to}'`);
        const message = `${from} > ${to}`;
        if (RECOVERY_WAYS[from].includes(to)) expect(put, message).not.toThrow();
        else expect(put, message).toThrow("no such way");
        sqlite.exec("ROLLBACK");
      }
  });
});
