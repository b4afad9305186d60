import { describe, expect, it } from "vitest";
import { call, clockAt, fault, records, sandbox, temporaryDir } from "./world";

const member = "/services/members/U-88";
const get = async (url: string, path: string, ms = 60_000) =>
  (await call("GET", url + path, undefined, clockAt(ms))).body;
const setStatus = (url: string, status: string, key: string, expectedRevision: number | null = null) =>
  call("POST", `${url}${member}/status`, { key, status, expectedRevision });
const setVouchers = (url: string, status: string, key: string) =>
  call("POST", `${url}${member}/vouchers`, { key, status });

describe("members and vouchers", () => {
  it("begin with one active member and three usable vouchers", async () => {
    const { url } = await sandbox();
    expect(await get(url, member)).toMatchObject({ id: "U-88", status: "active", revision: 1, appliedKeys: [] });
    const { vouchers, status } = await get(url, `${member}/vouchers`);
    expect([status, vouchers.map((voucher: { id: string }) => voucher.id)]).toEqual(["usable", ["V-1", "V-2", "V-3"]]);
  });

  it("are brought to a state; asking again with the same key changes nothing", async () => {
    const { url } = await sandbox();
    expect((await setStatus(url, "cancelling", "k1")).body).toMatchObject({ status: "cancelling", revision: 2 });
    expect((await setStatus(url, "cancelling", "k1")).body).toMatchObject({ revision: 2, appliedKeys: ["k1"] });
    expect((await setVouchers(url, "frozen", "k2")).body).toMatchObject({ status: "frozen", revision: 2 });
    expect((await setVouchers(url, "usable", "k3")).body).toMatchObject({ status: "usable", revision: 3 });
    expect(await get(url, member)).toMatchObject({ status: "cancelling" });
  });

  it("refuse a write that was made for another revision", async () => {
    const { url } = await sandbox();
    await setStatus(url, "cancelling", "k1");
    const refused = await setStatus(url, "active", "k2", 1);
    expect([refused.status, refused.body.code, refused.body.object.revision]).toEqual([412, "revision_mismatch", 2]);
    expect((await setStatus(url, "active", "k2", 2)).status).toBe(200);
  });

  it("are shown as late as everything else, and need the login", async () => {
    const { url } = await sandbox();
    await setStatus(url, "cancelling", "k1");
    expect(await get(url, member, 1_999)).toMatchObject({ status: "active" });
    expect(await get(url, member, 2_000)).toMatchObject({ status: "cancelling" });
    const bare = await call("GET", url + member, undefined, clockAt(0), { headers: { Authorization: "none" } });
    expect([bare.status, bare.body.code]).toEqual([401, "unauthorized"]);
    expect((await call("GET", `${url}/services/members/U-99`)).body.code).toBe("not_found");
  });
});

describe("messages", () => {
  const message = { key: "effect:x:send_sms:deliver", memberId: "U-88", text: "hello" };

  it("are sent each time, and nobody can ask for them", async () => {
    const { url } = await sandbox();
    const first = await call("POST", `${url}/services/messages`, message);
    expect([first.status, first.body]).toEqual([
      202,
      { id: 5001, key: message.key, memberId: "U-88", status: "accepted" },
    ]);
    expect((await call("POST", `${url}/services/messages`, message)).body.id).toBe(5002);
    expect((await call("GET", `${url}/services/messages?key=${message.key}`)).status).toBe(404);
    const { services } = await records(url);
    expect(services).toMatchObject({ messageCalls: 2, messages: [{ id: 5001 }, { id: 5002 }] });
    // The text is nobody's business here.
    expect(JSON.stringify(services)).not.toContain("hello");
  });

  it("may get lost on both ways", async () => {
    const { url } = await sandbox();
    await fault(url, { on: "message.send", fault: "drop-before-commit" });
    await fault(url, { on: "message.send", fault: "drop-after-commit" });
    for (const count of [0, 1]) {
      await expect(call("POST", `${url}/services/messages`, message)).rejects.toThrow();
      expect((await records(url)).services.messages).toHaveLength(count);
    }
  });
});

it("everything is there again after a restart", async () => {
  const dir = temporaryDir();
  const first = await sandbox({ dir });
  await setStatus(first.url, "cancelling", "k1");
  await setVouchers(first.url, "frozen", "k2");
  const before = (await records(first.url)).services;
  await first.close();
  const second = await sandbox({ dir });
  expect((await records(second.url)).services).toEqual(before);
});
