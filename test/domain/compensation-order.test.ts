import { describe, expect, test } from "vitest";
import { checkInvariants } from "../../main/domain/invariants";
import type { CompensationRow, OperationRow } from "../../main/domain/records";
import { type Story, tellPublish, tellStart } from "./story";

/** Three writes that happened, each with its entry, and compensation begun. */
function compensating(grades: readonly CompensationRow["grade"][] = ["B", "B"]) {
  const edition = tellStart();
  const { story, taskId } = edition;
  story.approve(taskId, "publish");
  const publish = tellPublish(edition);
  story.send(publish);
  story.outcome(publish, "RemoteConfirmed", "confirmed");
  const entries = [...story.data.compensations];
  for (const [index, grade] of grades.entries()) {
    const entry = story.compensation(taskId, { grade });
    story.operation(taskId, {
      kind: "publish",
      phase: "update",
      slot: `elsewhere-${index}`,
      intentKey: `publish:elsewhere-${index}`,
      compensationId: entry.id,
    });
    entries.push(entry);
  }
  return { story, taskId, entries };
}

function undoOf(story: Story, entry: CompensationRow): OperationRow {
  const intentKey = `compensate:${entry.id}:undo-it`;
  const { taskId, id: compensationId } = entry;
  return story.operation(taskId, { kind: "compensate", phase: "undo", intentKey, compensationId });
}

const brokenOrder = (story: Story): string[] =>
  checkInvariants(story.snapshot())
    .filter(({ detail }) => /undone|undoes|step|end as|not needed/.test(detail))
    .map(({ invariant, detail }) => `${invariant} ${detail.replace(/^event \d+: /, "")}`);

function start() {
  const { story, taskId, entries } = compensating();
  for (const operation of story.data.operations.filter((row) => row.slot.startsWith("elsewhere"))) {
    story.event(taskId, "RequestSent", {
      operationId: operation.id,
      payload: { operationState: "request_sent" },
    });
    story.outcome(operation, "RemoteConfirmed", "confirmed");
  }
  story.move(taskId, "CompensationStarted", "compensating");
  const [page, middle, top] = entries;
  if (!page || !middle || !top) throw new Error("three entries");
  return { story, taskId, page, middle, top };
}

describe("how a stack is undone", () => {
  test("from the top, step by step, to its end: nothing is found", () => {
    const { story, page, middle, top } = start();
    for (const entry of [top, middle, page]) {
      story.undone(entry, "CompensationStepBegun", { state: "running" });
      story.send(undoOf(story, entry));
      story.undone(entry, "CompensationStepDone", { state: "done", stepsDone: 1 });
    }
    expect(brokenOrder(story)).toEqual([]);
  });

  test("an entry below one that is still to be undone", () => {
    const { story, page, middle } = start();
    story.undone(middle, "CompensationStepBegun", { state: "running" });
    story.send(undoOf(story, page));
    expect(brokenOrder(story)).toEqual([
      expect.stringMatching(/^I07 compensate:.* left before unpublish was undone$/),
      expect.stringMatching(/^I07 compensate:.* left before unpublish was undone$/),
    ]);
  });

  test("an entry that failed, is a person's, or was never needed holds nobody up", () => {
    for (const state of ["failed", "closed_by_person", "done"] as const) {
      const { story, page, middle, top } = start();
      const code = state === "failed" ? "x" : null;
      const stepsDone = state === "done" ? 1 : 0;
      const type = state === "done" ? "CompensationStepDone" : "CompensationEntryFailed";
      story.undone(top, type, { state, code, stepsDone });
      story.undone(middle, type, { state, code, stepsDone });
      story.send(undoOf(story, page));
      expect(brokenOrder(story), state).toEqual([]);
    }
  });

  test("a step done twice, skipped, or forgotten", () => {
    const twice = start();
    twice.story.undone(twice.top, "CompensationStepDone", { state: "done", stepsDone: 1 });
    twice.story.undone(twice.top, "CompensationStepDone", { state: "done", stepsDone: 1 });
    expect(brokenOrder(twice.story)).toEqual([expect.stringContaining("is at step 1, not 2")]);
    const skipped = start();
    skipped.story.undone(skipped.top, "CompensationStepDone", { state: "running", stepsDone: 2 });
    expect(brokenOrder(skipped.story)).toEqual([expect.stringContaining("is at step 2, not 1")]);
    const forgotten = start();
    forgotten.story.undone(forgotten.top, "CompensationStepDone", { state: "running", stepsDone: 1 });
    forgotten.story.undone(forgotten.top, "CompensationEntryFailed", { state: "failed", stepsDone: 0, code: "x" });
    expect(brokenOrder(forgotten.story)).toEqual([expect.stringContaining("is at step 0, not 1")]);
  });

  test("an entry that came to its end comes back", () => {
    const { story, top } = start();
    story.undone(top, "CompensationClosed", { state: "closed_by_person" });
    story.undone(top, "CompensationResumed", { state: "running" });
    expect(brokenOrder(story)).toEqual([expect.stringContaining("had come to its end as closed_by_person")]);
  });

  test("not needed, although what it undoes left; a call for what never left", () => {
    const needed = start();
    needed.story.undone(needed.top, "CompensationNotNeeded", { state: "not_needed" });
    expect(brokenOrder(needed.story)).toEqual([expect.stringContaining("called not needed")]);
    const { story, taskId, entries } = compensating();
    story.move(taskId, "CompensationStarted", "compensating");
    const [, , top] = entries;
    if (!top) throw new Error("three entries");
    story.send(undoOf(story, top));
    expect(brokenOrder(story)).toEqual([expect.stringContaining("undoes what did not happen")]);
  });
});
