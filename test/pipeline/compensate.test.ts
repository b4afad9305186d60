import { describe, expect, test } from "vitest";
import { sha256 } from "../../main/domain/hashing";
import type { Sha256 } from "../../main/domain/ids";
import type { CallContext, PageRead } from "../../main/domain/ports";
import type { OperationRow } from "../../main/domain/records";
import { standingOf } from "../../main/domain/standing";
import { thawText } from "../../main/pipeline/briefing/frozen";
import { publishIntents } from "../../main/pipeline/briefing/publish";
import { provePublicPage } from "../../main/pipeline/briefing/undo-page";
import { operationRow } from "../domain/fake-view";
import { BriefingWalk } from "../support/briefing-walk";
import { World } from "../support/world";

const A = sha256("A");
const B = sha256("B");
const at = (requestSentAt: number, more: Partial<OperationRow>): OperationRow =>
  operationRow({ state: "confirmed", requestSentAt, ...more });

describe("what the journal knows of a place on the site", () => {
  test("nothing, made, updated, taken down, put up again, pointed back", () => {
    const rows = [
      at(1, { phase: "create", contentHash: A }),
      at(2, { phase: "update", contentHash: B }),
      at(3, { kind: "compensate", phase: "undo", contentHash: A }),
      at(4, { kind: "compensate", phase: "undo", contentHash: null }),
      at(5, { phase: "update", contentHash: B }),
      at(6, { phase: "publish", contentHash: B }),
    ];
    const states = rows.map((_, index) => standingOf(rows.slice(0, index + 1).reverse()));
    expect(standingOf([])).toBeNull();
    expect(states.map((state) => [state?.contentHash === A ? "A" : "B", state?.isUp])).toEqual([
      ["A", true],
      ["B", true],
      ["A", true],
      ["A", false],
      ["B", false],
      ["B", true],
    ]);
  });

  test("only what was confirmed counts", () => {
    expect(standingOf([at(1, { phase: "create", state: "unknown" })])).toBeNull();
    const lost = [at(1, { phase: "create", contentHash: A }), at(2, { phase: "update", state: "not_found" })];
    expect(standingOf(lost)?.contentHash).toBe(A);
  });
});

describe("the plan that is written down before the call", () => {
  test("a new page is taken down again, in three steps", () => {
    const walk = new BriefingWalk(new World()).to("content_approved");
    const [write] = publishIntents(walk.ports, walk.view());
    expect(write).toMatchObject({
      phase: "create",
      compensation: {
        action: "take_page_down",
        grade: "B",
        args: { targetState: "draft" },
        steps: [{ name: "take_page_down" }, { name: "origin_asked" }, { name: "public_page_proved" }],
      },
    });
  });

  test("an update is pointed back to what was approved before; what nobody here approved is a person's", () => {
    const world = new World();
    const first = new BriefingWalk(world).to("published");
    first.person({ type: "transition", taskId: first.taskId, event: "ClosedProtectively", reason: "a new version" });
    const second = new BriefingWalk(world, { taskVersion: 2, supersedes: first.taskId }).to(
      "awaiting_content_approval",
    );
    second.edit("another title");
    second.check();
    second.approveContent();
    const [known] = publishIntents(second.ports, second.view());
    expect(known?.compensation).toMatchObject({
      action: "point_page_back",
      grade: "B",
      args: {
        previousContentHash: first.view().task.context["contentHash"],
        previousPackageHash: first.view().task.context["packageHash"],
      },
    });
    const [unknown] = publishIntents({ ...second.ports, approvedPackage: () => null }, second.view());
    expect(unknown?.compensation).toMatchObject({
      action: "point_page_back",
      grade: "C",
      steps: [{ name: "point_page_back", kind: "person" }],
    });
  });
});

describe("what proves a page gone", () => {
  const read = (httpStatus: number): PageRead => ({
    kind: "read",
    httpStatus,
    finalUrl: "https://site.example/site/x",
    bytes: new TextEncoder().encode("<p>anything</p>"),
    mediaType: "text/html",
    ageSeconds: 3,
  });
  const failed: PageRead = {
    kind: "failed",
    error: { phase: "read", code: "redirect_elsewhere", httpStatus: 302, reference: null, retryAfterMs: null },
  };

  async function proved(page: PageRead) {
    const world = new World();
    const walk = new BriefingWalk(world).to("published");
    walk.startCompensation();
    const [entry] = walk.view().compensations();
    if (!entry) throw new Error("no entry");
    const ports = {
      ...walk.ports,
      clock: {
        ...{ now: () => world.now, monotonic: () => world.now, sleep: async () => undefined },
        timeout: () => ({ signal: new AbortController().signal, cancel: () => undefined }),
      },
      probe: { read: async (_url: string, _context: CallContext) => page },
    };
    return { proof: await provePublicPage(ports, walk.view(), entry), walk };
  }

  test("404 and 410, and nothing else: no error page, no redirect, no other page in its place", async () => {
    for (const status of [404, 410]) expect((await proved(read(status))).proof.kind).toBe("proved");
    for (const [page, code] of [
      [read(200), "page_still_there"],
      [read(500), "http_500"],
      [read(403), "http_403"],
      [failed, "redirect_elsewhere"],
    ] as const)
      expect((await proved(page)).proof).toMatchObject({ kind: "not_yet", code });
  });

  test("what was read is kept as evidence, and the next look has its time", async () => {
    const { proof, walk } = await proved(read(200));
    const [hash] = proof.evidenceRefs;
    expect(thawText(walk.world.blobs, hash as Sha256)).toBe("<p>anything</p>");
    expect(proof).toMatchObject({ artifacts: [{ kind: "page-capture", hash }], calls: 1 });
    expect(proof.kind === "not_yet" ? proof.nextAt - walk.world.now : 0).toBe(20_000);
    expect((await proved(failed)).proof.evidenceRefs).toEqual([]);
  });
});
