import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sha256 } from "../../main/domain/hashing";
import {
  compensateIntentKey,
  effectIntentKey,
  intentHashOf,
  operationIdOf,
  operationKeyOf,
  publishIntentKey,
  sendIntentKey,
  slotOf,
  taskKeyOf,
} from "../../main/domain/keys";

const TASK = "weekly-briefing:2026-W30:zh-CN";
const CONTENT = sha256("content");
const bound = { pageUrl: "https://site.example/w30", bodyHash: sha256("body"), audienceHash: sha256("audience") };

describe("keys as the specification spells them", () => {
  test("task", () => expect(taskKeyOf("weekly-briefing", "2026-W30", "zh-CN")).toBe(TASK));
  test("publish", () => expect(publishIntentKey(TASK, 1, CONTENT)).toBe(`publish:${TASK}:v1:${CONTENT}`));
  test("send", () =>
    expect(sendIntentKey(TASK, 2, bound)).toBe(
      `send:${TASK}:v2:https://site.example/w30:${bound.bodyHash}:${bound.audienceHash}`,
    ));
  test("another write, and what takes one back", () => {
    expect(effectIntentKey(TASK, 3, "status")).toBe(`effect:${TASK}:v3:status`);
    expect(compensateIntentKey("publish:x:create", "take_page_down")).toBe(
      "compensate:publish:x:create:take_page_down",
    );
  });
  test("an operation's id, of its key alone", () =>
    expect(operationIdOf("publish:x:create")).toMatch(/^op-[0-9a-f]{24}$/));
  test("operation, with and without a recipient", () => {
    expect(operationKeyOf("send:x", "trigger", null)).toBe("send:x:trigger");
    expect(operationKeyOf("send:x", "deliver", "r001")).toBe("send:x:deliver:r001");
  });
  test("slot: one per edition and kind, whatever the content", () => {
    expect(slotOf("publish", TASK)).toBe(`publish:${TASK}`);
    expect(slotOf("send", TASK, "r001")).toBe(`send:${TASK}:r001`);
  });
});

test("a retry carries the same key: nothing but what is meant goes into it", () => {
  const again = publishIntentKey(taskKeyOf("weekly-briefing", "2026-W30", "zh-CN"), 1, sha256("content"));
  expect(operationIdOf(operationKeyOf(again, "create", null))).toBe(
    operationIdOf(operationKeyOf(publishIntentKey(TASK, 1, CONTENT), "create", null)),
  );
});

describe("the intent's hash", () => {
  const intent = {
    kind: "send" as const,
    adapter: "mail",
    target: "https://mail.example",
    slot: slotOf("send", TASK),
    phase: "create" as const,
    recipientId: null,
    hashes: { contentHash: null, ...bound },
  };

  test("is the same for the same intent, in whatever order it is written down", () => {
    const turned = Object.fromEntries(Object.entries(intent).reverse()) as typeof intent;
    expect(intentHashOf(turned)).toBe(intentHashOf(intent));
  });

  test.each([
    ["kind", { kind: "correct" as const }],
    ["adapter", { adapter: "smtp" }],
    ["target", { target: "https://other.example" }],
    ["slot", { slot: slotOf("send", "other") }],
    ["phase", { phase: "trigger" as const }],
    ["recipient", { recipientId: "r001" }],
    ["page", { hashes: { ...intent.hashes, pageUrl: "https://site.example/w31" } }],
    ["body", { hashes: { ...intent.hashes, bodyHash: sha256("other") } }],
    ["audience", { hashes: { ...intent.hashes, audienceHash: sha256("other") } }],
    ["content", { hashes: { ...intent.hashes, contentHash: CONTENT } }],
  ])("differs by its %s", (_name, change) => {
    expect(intentHashOf({ ...intent, ...change })).not.toBe(intentHashOf(intent));
  });
});

test("two operations have one key only where they mean the same", () => {
  const hash = fc.string({ minLength: 1 }).map((text) => sha256(text));
  const meant = fc.record({
    task: fc.stringMatching(/^[a-z0-9-]{1,8}:[a-z0-9-]{1,8}:[a-z]{2}$/),
    version: fc.integer({ min: 1, max: 30 }),
    content: hash,
    phase: fc.constantFrom("create" as const, "update" as const, "publish" as const),
  });
  const keyOf = (m: {
    task: string;
    version: number;
    content: ReturnType<typeof sha256>;
    phase: "create" | "update" | "publish";
  }) => operationKeyOf(publishIntentKey(m.task, m.version, m.content), m.phase, null);
  fc.assert(
    fc.property(meant, meant, (a, b) => {
      const same = a.task === b.task && a.version === b.version && a.content === b.content && a.phase === b.phase;
      expect(keyOf(a) === keyOf(b)).toBe(same);
    }),
  );
});
