import { describe, expect, it } from "vitest";
import { call, campaign, clockAt, fault, post, records, sandbox } from "./world";

const outcome = async (promise: Promise<{ status: number }>): Promise<number | "no answer"> =>
  promise.then((reply) => reply.status).catch(() => "no answer" as const);

const found = async (url: string, ms = 10_000): Promise<{ key: string; slug: string }[]> => {
  const search = `key=${encodeURIComponent(String(post().key))}`;
  return (await call("GET", `${url}/cms/posts?${search}`, undefined, clockAt(ms))).body.objects;
};

/** What a client hears of a faulty create, and how many objects there are afterwards. */
const createFaults: [string, Record<string, unknown>, number | "no answer", number][] = [
  ["drop-before-commit", {}, "no answer", 0],
  ["drop-after-commit", {}, "no answer", 1],
  ["cut-short", {}, "no answer", 1],
  ["status", { status: 503 }, 503, 0],
  ["status", { status: 429, retryAfterSeconds: 7 }, 429, 0],
  ["status-after-commit", {}, 500, 1],
  ["status-after-commit", { status: 504 }, 504, 1],
  ["unparsable", {}, 200, 1],
  ["duplicate", {}, 201, 2],
  ["delay", { ms: 20 }, 201, 1],
  ["auth", {}, 401, 0],
  ["conflict-same", {}, 409, 1],
  ["conflict-other", {}, 409, 0],
];

describe("faults of a write", () => {
  it.each(createFaults)("%s %j: the client hears %s, the remote has %i", async (name, params, heard, count) => {
    const { url } = await sandbox();
    await fault(url, { on: "cms.create", fault: name, params });
    expect(await outcome(call("POST", `${url}/cms/posts`, post()))).toBe(heard);
    expect(await found(url)).toHaveLength(count);
    expect((await records(url)).cms.createCalls).toBe(1);
    // The rule is used up: the next write is an ordinary one.
    expect(await outcome(call("POST", `${url}/cms/posts`, post({ key: "next" })))).toBe(201);
    expect((await call("GET", `${url}/control/faults`)).body.rules).toMatchObject([{ times: 1, fired: 1 }]);
  });

  it.each([
    ["hang-before-commit", 0],
    ["hang-after-commit", 1],
  ])("%s: the answer is withheld until the client gives up", async (name, count) => {
    const { url } = await sandbox();
    await fault(url, { on: "cms.create", fault: name });
    const controller = new AbortController();
    const pending = outcome(call("POST", `${url}/cms/posts`, post(), undefined, { signal: controller.signal }));
    const withheld = async () => (await call("GET", `${url}/control/withheld`)).body;
    while ((await withheld()).count === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await withheld()).toEqual({ count: 1, requests: [{ on: "cms.create", since: clockAt(0) }] });
    controller.abort();
    expect(await pending).toBe("no answer");
    while ((await withheld()).count > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await found(url)).toHaveLength(count);
  });

  it("commit-later: truthful negative answers at first, then the object is there", async () => {
    const { url } = await sandbox();
    await fault(url, { on: "cms.create", fault: "commit-later", params: { ms: 4000 } });
    expect(await outcome(call("POST", `${url}/cms/posts`, post()))).toBe("no answer");
    expect(await found(url, 3999)).toHaveLength(0);
    expect((await records(url, clockAt(3999))).cms.objects).toHaveLength(0);
    expect(await found(url, 5999)).toHaveLength(0);
    expect(await found(url, 6000)).toHaveLength(1);
  });

  it("commit-later, and the impatient client resent: two objects for one key", async () => {
    const { url } = await sandbox();
    await fault(url, { on: "cms.create", fault: "commit-later", params: { ms: 4000 } });
    await outcome(call("POST", `${url}/cms/posts`, post()));
    await call("POST", `${url}/cms/posts`, post(), clockAt(3000));
    expect((await found(url, 9000)).map((object) => object.slug)).toEqual([
      "weekly-briefing-2026-w30-zh-cn",
      "weekly-briefing-2026-w30-zh-cn-2",
    ]);
  });

  it("delay: a server at work commits although the client has gone", async () => {
    const { url } = await sandbox();
    await fault(url, { on: "cms.create", fault: "delay", params: { ms: 60 } });
    expect(
      await outcome(call("POST", `${url}/cms/posts`, post(), undefined, { signal: AbortSignal.timeout(15) })),
    ).toBe("no answer");
    expect(await found(url)).toHaveLength(0);
    while ((await found(url)).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect((await records(url)).cms.objects).toHaveLength(1);
  });

  it("conflict-other: another task's object holds the place", async () => {
    const { url } = await sandbox();
    await fault(url, { on: "cms.create", fault: "conflict-other" });
    const { body } = await call("POST", `${url}/cms/posts`, post());
    expect(body).toMatchObject({ code: "slug_taken", object: { slug: post().slug, taskId: "another-task" } });
    const bySlug = await call(
      "GET",
      `${url}/cms/posts?key=${post().key}&slug=${post().slug}`,
      undefined,
      clockAt(9000),
    );
    expect(bySlug.body.objects).toMatchObject([{ taskId: "another-task" }]);
  });

  it("works on updates, states and triggers too", async () => {
    const { url } = await sandbox();
    await call("POST", `${url}/cms/posts`, post({ status: "draft" }));
    await call("POST", `${url}/mail/campaigns`, campaign(2));
    for (const on of ["cms.update", "cms.status", "mail.trigger"]) await fault(url, { on, fault: "drop-after-commit" });
    const update = { ...post({ key: "u" }), expectedRevision: 1 };
    expect(await outcome(call("PUT", `${url}/cms/posts/18427`, update))).toBe("no answer");
    expect(await outcome(call("POST", `${url}/cms/posts/18427/status`, { key: "s", status: "published" }))).toBe(
      "no answer",
    );
    expect(await outcome(call("POST", `${url}/mail/campaigns/930/trigger`, { key: "t" }))).toBe("no answer");
    const { cms, mail } = await records(url);
    expect(cms.objects).toMatchObject([{ revision: 2, status: "published", appliedKeys: ["u", "s"] }]);
    expect(mail.mailings).toHaveLength(2);
  });

  it("lets requests pass first, hits as often as told, and is cleared", async () => {
    const { url } = await sandbox();
    await fault(url, { on: "cms.query", fault: "status", skip: 1, times: 2, params: { status: 500 } });
    const ask = () => outcome(call("GET", `${url}/cms/posts?key=k`));
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([200, 500, 500, 200]);
    await fault(url, { on: "cms.query", fault: "status", params: { status: 500 } });
    await call("DELETE", `${url}/control/faults`);
    expect(await ask()).toBe(200);
  });
});

describe("faults of a read", () => {
  it("hides, changes and garbles what a query says", async () => {
    const { url } = await sandbox();
    await call("POST", `${url}/cms/posts`, post());
    await fault(url, { on: "cms.query", fault: "stale" });
    expect(await found(url)).toHaveLength(0);
    await fault(url, { on: "cms.query", fault: "wrong-body" });
    expect(await found(url)).toMatchObject([{ contentHash: "f".repeat(64), intentHash: "b".repeat(64) }]);
    await fault(url, { on: "cms.query", fault: "unparsable" });
    const garbled = await call("GET", `${url}/cms/posts?key=k`);
    expect(garbled.text).toMatch(/^<br \/>\n<b>Notice<\/b>/);
    expect(garbled.body).toBeNull();
  });

  it("shows readers another text, or a page without one of its links", async () => {
    const { url } = await sandbox();
    const page = (await call("POST", `${url}/cms/posts`, post())).body.url;
    await fault(url, { on: "site.read", fault: "wrong-body" });
    expect((await call("GET", page)).text).not.toContain("First");
    await fault(url, { on: "site.read", fault: "wrong-body", params: { from: "First", to: "Last" } });
    expect((await call("GET", page)).text).toBe(String(post().html).replace("First", "Last"));
    await fault(url, { on: "site.read", fault: "missing-link", params: { slug: String(post().slug) } });
    expect((await call("GET", page)).text).toBe(String(post().html).replace('<a href="https://b.example/">B</a>', "B"));
    await fault(url, { on: "site.read", fault: "stale" });
    expect((await call("GET", page)).status).toBe(404);
    expect((await call("GET", page)).text).toBe(post().html);
  });

  it("hits only the source or page it names", async () => {
    const { url } = await sandbox();
    await fault(url, {
      on: "source.read",
      fault: "status",
      params: { file: "cahiers.xml", status: 429, retryAfterSeconds: 900 },
    });
    await fault(url, { on: "link.read", fault: "status", params: { path: "/articles/orbit/regions", status: 404 } });
    expect((await call("GET", `${url}/sources/zhinengti.xml`)).status).toBe(200);
    const limited = await call("GET", `${url}/sources/cahiers.xml`);
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "900"]);
    expect((await call("GET", `${url}/articles/orbit/batch-window`)).status).toBe(200);
    expect((await call("GET", `${url}/articles/orbit/regions`)).status).toBe(404);
    expect((await records(url)).sources.reads).toEqual({ "zhinengti.xml": 1, "cahiers.xml": 1 });
  });

  it("changes a source between two reads without breaking it", async () => {
    const { url } = await sandbox();
    for (const file of ["orbit-changelog.xml", "tariff-watch.json", "price-board.html", "zhinengti.xml"]) {
      const before = await call("GET", `${url}/sources/${file}`);
      await fault(url, { on: "source.read", fault: "wrong-body", params: { file } });
      const changed = await call("GET", `${url}/sources/${file}`);
      expect(changed.text.replace(" [amended]", "")).toBe(before.text);
      expect(changed.text).not.toBe(before.text);
      if (file.endsWith(".json")) expect(changed.body.items.at(-1).title).toContain("[amended]");
    }
  });
});
