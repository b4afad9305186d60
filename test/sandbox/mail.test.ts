import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, campaign, clockAt, fault, records, sandbox, temporaryDir, W30 } from "./world";

const create = (url: string, more: Record<string, unknown> = {}, count = 63) =>
  call("POST", `${url}/mail/campaigns`, campaign(count, more));
const trigger = (url: string, key = "trigger-1") => call("POST", `${url}/mail/campaigns/930/trigger`, { key });

describe("the sandbox's mail provider", () => {
  it("takes a campaign as a draft, starts it, and accounts for everybody", async () => {
    const { url } = await sandbox({ config: { bounces: 1, deliveryDelayMs: 60_000 } });
    expect((await create(url)).body).toMatchObject({ id: 930, status: "draft", recipientCount: 63, triggers: [] });
    expect((await call("GET", `${url}/mail/campaigns/930/report`)).body.recipients).toEqual([]);
    const started = await trigger(url);
    expect(started.status).toBe(202);
    expect(started.body).toMatchObject({ id: 930, status: "sending", triggers: [{ key: "trigger-1", at: W30 }] });
    const early = (await call("GET", `${url}/mail/campaigns/930/report`, undefined, clockAt(59_999))).body;
    expect(early.totals).toEqual({ accepted: 63, delivered: 0, bounced: 0, complained: 0, pending: 63 });
    const late = (await call("GET", `${url}/mail/campaigns/930/report`, undefined, clockAt(60_000))).body;
    expect(late.totals).toEqual({ accepted: 63, delivered: 62, bounced: 1, complained: 0, pending: 0 });
    expect(late.recipients[62]).toEqual({ id: "r063", outcome: "bounced", at: clockAt(60_000), code: "5.1.1" });
    expect((await call("GET", `${url}/mail/campaigns/930`, undefined, clockAt(70_000))).body.status).toBe("sent");
  });

  it("mails everybody a second time when triggered a second time, so that a faulty client is seen", async () => {
    const { url } = await sandbox();
    await create(url);
    await trigger(url);
    await trigger(url);
    expect((await records(url)).mail.mailings).toHaveLength(126);
  });

  it("refuses a second campaign or trigger only where it is told to", async () => {
    const { url } = await sandbox({ config: { uniqueKeys: true, uniqueTriggers: true } });
    await create(url);
    expect((await create(url)).body).toMatchObject({ code: "duplicate_key", object: { id: 930 } });
    await trigger(url);
    const again = await trigger(url, "trigger-2");
    expect(again.status).toBe(400);
    expect(again.body).toMatchObject({ code: "already_sent", object: { triggers: [{ key: "trigger-1" }] } });
    expect((await records(url)).mail.mailings).toHaveLength(63);
  });

  it("finds a campaign by key and shows its triggers, both after the visibility delay", async () => {
    const { url } = await sandbox();
    await create(url);
    const byKey = `${url}/mail/campaigns?key=${encodeURIComponent(String(campaign().key))}`;
    expect((await call("GET", byKey, undefined, clockAt(1000))).body.objects).toEqual([]);
    expect((await call("GET", byKey, undefined, clockAt(2000))).body.objects).toMatchObject([{ id: 930 }]);
    await call("POST", `${url}/mail/campaigns/930/trigger`, { key: "trigger-1" }, clockAt(5000));
    const seen = async (at: number) => (await call("GET", `${url}/mail/campaigns/930`, undefined, clockAt(at))).body;
    expect((await seen(6000)).triggers).toEqual([]);
    expect((await seen(7000)).triggers).toEqual([{ key: "trigger-1", at: clockAt(5000) }]);
  });

  it("has recipients who complain, and some who are never heard of", async () => {
    const { url } = await sandbox({ config: { bounces: 1, complaints: 1, pendingForever: 2, deliveryDelayMs: 0 } });
    await create(url, {}, 10);
    await trigger(url);
    const { body } = await call("GET", `${url}/mail/campaigns/930/report`, undefined, clockAt(86_400_000));
    expect(body.totals).toEqual({ accepted: 10, delivered: 6, bounced: 1, complained: 1, pending: 2 });
    expect(body.recipients.map((entry: { outcome: string }) => entry.outcome)).toEqual([
      ...["accepted", "accepted", "delivered", "delivered", "delivered"],
      ...["delivered", "delivered", "delivered", "complained", "bounced"],
    ]);
  });

  it("can report somebody nobody sent to", async () => {
    const { url } = await sandbox();
    await create(url, {}, 3);
    await trigger(url);
    await fault(url, { on: "mail.report", fault: "wrong-body" });
    const { body } = await call("GET", `${url}/mail/campaigns/930/report`);
    expect(body.recipients.map((entry: { id: string }) => entry.id)).toEqual([
      "r001",
      "r002",
      "recipient-nobody-sent-to",
    ]);
  });

  it("counts who would get two mails, without keeping an address", async () => {
    const dir = temporaryDir();
    const { url } = await sandbox({ dir });
    await create(url, {
      recipients: [
        { id: "a", address: "one@example.org" },
        { id: "b", address: "one@example.org" },
      ],
    });
    expect((await records(url)).mail.campaigns[0]).toMatchObject({ recipientIds: ["a", "b"], distinctAddresses: 1 });
    expect(readFileSync(join(dir, "records.jsonl"), "utf8")).not.toContain("one@example.org");
  });
});
