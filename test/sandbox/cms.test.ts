import { describe, expect, it } from "vitest";
import { call, clockAt, fault, post, records, sandbox } from "./world";

describe("the sandbox's CMS", () => {
  it("publishes, and shows the post to queries only after the visibility delay", async () => {
    const { url } = await sandbox();
    const created = await call("POST", `${url}/cms/posts`, post());
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      id: 18427,
      slug: "weekly-briefing-2026-w30-zh-cn",
      revision: 1,
      status: "published",
    });
    expect(created.body.url).toBe(`${url}/site/weekly-briefing-2026-w30-zh-cn`);
    const key = encodeURIComponent(String(post().key));
    const early = await call("GET", `${url}/cms/posts?key=${key}`, undefined, clockAt(1999));
    expect(early.body).toEqual({ objects: [], complete: true });
    const late = await call("GET", `${url}/cms/posts?key=${key}`, undefined, clockAt(2000));
    expect(late.body.objects).toHaveLength(1);
    expect(late.body.objects[0]).toMatchObject({ id: 18427, contentHash: "a".repeat(64), taskId: "task-1" });
    const page = await call("GET", created.body.url);
    expect(page.text).toBe(post().html);
    expect(page.headers.get("age")).toBe("0");
  });

  it("makes a second object of a second create, as real systems do", async () => {
    const { url } = await sandbox();
    await call("POST", `${url}/cms/posts`, post());
    const second = await call("POST", `${url}/cms/posts`, post());
    expect(second.body).toMatchObject({ id: 18428, slug: "weekly-briefing-2026-w30-zh-cn-2" });
    expect((await records(url)).cms).toMatchObject({ createCalls: 2, objects: [{ id: 18427 }, { id: 18428 }] });
  });

  it("refuses a second key or slug only where it is told to", async () => {
    const { url } = await sandbox({ config: { uniqueKeys: true } });
    await call("POST", `${url}/cms/posts`, post());
    const same = await call("POST", `${url}/cms/posts`, post());
    expect(same.status).toBe(409);
    expect(same.body).toMatchObject({ code: "duplicate_key", object: { id: 18427 } });
    const taken = await call("POST", `${url}/cms/posts`, post({ key: "another" }));
    expect(taken.body).toMatchObject({ code: "slug_taken", object: { id: 18427 } });
  });

  it("shows nothing without a login, not even an empty list", async () => {
    const { url } = await sandbox();
    const headers = { Authorization: "Bearer wrong" };
    expect((await call("GET", `${url}/cms/posts?key=k`, undefined, undefined, { headers })).status).toBe(401);
    expect((await call("POST", `${url}/cms/posts`, post(), undefined, { headers })).status).toBe(401);
    expect((await records(url)).cms).toMatchObject({ createCalls: 1, queries: 1, objects: [] });
  });

  it("updates only the expected revision and keeps the earlier ones", async () => {
    const { url } = await sandbox();
    await call("POST", `${url}/cms/posts`, post());
    const change = { ...post({ html: "<p>v2</p>", key: "update-1" }), expectedRevision: 1 };
    const updated = await call("PUT", `${url}/cms/posts/18427`, change);
    expect(updated.body).toMatchObject({ revision: 2, appliedKeys: ["update-1"] });
    const stale = await call("PUT", `${url}/cms/posts/18427`, change);
    expect(stale.status).toBe(412);
    expect(stale.body.object).toMatchObject({ revision: 2, appliedKeys: ["update-1"] });
    const { body } = await call("GET", `${url}/cms/posts/18427/revisions`, undefined, clockAt(5000));
    expect(body.revisions.map((entry: { html: string }) => entry.html)).toEqual([post().html, "<p>v2</p>"]);
    expect((await call("GET", `${url}/cms/posts/18427`, undefined, clockAt(5000))).body.html).toBe("<p>v2</p>");
  });

  it("sets a state repeatably, finds drafts and trash, and hides them from readers", async () => {
    const { url } = await sandbox();
    const { body } = await call("POST", `${url}/cms/posts`, post({ status: "draft" }));
    expect((await call("GET", body.url)).status).toBe(404);
    const publish = { key: "publish-1", status: "published", expectedRevision: 1 };
    expect((await call("POST", `${url}/cms/posts/18427/status`, publish)).body.status).toBe("published");
    expect((await call("POST", `${url}/cms/posts/18427/status`, publish)).body.appliedKeys).toEqual(["publish-1"]);
    expect((await call("GET", body.url)).status).toBe(200);
    await call("POST", `${url}/cms/posts/18427/status`, { key: "undo-1", status: "trash" });
    expect((await call("GET", body.url)).status).toBe(404);
    const found = await call("GET", `${url}/cms/posts?slug=${post().slug}`, undefined, clockAt(9000));
    expect(found.body.objects).toMatchObject([{ status: "trash", appliedKeys: ["publish-1", "undo-1"] }]);
  });

  it("lets the first readers see what was there before", async () => {
    const { url } = await sandbox({ config: { staleProbes: 2 } });
    const page = (await call("POST", `${url}/cms/posts`, post())).body.url;
    const statuses = [];
    for (let read = 0; read < 4; read += 1) statuses.push((await call("GET", page)).status);
    expect(statuses).toEqual([404, 404, 200, 200]);
    await call("PUT", `${url}/cms/posts/18427`, { ...post({ html: "<p>v2</p>" }), expectedRevision: 1 });
    const stale = await call("GET", page);
    expect(stale.text).toBe(post().html);
    expect(Number(stale.headers.get("age"))).toBeGreaterThan(0);
    await call("GET", page);
    expect((await call("GET", page)).text).toBe("<p>v2</p>");
  });

  it("never lets an object disappear because a client's clock went back", async () => {
    const { url } = await sandbox();
    await call("POST", `${url}/cms/posts`, post());
    await call("GET", `${url}/site/`, undefined, clockAt(60_000));
    await call("GET", `${url}/cms/posts?key=none`, undefined, clockAt(60_000));
    const found = await call("GET", `${url}/cms/posts?slug=${post().slug}`, undefined, "2025-07-20T00:00:00Z");
    expect(found.body.objects).toHaveLength(1);
  });

  it("tells a client whose clock or body is nonsense", async () => {
    const { url } = await sandbox();
    expect((await call("GET", `${url}/site/`, undefined, "1784510040000")).body.code).toBe("bad_clock");
    const bad = await call("POST", `${url}/cms/posts`, { key: "k" });
    expect(bad.status).toBe(400);
    expect(bad.body.fields.length).toBeGreaterThan(3);
    const plain = await call("POST", `${url}/cms/posts`, post(), undefined, {
      headers: { "Content-Type": "text/plain" },
    });
    expect(plain.status).toBe(415);
    expect((await fault(url, { on: "cms.query", fault: "commit-later" })).status).toBe(400);
  });
});
