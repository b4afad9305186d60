import { describe, expect, test } from "vitest";
import {
  type ChainFault,
  type EventDraft,
  type EventPlace,
  headerOf,
  sealEvent,
  verifyEvent,
} from "../../main/domain/chain";
import { canonicalJson, GENESIS, sha256 } from "../../main/domain/hashing";
import { asOperationId, asTaskId } from "../../main/domain/ids";
import type { EventRow } from "../../main/domain/records";

const draft: EventDraft = {
  type: "RequestSent",
  fromState: "publishing",
  toState: "publishing",
  reason: '“中文” "quoted"\n',
  operationId: asOperationId("op-1"),
  evidenceRefs: [sha256("evidence")],
  payload: { operationState: "request_sent", context: { a: 1 } },
};
const place = {
  seq: 7,
  taskId: asTaskId("t-1"),
  taskSeq: 3,
  actor: "executor:a",
  fencingToken: 2,
  at: 1_753_000_000_000,
  zone: "Asia/Shanghai",
  prevHash: sha256("before"),
  taskPrevHash: sha256("before in the task"),
};
const event = sealEvent(draft, place);
const before = { hash: place.prevHash, seq: 6 };
const taskBefore = { hash: place.taskPrevHash, taskSeq: 2 };
const faults = (changed: Partial<EventRow>): ChainFault[] => verifyEvent({ ...event, ...changed }, before, taskBefore);

describe("sealing", () => {
  test("the hash is that of the stored header, which has the payload's hash and not the payload", () => {
    expect(event.hash).toBe(sha256(event.header));
    expect(event.payloadHash).toBe(sha256(canonicalJson(draft.payload)));
    expect(JSON.parse(event.header)).toEqual(headerOf(event));
    expect(event.header).not.toContain("request_sent");
  });

  test("every field is under the hash", () => {
    const changes: Partial<EventDraft & EventPlace>[] = [
      { type: "X" },
      { fromState: null },
      { toState: "x" },
      { reason: null },
      { operationId: asOperationId("op-2") },
      { evidenceRefs: [] },
      { payload: { ...draft.payload, context: { a: 2 } } },
      { seq: 8 },
      { taskId: asTaskId("t-2") },
      { taskSeq: 4 },
      { actor: "editor:x" },
      { fencingToken: 3 },
      { at: place.at + 1 },
      { zone: "UTC" },
      { prevHash: GENESIS },
      { taskPrevHash: GENESIS },
    ];
    const hashes = changes.map((change) => sealEvent({ ...draft, ...change }, { ...place, ...change }).hash);
    expect(new Set([event.hash, ...hashes]).size).toBe(changes.length + 1);
    expect(changes.length).toBe(Object.keys(draft).length + Object.keys(place).length);
  });
});

describe("verifying", () => {
  test("what was sealed is sound, also with its payload withheld", () => {
    expect(faults({})).toEqual([]);
    expect(faults({ payload: null })).toEqual([]);
  });

  test("each kind of tampering has its name", () => {
    expect(faults({ payload: '{"operationState":"confirmed"}' })).toEqual(["payload_hash"]);
    expect(faults({ reason: "another" })).toEqual(["header_differs_from_row"]);
    expect(faults({ header: event.header.replace("publishing", "published!") })).toEqual([
      "header_hash",
      "header_differs_from_row",
    ]);
    const restated = canonicalJson({ ...headerOf(event), reason: "another" });
    expect(faults({ reason: "another", header: restated })).toEqual(["header_hash"]);
    expect(verifyEvent(event, { ...before, hash: GENESIS }, taskBefore)).toEqual(["prev_hash"]);
    expect(verifyEvent(event, { ...before, seq: 5 }, taskBefore)).toEqual(["seq_gap"]);
    expect(verifyEvent(event, before, { ...taskBefore, hash: GENESIS })).toEqual(["task_prev_hash"]);
    expect(verifyEvent(event, before, { ...taskBefore, taskSeq: 1 })).toEqual(["task_seq_gap"]);
  });

  test("an event of the journal itself stands in one chain only", () => {
    const own = sealEvent(draft, { ...place, taskId: null, taskSeq: null, taskPrevHash: null });
    expect(verifyEvent(own, before, { hash: GENESIS, taskSeq: 0 })).toEqual([]);
  });
});
