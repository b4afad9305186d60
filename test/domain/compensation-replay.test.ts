import { expect, test } from "vitest";
import { compareStack, replayStack } from "../../main/domain/compensation-replay";
import { tell } from "../../main/domain/invariants/snapshot";
import { tellPublish, tellStart } from "./story";

function stack() {
  const edition = tellStart();
  const { story, taskId } = edition;
  tellPublish(edition);
  const [entry] = story.data.compensations;
  if (!entry) throw new Error("no entry");
  story.move(taskId, "CompensationStarted", "compensating");
  story.undone(entry, "CompensationStepBegun", { state: "running" });
  story.undone(entry, "CompensationStepFailed", { attempts: 1, nextAt: 5, code: "http_503", callsJudged: 1 });
  story.undone(entry, "CompensationStepDone", {
    ...{ state: "done", stepsDone: 1, attempts: 0, nextAt: null, code: null, callsJudged: 0 },
  });
  const events = () => story.data.events.filter((event) => event.taskId === taskId).map(tell);
  return { story, entry, events };
}

test("the rows of a stack can be made again from its events", () => {
  const { story, entry, events } = stack();
  expect(replayStack(events()).entries.get(entry.id)).toMatchObject({ state: "done", stepsDone: 1, attempts: 0 });
  expect(compareStack(story.data.compensations, events())).toEqual([]);
});

test("each field that a row says otherwise is named, and so is a row too few or too many", () => {
  const { entry, events } = stack();
  for (const changed of [{ state: "failed" }, { stepsDone: 0 }, { attempts: 2 }, { nextAt: 9 }, { code: "x" }] as const)
    expect(compareStack([{ ...entry, ...changed }], events()).map(({ field }) => field)).toEqual(Object.keys(changed));
  expect(compareStack([], events())).toEqual([
    { subject: entry.id, field: "row", row: "missing", replayed: "present" },
  ]);
  const more = { ...entry, id: "cp-never-told" as typeof entry.id };
  expect(compareStack([entry, more], events()).every(({ subject }) => subject === more.id)).toBe(true);
});

test("where a payload was withheld nothing is claimed", () => {
  const { entry, events } = stack();
  const withheld = events().map((event) =>
    event.type === "CompensationStepDone" ? { ...event, payload: {}, isWithheld: true } : event,
  );
  expect(replayStack(withheld).isKnown).toBe(false);
  expect(compareStack([{ ...entry, state: "failed" }], withheld)).toEqual([]);
});
