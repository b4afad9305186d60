import { expect, test } from "vitest";
import { loadJournal } from "../../db/load-journal";
import type { Desk } from "../../main/commands/desk";
import { startNextVersion } from "../../main/commands/start-next-version";
import type { TaskId } from "../../main/domain/ids";
import { checkInvariants } from "../../main/domain/invariants";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";
import { sendIntents } from "../../main/pipeline/briefing/send";
import { BriefingWalk } from "../support/briefing-walk";
import { EDITOR, World } from "../support/world";

// Domain 9: a forward fix is a new version of an ended edition, which names what it supersedes (I01).

const HOUR = 3_600_000;

function begin(world: World, taskId: TaskId, more: { deadlineAt?: number; reason?: string } = {}) {
  const clock = { now: () => world.now } as Desk["clock"];
  const trusted = { read: () => world.trusted() };
  const desk = { actor: EDITOR, journal: world.journal, clock, trusted } as Partial<Desk> as Desk;
  const { deadlineAt = world.now + 3 * HOUR, reason = "the price of a was wrong" } = more;
  return startNextVersion({ ...desk, definition: briefingDefinition }, { taskId, deadlineAt, reason });
}

const codesOf = (answer: ReturnType<typeof begin>) =>
  "unmet" in answer ? answer.unmet.map(({ code }) => code) : [answer.result];

test("begins as version 2 with the person's reason, once, and only after the one before has ended", () => {
  const world = new World();
  const first = new BriefingWalk(world).to("published");
  expect(codesOf(begin(world, first.taskId))).toEqual(["task_live_already"]);
  first.person({ type: "transition", taskId: first.taskId, event: "ClosedProtectively", reason: "the price is wrong" });
  expect(codesOf(begin(world, first.taskId, { deadlineAt: world.now, reason: " " }))).toEqual([
    "reason_missing",
    "deadline_needed",
  ]);
  expect(codesOf(begin(world, "t-none" as TaskId))).toEqual(["task_not_found"]);
  expect(begin(world, first.taskId).result).toBe("applied");
  expect(codesOf(begin(world, first.taskId))).toContain("task_version_exists");

  const snapshot = loadJournal(world.database.sqlite);
  const second = snapshot.tasks.find(({ taskVersion }) => taskVersion === 2);
  expect(second).toMatchObject({ supersedesTaskId: first.taskId, state: "created", createdBy: EDITOR });
  const created = snapshot.events.filter(({ type, taskId }) => type === "TaskCreated" && taskId === second?.id);
  expect(created).toMatchObject([{ reason: "the price of a was wrong", actor: EDITOR }]);
  expect(checkInvariants(snapshot)).toEqual([]);
});

test("of an edition that was mailed replaces its page, and mails nobody a second time", () => {
  const world = new World();
  const first = new BriefingWalk(world).to("succeeded");
  const second = new BriefingWalk(world, { taskVersion: 2, supersedes: first.taskId }).to("awaiting_content_approval");
  second.edit("another title");
  second.check();
  second.to("published");
  const published = second
    .view()
    .operations()
    .filter(({ kind }) => kind === "publish");
  expect(published).toMatchObject([{ phase: "update", state: "confirmed" }]);

  second.openSendReview();
  expect(() => second.approveSend()).toThrow(/slot_has_object/);
  expect(sendIntents(second.ports, second.view()).map(({ slot }) => slot)).toEqual(
    first
      .view()
      .operations()
      .filter(({ kind, recipientId }) => kind === "send" && recipientId === null)
      .map(({ slot }) => slot),
  );
  second.person({
    type: "transition",
    taskId: second.taskId,
    event: "ClosedProtectively",
    reason: "the page is right",
  });
  expect(second.state).toBe("closed");
  expect(checkInvariants(loadJournal(world.database.sqlite))).toEqual([]);
});
