import { describe, expect, test } from "vitest";
import { asCompensationId, asOperationId } from "../../main/domain/ids";
import { checkInvariants } from "../../main/domain/invariants";
import type { CompensationRow, CompensationState, OperationRow, OperationState } from "../../main/domain/records";
import { type Story, tellPublish, tellStart } from "./story";

// What the checker must and must not report about the order of an undo (domain 9): each entry above holds the ones below it up
// only while the program itself still has to carry it on.

/** A page that was published, and above it one more write whose end is the test's. Undoing has begun. */
function twoEntries(grade: CompensationRow["grade"], state: OperationState | null, pastHorizon = false) {
  const edition = tellStart();
  const { story, taskId } = edition;
  story.approve(taskId, "publish");
  const publish = tellPublish(edition);
  story.send(publish);
  story.outcome(publish, "RemoteConfirmed", "confirmed");
  const [page] = story.data.compensations;
  const top = story.compensation(taskId, { grade, action: "take_back" });
  if (!page) throw new Error("no entry");
  const forward = state === null ? null : forwardOf(story, top);
  if (forward && state !== "prepared")
    story.outcome(forward, "OutcomeUnknown", state as OperationState, { pastHorizon });
  story.move(taskId, "CompensationStarted", "compensating");
  return { story, taskId, page, top };
}

function forwardOf(story: Story, entry: CompensationRow, more: Partial<OperationRow> = {}): OperationRow {
  const place = `elsewhere-${story.data.operations.length}`;
  return story.operation(entry.taskId, {
    ...{ kind: "publish", phase: "update", slot: place, intentKey: `publish:${place}` },
    ...{ compensationId: entry.id, ...more },
  });
}

function sendUndo(story: Story, entry: CompensationRow, compensationId: CompensationRow["id"] | null = entry.id): void {
  const intentKey = `compensate:${entry.id}:undo-${story.data.operations.length}`;
  story.send(story.operation(entry.taskId, { kind: "compensate", phase: "undo", intentKey, compensationId }));
}

const orderFaults = (story: Story): string[] =>
  checkInvariants(story.snapshot())
    .filter(({ invariant, detail }) => invariant === "I07" && /undone|undoes|step|end as|not needed/.test(detail))
    .map(({ detail }) => detail.replace(/^event \d+: /, ""));

const HELD_UP = [expect.stringMatching(/^compensate:.* left before take_back was undone$/)];

describe("the page is undone while the entry above it", () => {
  test.each<[OperationState | null, boolean]>([
    ["request_sent", false],
    ["unknown", false],
    ["confirmed", false],
    // Not seen by a query that counts yet: it may be there.
    ["not_found", false],
  ])("is of a write that is %s: too early", (state, pastHorizon) => {
    const { story, page } = twoEntries("B", state, pastHorizon);
    sendUndo(story, page);
    expect(orderFaults(story)).toEqual(HELD_UP);
  });

  test.each<[OperationState | null, boolean]>([
    [null, false],
    ["prepared", false],
    ["cancelled", false],
    ["rejected", false],
    ["not_found", true],
    // A person has to say first what became of it, and nobody can tell how long that takes.
    ["conflict", false],
    ["locked", false],
  ])("is of a write that is %s: nothing holds it up", (state, pastHorizon) => {
    const { story, page } = twoEntries("B", state, pastHorizon);
    sendUndo(story, page);
    expect(orderFaults(story)).toEqual([]);
  });

  test.each(["A", "B", "C", "D"] as const)(
    "is of grade %s: only what the program undoes by itself goes first",
    (grade) => {
      const { story, page } = twoEntries(grade, "confirmed");
      sendUndo(story, page);
      expect(orderFaults(story)).toEqual(grade === "A" || grade === "B" ? HELD_UP : []);
    },
  );

  test.each<[CompensationState, boolean]>([
    ["registered", true],
    ["running", true],
    ["failed", false],
    ["done", false],
    ["closed_by_person", false],
  ])("is %s", (state, holdsUp) => {
    const { story, page, top } = twoEntries("B", "confirmed");
    if (state === "done") story.undone(top, "CompensationStepDone", { state, stepsDone: 1 });
    else if (state !== "registered") story.undone(top, "CompensationStepBegun", { state });
    sendUndo(story, page);
    expect(orderFaults(story)).toEqual(holdsUp ? HELD_UP : []);
  });

  test("was said not to be needed, which is another fault and no second one", () => {
    const { story, page, top } = twoEntries("B", "confirmed");
    story.undone(top, "CompensationNotNeeded", { state: "not_needed" });
    sendUndo(story, page);
    expect(orderFaults(story)).toEqual(["take_back is called not needed, but what it undoes left"]);
  });

  test("has two writes, one of them for a person: the whole entry is", () => {
    const { story, page, top } = twoEntries("B", "confirmed");
    story.outcome(forwardOf(story, top), "OperationLocked", "locked");
    sendUndo(story, page);
    expect(orderFaults(story)).toEqual([]);
  });
});

test("a write that no event tells of never left, and an entry that none tells of is still to be undone", () => {
  const write = twoEntries("B", null);
  const [publish] = write.story.data.operations;
  if (publish)
    write.story.data.operations.push({ ...publish, id: asOperationId("op-untold"), compensationId: write.top.id });
  sendUndo(write.story, write.page);
  expect(orderFaults(write.story)).toEqual([]);
  const entry = twoEntries("B", null);
  const untold = { ...entry.top, id: asCompensationId("cp-untold"), position: 3 };
  entry.story.data.compensations.push(untold);
  entry.story.outcome(forwardOf(entry.story, untold), "RemoteConfirmed", "confirmed");
  sendUndo(entry.story, entry.page);
  expect(orderFaults(entry.story)).toEqual(HELD_UP);
});

test("an entry holds up neither itself nor what is above it", () => {
  const { story, page, top } = twoEntries("B", "confirmed");
  sendUndo(story, top);
  story.undone(top, "CompensationStepDone", { state: "done", stepsDone: 1 });
  sendUndo(story, page);
  expect(orderFaults(story)).toEqual([]);
});

test.each<[OperationState | null, boolean, boolean]>([
  [null, false, false],
  ["prepared", false, false],
  ["cancelled", false, false],
  ["rejected", false, false],
  ["not_found", true, false],
  ["not_found", false, true],
  ["request_sent", false, true],
  ["unknown", false, true],
  ["confirmed", false, true],
  ["conflict", false, true],
  ["locked", false, true],
])("not needed for a write that is %s, past its horizon: %s", (state, pastHorizon, isFault) => {
  const { story, top } = twoEntries("B", state, pastHorizon);
  story.undone(top, "CompensationNotNeeded", { state: "not_needed" });
  expect(orderFaults(story)).toEqual(isFault ? [expect.stringContaining("called not needed")] : []);
});

describe("a call that undoes", () => {
  test.each<[OperationState | null, boolean]>([
    ["confirmed", false],
    ["unknown", true],
    ["rejected", true],
    [null, true],
  ])("what is %s", (state, isFault) => {
    const { story, top } = twoEntries("B", state);
    sendUndo(story, top);
    expect(orderFaults(story)).toEqual(isFault ? [expect.stringContaining("undoes what did not happen")] : []);
  });

  test("one of two writes that happened is needed, and an undo that came through is no write to be undone", () => {
    const both = twoEntries("B", "confirmed");
    both.story.outcome(forwardOf(both.story, both.top), "OperationRejected", "rejected");
    sendUndo(both.story, both.top);
    expect(orderFaults(both.story)).toEqual([]);
    const never = twoEntries("B", "rejected");
    sendUndo(never.story, never.top);
    const undo = never.story.data.operations.at(-1);
    if (undo) never.story.outcome(undo, "RemoteConfirmed", "confirmed");
    sendUndo(never.story, never.top);
    expect(orderFaults(never.story)).toHaveLength(2);
  });

  test("for no entry of this stack is not this rule's matter", () => {
    const { story, page } = twoEntries("B", "confirmed");
    sendUndo(story, page, null);
    expect(orderFaults(story)).toEqual([]);
  });
});

describe("an entry's own way", () => {
  test("its end may be told twice, and a failed one may go on", () => {
    const { story, top } = twoEntries("B", "confirmed");
    story.undone(top, "CompensationStepBegun", { state: "running" });
    story.undone(top, "CompensationEntryFailed", { state: "failed", code: "x" });
    story.undone(top, "CompensationResumed", { state: "running", code: null });
    story.undone(top, "CompensationStepDone", { state: "done", stepsDone: 1 });
    story.undone(top, "CompensationEntryDone", { state: "done" });
    expect(orderFaults(story)).toEqual([]);
  });

  test.each(["done", "not_needed", "closed_by_person"] as const)(
    "from its end as %s it does not come back",
    (state) => {
      const { story, top } = twoEntries("B", state === "not_needed" ? "rejected" : "confirmed");
      story.undone(top, state === "done" ? "CompensationStepDone" : "CompensationClosed", {
        ...{ state, stepsDone: state === "done" ? 1 : 0 },
      });
      story.undone(top, "CompensationEntryFailed", { state: "failed", code: "x" });
      expect(orderFaults(story)).toEqual([`${top.id} had come to its end as ${state}`]);
    },
  );

  test("its first word may not begin beyond the first step, and what is no step counts none", () => {
    const { story, top } = twoEntries("B", "confirmed");
    story.undone(top, "CompensationStepBegun", { state: "running", stepsDone: 1 });
    expect(orderFaults(story)).toEqual([`${top.id} is at step 1, not 0`]);
  });

  test("an entry that no row tells of is the replay's matter", () => {
    const { story, taskId } = twoEntries("B", "confirmed");
    const entry = { state: "not_needed", stepsDone: 0, attempts: 0, callsJudged: 0, nextAt: null, code: null };
    story.event(taskId, "CompensationNotNeeded", { payload: { compensationId: "cp-strange", entry } });
    expect(orderFaults(story)).toEqual([]);
  });
});
