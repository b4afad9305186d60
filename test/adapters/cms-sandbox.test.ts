import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import {
  buildCmsCreate,
  buildCmsStatus,
  buildCmsUpdate,
  cmsSandboxManifest,
  SandboxCms,
  slugOfSlot,
} from "../../main/adapters/cms/sandbox";
import { classify } from "../../main/domain/errors";
import { call, fault, later, records, sandbox } from "../sandbox/world";
import { context, outgoing, TASK } from "./sandbox-world";

const INTENT = "publish:weekly-briefing:2026-W30:zh-CN:v1:aa";
const CREATE = `${INTENT}:create`;
const SLOT = "publish:weekly-briefing:2026-W30:zh-CN";
const SLUG = "weekly-briefing-2026-w30-zh-cn";
const fields = {
  operationKey: CREATE,
  intentKey: INTENT,
  slug: SLUG,
  title: "第 30 期",
  language: "zh-CN",
  html: "<!doctype html><title>第 30 期</title>",
  contentHash: "a".repeat(64),
  intentHash: "b".repeat(64),
  taskId: TASK,
  status: "published",
} as const;
const createBytes = buildCmsCreate(fields);
const cms = new SandboxCms({ token: "sandbox" });

const create = (target: string, limitMs?: number) =>
  cms.send(outgoing(target, "create", createBytes), context(limitMs === undefined ? {} : { limitMs }));
const look = (target: string, at: number, more: Partial<Parameters<typeof cms.look>[0]> = {}) =>
  cms.look(
    { operationKey: CREATE, createKey: CREATE, slot: SLOT, phase: "create", remoteId: null, target, ...more },
    context({ at }),
  );

describe("sending to the sandbox's CMS", () => {
  it("is confirmed only by the object that was asked for", async () => {
    const { url } = await sandbox();
    const answer = await create(`${url}/`);
    expect(answer).toMatchObject({ kind: "confirmed", remoteId: "18427", url: `${url}/site/${SLUG}`, httpStatus: 201 });
    expect(answer.kind === "confirmed" && answer.observed).toEqual({
      remoteId: "18427",
      externalKey: CREATE,
      intentHash: "b".repeat(64),
      contentHash: "a".repeat(64),
      taskId: "task-1",
      url: `${url}/site/${SLUG}`,
      state: "published",
      revision: 1,
      appliedKeys: [],
    });
  });

  it("takes a slug with -2 for what it is: not the object that was asked for", async () => {
    const { url } = await sandbox();
    await create(url);
    expect(await create(url)).toMatchObject({
      kind: "unknown",
      error: { code: "answer_differs", phase: "after_send" },
    });
  });

  /** Fault, what the adapter says, with which code, how many objects there are afterwards. */
  it.each<[string, Record<string, unknown>, string, string, number]>([
    ["drop-before-commit", {}, "unknown", "reset", 0],
    ["drop-after-commit", {}, "unknown", "reset", 1],
    ["cut-short", {}, "unknown", "reset", 1],
    ["hang-before-commit", {}, "unknown", "timeout", 0],
    ["hang-after-commit", {}, "unknown", "timeout", 1],
    ["unparsable", {}, "unknown", "unparsable", 1],
    ["status-after-commit", {}, "unknown", "http_500", 1],
    ["status-after-commit", { status: 504 }, "unknown", "http_504", 1],
    ["status-after-commit", { status: 418 }, "unknown", "http_418", 1],
    ["conflict-same", {}, "unknown", "http_409", 1],
    // Another task's article has the address: a no, and no second request beside it (scenario S18).
    ["conflict-other", {}, "rejected", "taken_by_another", 1],
    ["auth", {}, "rejected", "http_401", 0],
    ["status", { status: 400 }, "rejected", "http_400", 0],
    ["status", { status: 422 }, "rejected", "http_422", 0],
    ["status", { status: 429, retryAfterSeconds: 30 }, "rejected", "http_429_unprocessed", 0],
    ["status", { status: 503 }, "rejected", "http_503_unprocessed", 0],
    // A word that is missing is a word that was not given.
    ["status", { status: 429, body: "slow down" }, "unknown", "http_429", 0],
    ["status", { status: 503, body: "<h1>Maintenance</h1>" }, "unknown", "http_503", 0],
    ["status", { status: 302, body: "" }, "unknown", "http_302", 0],
  ])("%s %j: %s (%s)", async (name, params, kind, code, objects) => {
    const { url } = await sandbox();
    await fault(url, { on: "cms.create", fault: name, params });
    const answer = await create(url, name.startsWith("hang") ? 150 : undefined);
    expect(answer).toMatchObject({ kind, error: { code, phase: "after_send" } });
    if (params.retryAfterSeconds === 30) expect(answer).toMatchObject({ error: { retryAfterMs: 30_000 } });
    const { cms: remote } = await records(url);
    expect(remote.objects).toHaveLength(objects);
    expect(remote.createCalls).toBe(1);
  });

  it("knows that nothing left when nobody listens", async () => {
    const { url, close } = await sandbox();
    await close();
    expect(await create(url)).toMatchObject({ kind: "not_sent", error: { phase: "before_send", code: "refused" } });
  });

  it("sends the frozen bytes, not others that mean the same", async () => {
    const { url } = await sandbox();
    const { createHash } = await import("node:crypto");
    await create(url);
    const [object] = (await records(url)).cms.objects;
    expect(object.requestHash).toBe(createHash("sha256").update(createBytes).digest("hex"));
  });

  it("publishes a draft, updates it, points it back, takes it down", async () => {
    const { url } = await sandbox({ config: { visibilityDelayMs: 0 } });
    await cms.send(outgoing(url, "create", buildCmsCreate({ ...fields, status: "draft" })), context());
    const at = (remoteId: string | null) => ({ remoteId });
    const publish = buildCmsStatus({ operationKey: `${INTENT}:publish`, status: "published", expectedRevision: 1 });
    expect(await cms.send(outgoing(url, "publish", publish, at("18427")), context())).toMatchObject({
      kind: "confirmed",
      observed: { state: "published", appliedKeys: [`${INTENT}:publish`] },
    });
    const change = { ...fields, html: "<p>v2</p>", contentHash: "c".repeat(64) };
    const update = buildCmsUpdate({ ...change, operationKey: "u1", expectedRevision: 1 });
    expect(await cms.send(outgoing(url, "update", update, at("18427")), context())).toMatchObject({
      kind: "confirmed",
      observed: { revision: 2, contentHash: "c".repeat(64) },
    });
    const back = buildCmsUpdate({ ...fields, operationKey: "undo-1", expectedRevision: 2 });
    expect(await cms.send(outgoing(url, "undo", back, at("18427")), context())).toMatchObject({
      kind: "confirmed",
      observed: { revision: 3 },
    });
    expect((await call("GET", `${url}/site/${SLUG}`)).text).toBe(fields.html);
    const down = buildCmsStatus({ operationKey: "undo-2", status: "trash", expectedRevision: null });
    expect(await cms.send(outgoing(url, "undo", down, at("18427")), context())).toMatchObject({
      kind: "confirmed",
      observed: { state: "trash" },
    });
    expect((await call("GET", `${url}/site/${SLUG}`)).status).toBe(404);
    expect(await cms.send(outgoing(url, "publish", publish, at("4")), context())).toMatchObject({
      kind: "rejected",
      error: { code: "http_404" },
    });
    const nowhere = await cms.send(outgoing(url, "publish", publish), context());
    expect(nowhere).toMatchObject({ kind: "not_sent", error: { code: "unsupported_phase" } });
  });

  it("refuses to overwrite another revision, and tells it from its own earlier try", async () => {
    const { url } = await sandbox();
    await create(url);
    const update = buildCmsUpdate({ ...fields, operationKey: "mine", expectedRevision: 1 });
    await fault(url, { on: "cms.update", fault: "drop-after-commit" });
    const send = () => cms.send(outgoing(url, "update", update, { remoteId: "18427" }), context());
    expect(await send()).toMatchObject({ kind: "unknown", error: { code: "reset" } });
    expect(await send()).toMatchObject({ kind: "unknown", error: { code: "already_done", httpStatus: 412 } });
    const theirs = buildCmsUpdate({ ...fields, operationKey: "theirs", expectedRevision: 1 });
    const refused = await cms.send(outgoing(url, "update", theirs, { remoteId: "18427" }), context());
    expect(refused).toMatchObject({ kind: "rejected", error: { code: "http_412" } });
    expect(refused.kind === "rejected" && classify(cmsSandboxManifest.errors, refused.error)).toBe("business_conflict");
  });

  it("believes no answer that is about something else", async () => {
    const good = { id: 7, key: CREATE, slug: SLUG, url: "http://a.example/", status: "published", revision: 1 };
    const hashes = { contentHash: "a".repeat(64), intentHash: "b".repeat(64), taskId: "task-1" };
    const answers: [unknown, string][] = [
      [{ ...good, ...hashes }, "confirmed"],
      [{ ...good, ...hashes, id: "seven" }, "confirmed"],
      [{ ...good, ...hashes, key: "other" }, "answer_differs"],
      [{ ...good, ...hashes, slug: `${SLUG}-2` }, "answer_differs"],
      [{ ...good, ...hashes, contentHash: "f".repeat(64) }, "answer_differs"],
      [{ ...good, ...hashes, status: "draft" }, "answer_differs"],
      [good, "answer_differs"],
      [{ ...good, ...hashes, id: null }, "unparsable"],
      [{ ...good, ...hashes, url: "javascript:alert(1)" }, "unparsable"],
      [[], "unparsable"],
      ["{", "unparsable"],
    ];
    let next: unknown = null;
    const server = createServer((_request, response) => {
      response.writeHead(201).end(typeof next === "string" ? next : JSON.stringify(next));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
    later(() => void server.close());
    const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const [body, expected] of answers) {
      next = body;
      const answer = await create(target);
      expect(answer.kind === "confirmed" ? "confirmed" : answer.error.code, JSON.stringify(body)).toBe(expected);
      if (expected !== "confirmed") expect(answer.kind).toBe("unknown");
    }
  });
});

describe("asking the sandbox's CMS", () => {
  it("finds a lost create once it is visible, with every hash", async () => {
    const { url } = await sandbox();
    await fault(url, { on: "cms.create", fault: "drop-after-commit" });
    await create(url);
    expect(await look(url, 1000)).toMatchObject({ kind: "seen", able: true, objects: [] });
    const seen = await look(url, 3000);
    expect(seen).toMatchObject({
      kind: "seen",
      able: true,
      objects: [
        {
          remoteId: "18427",
          externalKey: CREATE,
          contentHash: "a".repeat(64),
          intentHash: "b".repeat(64),
          taskId: "task-1",
        },
      ],
    });
    expect(seen.query).toBe(`GET /cms/posts?key=${encodeURIComponent(CREATE)}&slug=${SLUG}`);
  });

  it("sees two objects of one key, and who else holds the place", async () => {
    const twice = await sandbox();
    await fault(twice.url, { on: "cms.create", fault: "duplicate" });
    await create(twice.url);
    expect(await look(twice.url, 3000)).toMatchObject({ objects: [{ remoteId: "18427" }, { remoteId: "18428" }] });
    const taken = await sandbox();
    await fault(taken.url, { on: "cms.create", fault: "conflict-other" });
    await create(taken.url);
    expect(await look(taken.url, 3000)).toMatchObject({ objects: [{ taskId: "another-task" }] });
  });

  it("tells by the applied keys whether a later phase has arrived", async () => {
    const { url } = await sandbox();
    await create(url);
    await fault(url, { on: "cms.status", fault: "drop-after-commit" });
    const bytes = buildCmsStatus({ operationKey: "undo-1", status: "draft", expectedRevision: null });
    expect(await cms.send(outgoing(url, "undo", bytes, { remoteId: "18427" }), context())).toMatchObject({
      kind: "unknown",
    });
    const seen = await look(url, 3000, { operationKey: "undo-1", phase: "undo", remoteId: "18427" });
    expect(seen).toMatchObject({
      able: true,
      objects: [{ state: "draft", appliedKeys: ["undo-1"] }],
      query: "GET /cms/posts/18427",
    });
    expect(await look(url, 3000, { remoteId: "99" })).toMatchObject({ kind: "seen", able: true, objects: [] });
  });

  it.each<[string, Record<string, unknown>, string, string]>([
    ["status", { status: 500 }, "http_500", "transient"],
    ["status", { status: 429, retryAfterSeconds: 3 }, "http_429", "transient"],
    ["status", { status: 404, body: "no such route" }, "http_404", "unclassified"],
    ["auth", {}, "http_401", "auth"],
    ["unparsable", {}, "unparsable", "transient"],
    ["drop-before-commit", {}, "reset", "transient"],
    ["hang-before-commit", {}, "timeout", "transient"],
  ])("a query that fails (%s %j) proves nothing: %s", async (name, params, code, cls) => {
    const { url } = await sandbox();
    await create(url);
    for (const remoteId of [null, "18427"]) {
      await fault(url, { on: "cms.query", fault: name, params });
      const query = {
        operationKey: CREATE,
        createKey: CREATE,
        slot: SLOT,
        phase: "create",
        remoteId,
        target: url,
      } as const;
      const answer = await cms.look(query, context({ at: 9000, limitMs: 150 }));
      expect(answer).toMatchObject({ kind: "failed", error: { phase: "query", code } });
      expect(answer.kind === "failed" && classify(cmsSandboxManifest.errors, answer.error)).toBe(cls);
    }
  });

  it("is not able to see without the right token, and says so", async () => {
    const { url } = await sandbox();
    await create(url);
    const stranger = new SandboxCms({ token: "wrong" });
    const query = {
      operationKey: CREATE,
      createKey: CREATE,
      slot: SLOT,
      phase: "create",
      remoteId: null,
      target: url,
    } as const;
    expect(await stranger.look(query, context())).toMatchObject({ kind: "failed", error: { code: "http_401" } });
    expect(await stranger.send(outgoing(url, "create", createBytes), context())).toMatchObject({ kind: "rejected" });
  });

  it("does not take a list for whole unless the remote says so", async () => {
    const server = createServer((_request, response) => response.end('{"objects":[]}'));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
    later(() => void server.close());
    const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await look(target, 0)).toMatchObject({ kind: "seen", able: false, objects: [] });
  });
});

describe("the CMS adapter's frozen bytes and manifest", () => {
  it("are canonical, so that the same intent always is the same bytes", () => {
    const text = new TextDecoder().decode(createBytes);
    expect(text.startsWith('{"contentHash":"aaaa')).toBe(true);
    expect(Object.keys(JSON.parse(text))).toEqual([...Object.keys(JSON.parse(text))].sort());
    const shuffled = Object.fromEntries(Object.entries(fields).reverse()) as unknown as typeof fields;
    expect(buildCmsCreate(shuffled)).toEqual(createBytes);
    expect(
      new TextDecoder().decode(buildCmsStatus({ operationKey: "k", status: "trash", expectedRevision: null })),
    ).toBe('{"expectedRevision":null,"key":"k","status":"trash"}');
  });

  it("give a slot its place on the site", () => {
    expect(slugOfSlot(SLOT)).toBe(SLUG);
    expect(slugOfSlot("publish:每周简报:2026-W30:zh-CN")).toBe("每周简报-2026-w30-zh-cn");
  });

  it("answer the five questions", () => {
    expect(cmsSandboxManifest).toMatchObject({
      key: { unique: false },
      query: { reliable: true, visibilityDelayMs: 2000, horizonMs: 60_000, keyRetentionMs: null, lookBudget: 8 },
      approvalBinds: ["contentHash"],
      compensation: { grade: "B" },
      callTimeoutMs: 30_000,
    });
  });

  it("names every code once per phase, and calls nothing after sending a definite no by accident", () => {
    const { rules } = cmsSandboxManifest.errors;
    const names = rules.map((rule) => `${rule.phase} ${rule.code}`);
    expect(new Set(names).size).toBe(names.length);
    const no = rules
      .filter((rule) => rule.phase === "after_send" && rule.class !== "unknown_outcome")
      .map((rule) => rule.code);
    expect(no.filter((code) => /^http_5|^http_409|^http_429$|timeout|reset/.test(code))).toEqual([
      "http_503_unprocessed",
    ]);
  });
});
