import { describe, expect, test } from "vitest";
import { isKeyWindowOver, judgeLook, objectToAskFor } from "../../main/domain/look";
import type { AdapterManifest, LookAnswer, RemoteObject } from "../../main/domain/ports";
import type { OperationRow } from "../../main/domain/records";
import { fakeView, HOUR, MINUTE, NOW, operationRow, otherHash } from "./fake-view";

const manifest = (query: Partial<AdapterManifest["query"]> = {}): AdapterManifest => ({
  name: "cms",
  version: 1,
  key: { where: "key", unique: false },
  query: {
    reliable: true,
    visibilityDelayMs: 2_000,
    horizonMs: 60_000,
    keyRetentionMs: null,
    lookBudget: 8,
    ...query,
  },
  retry: { resendAfterNotSent: true, resendAfterProvenAbsent: true, maxAttempts: 5 },
  approvalBinds: ["contentHash"],
  compensation: { action: "take down", grade: "B" },
  errors: { version: 1, rules: [] },
  callTimeoutMs: 30_000,
  deliveryObservable: false,
});

const unknown = (more: Partial<OperationRow> = {}) => operationRow({ state: "unknown", requestSentAt: NOW, ...more });
const object = (operation: OperationRow, more: Partial<RemoteObject> = {}): RemoteObject => ({
  remoteId: "18427",
  externalKey: operation.operationKey,
  intentHash: operation.intentHash,
  contentHash: operation.contentHash ?? operation.bodyHash,
  taskId: operation.taskId,
  url: "https://site.example/w30",
  state: "published",
  revision: 1,
  appliedKeys: [],
  ...more,
});
const seen = (...objects: RemoteObject[]): LookAnswer => ({ kind: "seen", able: true, objects, query: "GET" });
const blind: LookAnswer = { kind: "seen", able: false, objects: [], query: "GET" };
const failed = (retryAfterMs: number | null = null): LookAnswer => ({
  kind: "failed",
  error: { phase: "query", code: "http_503", httpStatus: 503, reference: null, retryAfterMs },
  query: "GET",
});

interface At {
  /** ms since the request left, by trusted time */
  ago?: number;
  /** how far the wall clock is from trusted time */
  wallOff?: number;
  trusted?: boolean;
  createKey?: string;
  query?: Partial<AdapterManifest["query"]>;
}
function judge(
  operation: OperationRow,
  answer: LookAnswer,
  { ago = 3_000, wallOff = 0, trusted = true, createKey, query }: At = {},
) {
  const at = NOW + ago;
  const moment = { now: at + wallOff, trusted: { at, trusted, source: "test" } };
  return judgeLook(operation, createKey ?? operation.operationKey, answer, manifest(query), moment);
}

describe("one object with our key", () => {
  test("that equals the intent in everything is ours", () => {
    const operation = unknown();
    expect(judge(operation, seen(object(operation)))).toMatchObject({
      verdict: "confirmed",
      chosen: { remoteId: "18427", url: "https://site.example/w30" },
      nextLookAt: null,
      objects: [{ keyEqual: true, intentEqual: true, contentEqual: true, taskEqual: true }],
    });
  });

  test.each([
    ["intent", { intentHash: otherHash("i") }],
    ["content", { contentHash: otherHash("c") }],
    ["task", { taskId: "t2" }],
  ])("but another %s is a conflict, not a success", (_name, change) => {
    const operation = unknown();
    expect(judge(operation, seen(object(operation, change)))).toMatchObject({
      verdict: "conflict",
      chosen: { remoteId: "18427" },
      nextLookAt: null,
    });
  });

  test("of which the remote keeps no hashes is ours by its key", () => {
    const operation = unknown();
    const bare = object(operation, { intentHash: null, contentHash: null, taskId: null });
    expect(judge(operation, seen(bare)).verdict).toBe("confirmed");
  });

  test("beside one of somebody else's is ours", () => {
    const operation = unknown();
    const other = object(operation, { remoteId: "1", externalKey: "publish:other:create" });
    expect(judge(operation, seen(other, object(operation)))).toMatchObject({
      verdict: "confirmed",
      chosen: { remoteId: "18427" },
    });
  });
});

test("two objects with our key are a duplicate, and none of them is chosen", () => {
  const operation = unknown();
  const judged = judge(operation, seen(object(operation), object(operation, { remoteId: "18428" })));
  expect(judged).toMatchObject({ verdict: "duplicate", chosen: null, nextLookAt: null });
  expect(judged.objects).toHaveLength(2);
});

describe("no object", () => {
  test("is not absence before the horizon (S15: not visible at first look)", () => {
    expect(judge(unknown(), seen(), { ago: 59_999 })).toMatchObject({ verdict: "absent_yet", pastHorizon: false });
  });
  test("is absence past it", () => {
    expect(judge(unknown(), seen(), { ago: 60_000 })).toMatchObject({
      verdict: "not_found",
      pastHorizon: true,
      nextLookAt: null,
    });
  });
  test("never is, where the query was not able to see", () => {
    expect(judge(unknown(), blind, { ago: HOUR })).toMatchObject({
      verdict: "failed",
      able: false,
      rawCode: "not_able_to_see",
    });
  });
  test("never is, where the query may miss things: a person decides", () => {
    expect(judge(unknown(), seen(), { ago: HOUR, query: { reliable: false } })).toMatchObject({
      verdict: "locked",
      rawCode: "query_not_reliable",
      nextLookAt: null,
    });
    const operation = unknown();
    expect(judge(operation, seen(object(operation)), { query: { reliable: false } }).verdict).toBe("confirmed");
  });

  test("a wall clock a year ahead does not bring the horizon nearer, nor one behind move it away (C8)", () => {
    const year = 365 * 24 * HOUR;
    expect(judge(unknown(), seen(), { ago: 3_000, wallOff: year })).toMatchObject({
      verdict: "absent_yet",
      nextLookAt: NOW + 3_000 + year + 2_000,
    });
    expect(judge(unknown(), seen(), { ago: 60_000, wallOff: -year }).verdict).toBe("not_found");
  });
  test("without trusted time nothing is past anything", () => {
    const judged = judge(unknown(), seen(), { ago: 24 * HOUR, trusted: false });
    expect(judged).toMatchObject({ verdict: "absent_yet", pastHorizon: false });
    expect(judged.nextLookAt).toBeGreaterThan(NOW + 24 * HOUR);
  });
});

describe("the remote's memory of the key (E5)", () => {
  const query = { keyRetentionMs: 24 * HOUR };
  test("over, absence proves nothing: locked, and only questions from here", () => {
    expect(judge(unknown(), seen(), { ago: 24 * HOUR + 1_000, query })).toMatchObject({
      verdict: "locked",
      rawCode: "key_window_expired",
      nextLookAt: null,
    });
  });
  test("nearly over, neither: a request takes its time to arrive", () => {
    expect(judge(unknown(), seen(), { ago: 24 * HOUR - 5 * MINUTE, query }).verdict).toBe("locked");
    expect(judge(unknown(), seen(), { ago: 24 * HOUR - 5 * MINUTE - 1, query }).verdict).toBe("not_found");
  });
  test("what is found is found, however late", () => {
    const operation = unknown();
    expect(judge(operation, seen(object(operation)), { ago: 48 * HOUR, query }).verdict).toBe("confirmed");
  });
  test("is not limited where the remote keeps keys for ever, or nothing was sent", () => {
    expect(isKeyWindowOver(unknown(), manifest(), NOW + 999 * HOUR)).toBe(false);
    expect(isKeyWindowOver(operationRow(), manifest(query), NOW + 999 * HOUR)).toBe(false);
  });
});

describe("a query that failed", () => {
  test("tells nothing, and is made again at its own pace", () => {
    expect(judge(unknown(), failed())).toMatchObject({ verdict: "failed", able: false, nextLookAt: NOW + 5_000 });
    expect(judge(unknown({ looksUsed: 2 }), failed())).toMatchObject({ nextLookAt: NOW + 3_000 + 8_000 });
  });
  test("waits as long as the server asked for", () => {
    expect(judge(unknown(), failed(45_000))).toMatchObject({ nextLookAt: NOW + 3_000 + 45_000 });
  });
  test("is not made for ever: with the budget spent the operation is locked", () => {
    expect(judge(unknown({ looksUsed: 6 }), failed()).verdict).toBe("failed");
    expect(judge(unknown({ looksUsed: 7 }), failed())).toMatchObject({ verdict: "locked", nextLookAt: null });
  });
});

describe("the pace of looks", () => {
  test("doubles from the visibility delay, and the last one falls on the horizon", () => {
    const looks: number[] = [];
    let operation = unknown();
    let ago = 2_000;
    for (let n = 0; n < 20; n += 1) {
      looks.push(ago);
      const judged = judge(operation, seen(), { ago });
      if (judged.verdict === "not_found") break;
      operation = unknown({ looksUsed: judged.look });
      ago = (judged.nextLookAt ?? 0) - NOW;
    }
    expect(looks).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000]);
  });
  test("with the budget of looks spent, there is one more: at the horizon", () => {
    expect(judge(unknown({ looksUsed: 7 }), seen(), { ago: 10_000 })).toMatchObject({
      verdict: "absent_yet",
      nextLookAt: NOW + 60_000,
    });
  });
});

describe("before anything was sent", () => {
  const prepared = operationRow();
  test("an empty place is as it should be", () => {
    expect(judge(prepared, seen())).toMatchObject({ verdict: "absent_yet", chosen: null });
    expect(judge(prepared, seen(), { ago: HOUR })).toMatchObject({ verdict: "absent_yet" });
  });
  test.each([
    ["an object of ours from a time that the journal has forgotten", {}],
    ["somebody else's object in our place", { externalKey: "publish:other:create" }],
  ])("%s is a conflict", (_name, change) => {
    expect(judge(prepared, seen(object(prepared, change)))).toMatchObject({
      verdict: "conflict",
      chosen: { remoteId: "18427" },
    });
  });
});

describe("a later phase", () => {
  const create = operationRow({ kind: "send", state: "confirmed", remoteId: "930" });
  const trigger = operationRow({
    kind: "send",
    phase: "trigger",
    state: "unknown",
    requestSentAt: NOW,
    afterId: create.id,
  });
  const campaign = (appliedKeys: string[]) => object(create, { remoteId: "930", appliedKeys });

  test("happened where the remote says it carried out its key (S38)", () => {
    expect(judge(trigger, seen(campaign([trigger.operationKey])), { createKey: create.operationKey })).toMatchObject({
      verdict: "confirmed",
      chosen: { remoteId: "930" },
    });
  });
  test("did not, where the object is there without it", () => {
    const at = { createKey: create.operationKey, ago: HOUR };
    expect(judge(trigger, seen(campaign([])), at)).toMatchObject({ verdict: "not_found" });
  });
  test("on an object that is not the approved one is a conflict", () => {
    const other = { ...campaign([trigger.operationKey]), contentHash: otherHash("body") };
    expect(judge(trigger, seen(other), { createKey: create.operationKey }).verdict).toBe("conflict");
  });

  test("asks for the object by its id; a create always by its key, or a second one would never be seen", () => {
    const view = fakeView({ operations: [create, trigger] });
    expect(objectToAskFor(view, trigger)).toBe("930");
    expect(objectToAskFor(view, create)).toBeNull();
  });
});

test("a look knows its number, so that one that was overtaken can be told", () => {
  expect(judge(unknown({ looksUsed: 4 }), seen()).look).toBe(5);
});
