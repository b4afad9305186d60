import { describe, expect, test } from "vitest";
import type { OperationRow } from "../../main/domain/records";
import { compareWithReplay, replayTask } from "../../main/domain/replay";
import { Story, tellEdition, tellPublish, tellStart } from "./story";

const rowsOf = (story: Story, taskId: string) => {
  const { tasks, operations, events } = story.snapshot();
  const task = tasks.find((row) => row.id === taskId);
  if (!task) throw new Error("no task");
  return [
    task,
    operations.filter((row) => row.taskId === taskId),
    events.filter((row) => row.taskId === taskId),
  ] as const;
};

describe("replay", () => {
  test("a whole edition's rows follow from its events", () => {
    const { story, taskId } = tellEdition();
    const [task, operations, events] = rowsOf(story, taskId);
    expect(compareWithReplay(task, operations, events)).toEqual([]);
    const replayed = replayTask(events);
    expect(replayed.state).toBe("succeeded");
    expect(replayed.stateVersion).toBe(8);
    expect(replayed.context).toMatchObject({ audienceHash: task.context["audienceHash"] });
    expect([...replayed.operations.values()]).toEqual(Array(3).fill({ state: "confirmed", settled: true }));
  });

  test("creating a task sets its state and is no move; an event that stays in its state is none either", () => {
    const story = new Story();
    const taskId = story.createTask();
    story.event(taskId, "AudienceChanged", { fromState: "created", toState: "created" });
    expect(replayTask(story.data.events)).toMatchObject({ state: "created", stateVersion: 0 });
  });

  test("each field of a row that says something else is named", () => {
    const { story, taskId } = tellEdition();
    const [task, operations, events] = rowsOf(story, taskId);
    const fields = (changed: Partial<typeof task>) =>
      compareWithReplay({ ...task, ...changed }, operations, events).map(({ field }) => field);
    expect(fields({ state: "closed" })).toEqual(["state"]);
    expect(fields({ stateVersion: 7 })).toEqual(["stateVersion"]);
    expect(fields({ taskSeq: 3 })).toEqual(["taskSeq"]);
    expect(fields({ taskHead: task.definitionHash })).toEqual(["taskHead"]);
    expect(fields({ context: { ...task.context, more: 1 } })).toEqual(["context.more"]);
    expect(fields({ context: {} })).toEqual([
      "context.audienceHash",
      "context.publishApprovalId",
      "context.sendApprovalId",
      "context.verifiedContentHash",
    ]);
    const [first, ...others] = operations as [OperationRow, ...OperationRow[]];
    expect(compareWithReplay(task, [{ ...first, state: "unknown" }, ...others], events)).toEqual([
      { subject: first.id, field: "state", row: "unknown", replayed: "confirmed" },
    ]);
    expect(compareWithReplay(task, others, events)).toEqual([
      { subject: first.id, field: "row", row: "missing", replayed: "present" },
    ]);
  });

  test("not found settles only past the horizon, and a later look does not unsettle it", () => {
    const edition = tellStart();
    const { story, taskId } = edition;
    const publish = tellPublish(edition);
    story.send(publish);
    story.outcome(publish, "OutcomeUnknown", "unknown");
    const settled = () => replayTask(rowsOf(story, taskId)[2]).operations.get(publish.id);
    story.outcome(publish, "RemoteNotFound", "not_found", { pastHorizon: false });
    expect(settled()).toEqual({ state: "not_found", settled: false });
    story.outcome(publish, "RemoteNotFound", "not_found", { pastHorizon: true });
    expect(settled()).toEqual({ state: "not_found", settled: true });
    story.outcome(publish, "LateAnswerKept", "not_found");
    expect(settled()).toEqual({ state: "not_found", settled: true });
  });

  test("with a payload withheld, states still follow from the types and only the context is not judged", () => {
    const { story, taskId } = tellEdition();
    const [task, operations, events] = rowsOf(story, taskId);
    const withheld = events.map((event) => ({ ...event, payload: null }));
    expect(replayTask(withheld).isContextKnown).toBe(false);
    expect(compareWithReplay(task, operations, withheld)).toEqual([]);
  });
});
