import { describe, expect, test } from "vitest";
import type { FrozenPackage } from "../../../main/commands/views/frozen";
import type { ContentPackage } from "../../../main/pipeline/briefing/records";
import { ContentReview, Snapshot } from "../../../preload/contract";
import { BriefingWalk } from "../../support/briefing-walk";
import { SAMPLE_SOURCES } from "../../support/sample-sources";
import { World } from "../../support/world";
import { worldViews } from "../../support/world-views";

type Choice = "last_approved" | "last_published" | "nothing";

async function review(world: World, taskId: string, compareWith?: Choice) {
  const asked = compareWith === undefined ? { taskId } : { taskId, compareWith };
  return ContentReview.parse(await worldViews(world).contentReview(asked));
}
const codes = (found: { unmet: { code: string }[] }) => found.unmet.map((one) => one.code);
const text = (parts: { kind: string; text: string }[], kind: string) =>
  parts.flatMap((part) => (part.kind === kind ? [part.text] : [])).join("|");

test("the screens' names for a package are the pipeline's", () => {
  const read = (pack: ContentPackage): FrozenPackage => pack;
  expect(read).toBeTypeOf("function");
});

describe("the content review", () => {
  test("is none before a package is frozen, and none of an unknown task", async () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("checking");
    const views = worldViews(world);
    expect(await views.contentReview({ taskId: walk.taskId })).toBeNull();
    expect(await views.contentReview({ taskId: "t-unknown" })).toBeNull();
  });

  test("shows the frozen package beside its sources", async () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("awaiting_content_approval");
    const { context } = walk.view().task;
    const found = await review(world, walk.taskId);
    const pack = walk.package();
    expect(found).toMatchObject({
      edition: "2026-W30",
      state: "awaiting_content_approval",
      current: true,
      packageHash: context["packageHash"],
      contentHash: context["contentHash"],
      hashRuleVersion: 2,
      checkReceipt: context["checkReceiptId"],
      title: "智能体周报 2026-W30",
      language: "zh-CN",
      previewUrl: `app://preview/${pack.pageHash}`,
      emailPreviewUrl: `app://preview/${pack.emailPreviewHash}`,
      approval: null,
      canApprove: true,
      unmet: [],
    });
    expect(found.facts).toHaveLength(9);
    expect(found.facts[0]).toMatchObject({
      id: "F1",
      sourceId: "alpha",
      sourceTitle: "Alpha changelog",
      quoteFound: true,
    });
    expect(found.sources.map((source) => source.state)).toEqual(["frozen", "frozen", "frozen"]);
    expect(found.sources[1]).toMatchObject({
      id: "beta",
      title: "Beta 公告",
      required: true,
      attempts: 1,
      newItems: 3,
    });
    expect(found.links).toHaveLength(pack.document.links.length);
  });

  test("says what an approval would call, and until when", async () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("awaiting_content_approval");
    const { willCall } = await review(world, walk.taskId);
    expect(willCall).toEqual({
      site: "site.example",
      url: "https://site.example/site/weekly-briefing-2026-w30-zh-cn",
      operationKey: walk.package().operationKey,
      undo: "take_page_down",
      undoGrade: "B",
      expiresAt: world.now + 86_400_000,
    });
  });

  test("of a new version calls an update of the page that is there, with another undo", async () => {
    const world = new World();
    const first = new BriefingWalk(world).to("published");
    first.person({ type: "transition", taskId: first.taskId, event: "ClosedProtectively", reason: "wrong title" });
    const second = new BriefingWalk(world, { taskVersion: 2, supersedes: first.taskId }).to("checking");
    second.check();
    const { willCall } = await review(world, second.taskId);
    expect(willCall.operationKey).toMatch(/:v2:[0-9a-f]{64}:update$/);
    expect(willCall.undo).toBe("point_page_back");
  });

  test("names each warning with what it is about and the id to be ticked", async () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("collecting");
    walk.freezeSources({ gamma: { state: "failed", errorCode: "timeout", nextAt: null } });
    walk.draft();
    const links = {
      1: { verdict: "redirect" as const, httpStatus: 301, finalUrl: "https://elsewhere.example/" },
      2: { verdict: "bot_blocked" as const, httpStatus: 403 },
    };
    walk.check({ links, warnings: ["link_redirect:1", "link_bot_blocked:2", "source_failed:gamma", "shortfall:3"] });
    const found = await review(world, walk.taskId);
    const { links: urls } = walk.package().document;
    expect(found.warnings).toEqual([
      {
        code: "link_redirect",
        values: { id: "link_redirect:1", url: urls[1], finalUrl: "https://elsewhere.example/" },
      },
      { code: "link_bot_blocked", values: { id: "link_bot_blocked:2", url: urls[2] } },
      { code: "source_failed", values: { id: "source_failed:gamma", source: "Gamma notes" } },
      { code: "shortfall", values: { id: "shortfall:3", n: 3 } },
    ]);
    expect(found.canApprove).toBe(true);
    expect(found.sources[2]).toMatchObject({ state: "failed", errorCode: "timeout", snapshotHash: null, attempts: 3 });
    walk.approveContent();
    expect(walk.state).toBe("content_approved");
  });

  test("cannot be approved while a newer package is on its way", async () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("awaiting_content_approval");
    walk.edit("另一个标题");
    const found = await review(world, walk.taskId);
    expect(found).toMatchObject({ state: "checking", current: false, canApprove: false, title: "智能体周报 2026-W30" });
    expect(codes(found)).toEqual(["state_is"]);
    walk.check();
    expect(await review(world, walk.taskId)).toMatchObject({ current: true, canApprove: true, title: "另一个标题" });
  });

  test("stays readable when the offer ran out, and asks for a new check", async () => {
    const world = new World();
    const walk = new BriefingWalk(world, { deadlineAt: world.now + 3 * 86_400_000 }).to("awaiting_content_approval");
    world.now += 86_400_000;
    walk.system({ type: "transition", taskId: walk.taskId, event: "ApprovalExpired" });
    expect(await review(world, walk.taskId)).toMatchObject({ state: "blocked", current: true, canApprove: false });
  });

  test("shows that a quote is not where its fact says, and that a source's bytes are gone", async () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("awaiting_content_approval");
    const views = worldViews(world);
    const moved = worldViews(world, {
      extract: (input) => {
        const found = views.ports.extract(input) as Extract<
          ReturnType<typeof views.ports.extract>,
          { kind: "extracted" }
        >;
        return { ...found, source: { ...found.source, text: found.source.text.replace("1 yuan", "2 yuan") } };
      },
    });
    const facts = ContentReview.parse(await moved.contentReview({ taskId: walk.taskId })).facts;
    expect(facts.map((fact) => fact.quoteFound)).toEqual([false, true, true, false, true, true, false, true, true]);
    const [alpha] = walk.package().sources;
    const gone = worldViews(world, {
      blobs: {
        get: (hash) => world.blobs.get(hash),
        has: (hash) => hash !== alpha?.snapshotHash && world.blobs.has(hash),
      },
    });
    const without = ContentReview.parse(await gone.contentReview({ taskId: walk.taskId })).facts;
    expect(without.map((fact) => fact.quoteFound)).toEqual([false, false, false, ...Array(6).fill(true)]);
    expect(without[0]?.sourceTitle).toBe("Alpha changelog");
    expect(await gone.snapshot({ taskId: walk.taskId, hash: alpha?.snapshotHash ?? "" })).toBeNull();
  });

  test("derives each source's text once, however often it is looked at", async () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("awaiting_content_approval");
    let calls = 0;
    const plain = worldViews(world);
    const views = worldViews(world, {
      extract: async (input) => {
        calls += 1;
        return plain.ports.extract(input);
      },
    });
    await views.contentReview({ taskId: walk.taskId });
    await views.contentReview({ taskId: walk.taskId });
    await views.snapshot({ taskId: walk.taskId, hash: walk.package().sources[0]?.snapshotHash ?? "" });
    expect(calls).toBe(SAMPLE_SOURCES.length);
  });
});

describe("the approval on the content review", () => {
  test("is living, then outdated by an edit, revoked by a person, or expired by its time", async () => {
    const world = new World();
    const walk = new BriefingWalk(world, { deadlineAt: world.now + 3 * 86_400_000 }).to("content_approved");
    const given = await review(world, walk.taskId);
    expect(given.approval).toMatchObject({
      state: "living",
      scope: "publish",
      approver: "editor:lin",
      timeSource: "world",
    });
    expect(given.willCall.expiresAt).toBe(given.approval?.expiresAt);
    expect(codes(given)).toEqual(["state_is"]);
    walk.edit("另一个标题");
    expect((await review(world, walk.taskId)).approval?.state).toBe("outdated");
    walk.check();
    walk.approveContent();
    const { approvalId } = { approvalId: String(walk.view().task.context["publishApprovalId"]) };
    walk.person({ type: "revoke_approval", taskId: walk.taskId, approvalId, reason: "second thoughts" });
    expect((await review(world, walk.taskId)).approval?.state).toBe("revoked");
  });

  test("is expired at its moment, swept or not", async () => {
    const world = new World();
    const walk = new BriefingWalk(world, { deadlineAt: world.now + 3 * 86_400_000 }).to("content_approved");
    const until = (await review(world, walk.taskId)).approval?.expiresAt ?? 0;
    world.now = until - 1;
    expect((await review(world, walk.taskId)).approval?.state).toBe("living");
    world.now = until;
    expect((await review(world, walk.taskId)).approval?.state).toBe("expired");
    walk.system({ type: "transition", taskId: walk.taskId, event: "ApprovalExpired" });
    expect((await review(world, walk.taskId)).approval?.state).toBe("expired");
  });
});

describe("what it is compared with", () => {
  test("without any earlier package everything is new", async () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("awaiting_content_approval");
    for (const choice of ["last_approved", "last_published", "nothing"] as const) {
      const found = await review(world, walk.taskId, choice);
      expect(found.comparedWith).toEqual({ choice, hash: null, edition: null });
      expect(found.diff.map((part) => part.kind)).toEqual(["added"]);
    }
    expect((await review(world, walk.taskId)).comparedWith.choice).toBe("last_approved");
  });

  test("is the package of this edition that was approved before the edit", async () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("content_approved");
    const approved = walk.view().task.context["packageHash"];
    walk.edit("价格周报 2026-W30");
    walk.check();
    const found = await review(world, walk.taskId);
    expect(found.comparedWith).toEqual({ choice: "last_approved", hash: approved, edition: "2026-W30" });
    expect(text(found.diff, "removed")).toBe("智能体");
    expect(text(found.diff, "added")).toBe("价格");
  });

  test("is the last edition's, approved or published, as asked", async () => {
    const world = new World();
    const w28 = new BriefingWalk(world, { edition: "2026-W28" }).to("succeeded");
    const w29 = new BriefingWalk(world, { edition: "2026-W29" }).to("content_approved");
    const walk = new BriefingWalk(world).to("awaiting_content_approval");
    const hashOf = (of: BriefingWalk) => of.view().task.context["packageHash"];
    expect((await review(world, walk.taskId, "last_approved")).comparedWith).toEqual({
      choice: "last_approved",
      hash: hashOf(w29),
      edition: "2026-W29",
    });
    const published = await review(world, walk.taskId, "last_published");
    expect(published.comparedWith).toEqual({ choice: "last_published", hash: hashOf(w28), edition: "2026-W28" });
    expect(text(published.diff, "removed")).toContain("28");
    expect(text(published.diff, "added")).toContain("30");
    expect(text(published.diff, "same")).toContain("changes the price to 1 yuan");
  });

  test("of a new version is the version that readers see; never a later edition, never itself", async () => {
    const world = new World();
    const first = new BriefingWalk(world).to("published");
    expect((await review(world, first.taskId)).comparedWith.hash).toBeNull();
    const shown = first.view().task.context["packageHash"];
    first.person({ type: "transition", taskId: first.taskId, event: "ClosedProtectively", reason: "wrong title" });
    new BriefingWalk(world, { edition: "2026-W31" }).to("published");
    const second = new BriefingWalk(world, { taskVersion: 2, supersedes: first.taskId }).to("checking");
    second.check({ links: { 0: { finalUrl: "https://elsewhere.example/" } } });
    for (const choice of ["last_approved", "last_published"] as const)
      expect((await review(world, second.taskId, choice)).comparedWith).toEqual({
        choice,
        hash: shown,
        edition: "2026-W30",
      });
  });
});

describe("a frozen source", () => {
  test("is laid out from its bytes, with where it came from", async () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("awaiting_content_approval");
    const views = worldViews(world);
    const [fact] = walk.package().document.facts;
    const found = Snapshot.parse(await views.snapshot({ taskId: walk.taskId, hash: fact?.snapshotHash ?? "" }));
    expect(found.text.slice(fact?.start, fact?.end)).toBe(fact?.quote);
    expect(found).toMatchObject({ sourceTitle: "Alpha changelog", licence: "CC BY 4.0", encoding: "utf-8" });
    expect(found.bytes).toBe(world.blobs.get(fact?.snapshotHash as never).length);
  });

  test("is refused for any other frozen bytes, and for another task's", async () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("awaiting_content_approval");
    const other = new BriefingWalk(world, { edition: "2026-W31" });
    const views = worldViews(world);
    const { pageHash, draftHash, sources } = walk.package();
    for (const hash of [pageHash, draftHash, "0".repeat(64)])
      expect(await views.snapshot({ taskId: walk.taskId, hash })).toBeNull();
    expect(await views.snapshot({ taskId: other.taskId, hash: sources[0]?.snapshotHash ?? "" })).toBeNull();
  });
});
