import { describe, expect, it } from "vitest";
import { buildMailCreate, buildMailTrigger, mailSandboxManifest, SandboxMail } from "../../main/adapters/mail/sandbox";
import { classify } from "../../main/domain/errors";
import { fault, records, sandbox } from "../sandbox/world";
import { context, NOW, outgoing, TASK } from "./sandbox-world";

const INTENT = "send:weekly-briefing:2026-W30:zh-CN:v1:x:y:z";
const CREATE = `${INTENT}:create`;
const TRIGGER = `${INTENT}:trigger`;
const SLOT = "send:weekly-briefing:2026-W30:zh-CN";
const recipients = Array.from({ length: 63 }, (_, index) => ({
  id: `r${String(63 - index).padStart(3, "0")}`,
  address: `reader${63 - index}@example.org`,
}));
const createBytes = buildMailCreate({
  operationKey: CREATE,
  intentKey: INTENT,
  name: "weekly-briefing-2026-w30-zh-cn",
  subject: "第 30 期",
  text: "text",
  html: "<p>text</p>",
  bodyHash: "c".repeat(64),
  audienceHash: "d".repeat(64),
  intentHash: "e".repeat(64),
  taskId: TASK,
  pageUrl: "http://127.0.0.1/site/x",
  recipients,
});
const triggerBytes = buildMailTrigger({ operationKey: TRIGGER });
const mail = new SandboxMail({ token: "sandbox" });

const create = (target: string, limitMs?: number) =>
  mail.send(
    outgoing(target, "create", createBytes, { kind: "send", slot: SLOT }),
    context({ limitMs: limitMs ?? 10_000 }),
  );
const trigger = (target: string, at = 0, limitMs?: number) => {
  const request = outgoing(target, "trigger", triggerBytes, { kind: "send", slot: SLOT, remoteId: "930" });
  return mail.send(request, context({ at, limitMs: limitMs ?? 10_000 }));
};
const look = (target: string, at: number, remoteId: string | null = null) =>
  mail.look(
    {
      operationKey: remoteId === null ? CREATE : TRIGGER,
      createKey: CREATE,
      slot: SLOT,
      phase: remoteId === null ? "create" : "trigger",
      remoteId,
      target,
    },
    context({ at }),
  );

describe("mailing through the sandbox", () => {
  it("creates, starts, and accounts for 63: 62 delivered, 1 bounced", async () => {
    const { url } = await sandbox({ config: { bounces: 1, deliveryDelayMs: 60_000 } });
    expect(await create(url)).toMatchObject({
      kind: "confirmed",
      remoteId: "930",
      observed: { externalKey: CREATE, contentHash: "c".repeat(64), state: "draft", appliedKeys: [] },
    });
    expect(await trigger(url)).toMatchObject({
      kind: "confirmed",
      remoteId: "930",
      observed: { state: "sending", appliedKeys: [TRIGGER] },
    });
    const early = await mail.report({ target: url, remoteId: "930" }, context({ at: 1000 }));
    expect(early.kind === "seen" && new Set(early.recipients.map((entry) => entry.outcome))).toEqual(
      new Set(["accepted"]),
    );
    const late = await mail.report({ target: url, remoteId: "930" }, context({ at: 60_000 }));
    if (late.kind !== "seen") throw new Error("the report failed");
    expect(late.recipients).toHaveLength(63);
    expect(late.recipients.filter((entry) => entry.outcome === "delivered")).toHaveLength(62);
    expect(late.recipients[62]).toEqual({ recipientId: "r063", outcome: "bounced", at: NOW + 60_000, code: "5.1.1" });
    expect((await records(url)).mail).toMatchObject({ createCalls: 1, triggerCalls: 1, reports: 2 });
  });

  /** Fault on the trigger, what the adapter says, how many mails really went out. */
  it.each<[string, Record<string, unknown>, string, string, number]>([
    ["drop-before-commit", {}, "unknown", "reset", 0],
    ["drop-after-commit", {}, "unknown", "reset", 63],
    ["hang-after-commit", {}, "unknown", "timeout", 63],
    ["hang-before-commit", {}, "unknown", "timeout", 0],
    ["cut-short", {}, "unknown", "reset", 63],
    ["unparsable", {}, "unknown", "unparsable", 63],
    ["status-after-commit", { status: 502 }, "unknown", "http_502", 63],
    ["status", { status: 429, body: "{}" }, "unknown", "http_429", 0],
    ["status", { status: 429 }, "rejected", "http_429_unprocessed", 0],
    ["auth", {}, "rejected", "http_401", 0],
  ])("a trigger that meets %s %j is %s (%s)", async (name, params, kind, code, mails) => {
    const { url } = await sandbox();
    await create(url);
    await fault(url, { on: "mail.trigger", fault: name, params });
    expect(await trigger(url, 0, name.startsWith("hang") ? 150 : undefined)).toMatchObject({
      kind,
      error: { code, phase: "after_send" },
    });
    expect((await records(url)).mail.mailings).toHaveLength(mails);
    const seen = await look(url, 5000, "930");
    expect(seen).toMatchObject({ kind: "seen", able: true, objects: [{ appliedKeys: mails > 0 ? [TRIGGER] : [] }] });
  });

  it.each<[string, string, number]>([
    ["drop-before-commit", "reset", 0],
    ["drop-after-commit", "reset", 1],
    ["hang-after-commit", "timeout", 1],
    ["conflict-same", "http_409", 1],
    ["status-after-commit", "http_500", 1],
    ["duplicate", "none", 2],
  ])("a create that meets %s is looked for by its key", async (name, code, objects) => {
    const { url } = await sandbox();
    await fault(url, { on: "mail.create", fault: name });
    const answer = await create(url, name.startsWith("hang") ? 150 : undefined);
    expect(answer).toMatchObject(code === "none" ? { kind: "confirmed" } : { kind: "unknown", error: { code } });
    const seen = await look(url, 5000);
    expect(seen).toMatchObject({ kind: "seen", able: true });
    expect(seen.kind === "seen" && seen.objects.map((object) => object.externalKey)).toEqual(
      Array(objects).fill(CREATE),
    );
    expect((await records(url)).mail.mailings).toHaveLength(0);
  });

  it("takes 'already sent' for evidence about its own lost trigger, not for a refusal", async () => {
    const { url } = await sandbox({ config: { uniqueTriggers: true } });
    await create(url);
    await trigger(url);
    expect(await trigger(url)).toMatchObject({ kind: "unknown", error: { code: "already_done", httpStatus: 400 } });
    expect((await records(url)).mail.mailings).toHaveLength(63);
  });

  it("says that a limited query leaves an accepted trigger unknown, not failed", async () => {
    const { url } = await sandbox();
    await create(url);
    await fault(url, { on: "mail.trigger", fault: "drop-after-commit" });
    await trigger(url);
    await fault(url, { on: "mail.query", fault: "status", params: { status: 429, retryAfterSeconds: 20 } });
    const limited = await look(url, 5000, "930");
    expect(limited).toMatchObject({
      kind: "failed",
      error: { phase: "query", code: "http_429", retryAfterMs: 20_000 },
    });
    expect(limited.kind === "failed" && classify(mailSandboxManifest.errors, limited.error)).toBe("transient");
    expect(await look(url, 5000, "930")).toMatchObject({ kind: "seen", objects: [{ appliedKeys: [TRIGGER] }] });
  });

  it("has no phase that changes or takes back a mail", async () => {
    const { url } = await sandbox();
    for (const phase of ["update", "publish", "deliver"] as const) {
      const answer = await mail.send(outgoing(url, phase, triggerBytes, { remoteId: "930" }), context());
      expect(answer).toMatchObject({ kind: "not_sent", error: { code: "unsupported_phase" } });
    }
    const { createCalls, triggerCalls } = (await records(url)).mail;
    expect([createCalls, triggerCalls]).toEqual([0, 0]);
  });

  it("fails a report it cannot read, and passes on a stranger in one", async () => {
    const { url } = await sandbox();
    await create(url);
    await trigger(url);
    await fault(url, { on: "mail.report", fault: "unparsable" });
    expect(await mail.report({ target: url, remoteId: "930" }, context())).toMatchObject({
      kind: "failed",
      error: { code: "unparsable" },
    });
    await fault(url, { on: "mail.report", fault: "wrong-body" });
    const report = await mail.report({ target: url, remoteId: "930" }, context());
    expect(report.kind === "seen" && report.recipients.at(-1)?.recipientId).toBe("recipient-nobody-sent-to");
    expect(await mail.report({ target: url, remoteId: "1" }, context())).toMatchObject({
      kind: "failed",
      error: { code: "http_404" },
    });
  });
});

describe("the mail adapter's frozen bytes and manifest", () => {
  it("hold the recipients by id order, whatever order they came in", () => {
    const body = JSON.parse(new TextDecoder().decode(createBytes));
    expect(body.recipients[0]).toEqual({ address: "reader1@example.org", id: "r001" });
    expect(body.recipients).toHaveLength(63);
    expect(new TextDecoder().decode(triggerBytes)).toBe(`{"key":"${TRIGGER}"}`);
  });

  it("answer the five questions", () => {
    expect(mailSandboxManifest).toMatchObject({
      key: { unique: false },
      query: { reliable: true, visibilityDelayMs: 2000, horizonMs: 60_000, keyRetentionMs: null, lookBudget: 8 },
      approvalBinds: ["pageUrl", "bodyHash", "audienceHash"],
      compensation: { grade: "C" },
      deliveryObservable: true,
      callTimeoutMs: 30_000,
    });
  });
});
