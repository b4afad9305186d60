import { describe, expect, test } from "vitest";
import { audienceChanges, countGroups } from "../../../main/commands/views/audience-changes";
import { confirmationOf } from "../../../main/commands/views/dry-approvals";
import type { FrozenAudience } from "../../../main/commands/views/frozen";
import { sha256 } from "../../../main/domain/hashing";
import { sendConfirmation } from "../../../main/pipeline/briefing/desk";
import { SendReview } from "../../../preload/contract";
import { BriefingWalk } from "../../support/briefing-walk";
import { EDITOR, member, World } from "../../support/world";
import { worldViews } from "../../support/world-views";

const review = (world: World, taskId: string) => SendReview.parse(worldViews(world).sendReview({ taskId }));
const codes = (found: { unmet: { code: string }[] }) => found.unmet.map((one) => one.code);

describe("the send review", () => {
  test("is none before it was opened, and none of an unknown task", () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("published");
    const views = worldViews(world);
    expect(views.sendReview({ taskId: walk.taskId })).toBeNull();
    expect(views.sendReview({ taskId: "t-unknown" })).toBeNull();
  });

  test("shows page, text and audience, and what an approval would call", () => {
    const world = new World();
    world.members = [...world.members.slice(0, 4), member("R5", "trial")];
    const walk = new BriefingWalk(world).to("awaiting_send_approval");
    const { context } = walk.view().task;
    const found = review(world, walk.taskId);
    expect(found).toMatchObject({
      edition: "2026-W30",
      state: "awaiting_send_approval",
      pageUrl: walk.package().plannedUrl,
      bodyHash: context["bodyHash"],
      audienceHash: context["audienceHash"],
      subject: "周报 2026-W30",
      intro: "您好，本期要点如下。",
      confirmation: "2026-W30 5",
      approval: null,
      canApprove: true,
      unmet: [],
    });
    expect(found.bodyText).toContain(found.pageUrl);
    expect(found.audience).toMatchObject({
      count: 5,
      groups: [
        { group: "paying", count: 4 },
        { group: "trial", count: 1 },
      ],
      changes: [],
      suppressed: 0,
      comparedWith: null,
    });
    const intent = `send:weekly-briefing:2026-W30:zh-CN:v1:${found.pageUrl}:${found.bodyHash}:${found.audienceHash}`;
    expect(found.willCall).toEqual({
      provider: "mail-sandbox",
      operationKeys: [`${intent}:create`, `${intent}:trigger`],
      undo: "tell_customers",
      undoGrade: "C",
      expiresAt: world.now + 86_400_000,
    });
  });

  test("asks for exactly the words that the approval asks for", () => {
    expect(confirmationOf("2026-W30", 63)).toBe(sendConfirmation("2026-W30", 63));
  });

  test("previews the very HTML of the mail", () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("published");
    walk.openSendReview({ subject: "另一个主题", intro: "另一段话。" });
    const found = review(world, walk.taskId);
    const email = JSON.parse(Buffer.from(world.blobs.get(walk.view().task.context["emailHash"] as never)).toString());
    expect(found.subject).toBe("另一个主题");
    expect(found.previewUrl).toBe(`app://preview/${sha256(email.html)}`);
  });
});

describe("the proof of the page", () => {
  test("is derived from the captured bytes again", () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("publishing");
    const operation = walk.operation("publish");
    walk.markSent(operation);
    walk.answer(operation.id, "confirmed", { remoteId: "18427", url: walk.package().plannedUrl });
    walk.prove("<main data-imprimatur><h1>an older page</h1></main>");
    walk.prove();
    walk.executor({ type: "transition", taskId: walk.taskId, event: "Published" });
    walk.to("awaiting_send_approval");
    const { proof } = review(world, walk.taskId);
    const { context } = walk.view().task;
    const expected = walk.package().document.links.length;
    expect(proof).toMatchObject({
      captureHash: context["captureHash"],
      hashEqual: true,
      titleEqual: true,
      attempts: 2,
    });
    expect(proof.links).toEqual({ expected, missing: [] });
  });

  test("does not hold where the captured bytes are another page, or are gone", () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("publishing");
    const operation = walk.operation("publish");
    walk.markSent(operation);
    walk.answer(operation.id, "confirmed", { remoteId: "18427", url: walk.package().plannedUrl });
    const html = Buffer.from(world.blobs.get(walk.package().pageHash)).toString();
    walk.prove(html.replace("<body>", "<body><p>the site's own head</p>"), true);
    walk.executor({ type: "transition", taskId: walk.taskId, event: "Published" });
    walk.to("awaiting_send_approval");
    expect(review(world, walk.taskId).proof).toMatchObject({ hashEqual: true, titleEqual: true });
    const captureHash = walk.view().task.context["captureHash"];
    const [link] = walk.package().document.links;
    const changed = worldViews(world, {
      blobs: {
        has: (hash) => world.blobs.has(hash),
        get: (hash) => {
          const bytes = world.blobs.get(hash);
          const html = () => Buffer.from(bytes).toString().replaceAll(`href="${link}"`, 'href="https://evil.example/"');
          return hash === captureHash ? Buffer.from(html()) : bytes;
        },
      },
    });
    const { proof } = SendReview.parse(changed.sendReview({ taskId: walk.taskId }));
    expect(proof).toMatchObject({ hashEqual: false, titleEqual: true });
    expect(proof.links.missing).toEqual([link]);
    const gone = worldViews(world, {
      blobs: { get: (hash) => world.blobs.get(hash), has: (hash) => hash !== captureHash && world.blobs.has(hash) },
    });
    const lost = SendReview.parse(gone.sendReview({ taskId: walk.taskId })).proof;
    expect(lost).toMatchObject({ hashEqual: false, titleEqual: false });
    expect(lost.links.missing).toHaveLength(lost.links.expected);
  });

  test("is compared once for the same bytes", () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("awaiting_send_approval");
    let calls = 0;
    const plain = worldViews(world);
    const views = worldViews(world, {
      comparePage: (input) => {
        calls += 1;
        return plain.ports.comparePage(input);
      },
    });
    for (let time = 0; time < 3; time += 1) views.sendReview({ taskId: walk.taskId });
    expect(calls).toBe(1);
  });
});

describe("the audience", () => {
  test("is shown against the last edition's, with every change and its reason", () => {
    const world = new World();
    new BriefingWalk(world, { edition: "2026-W29" }).to("succeeded");
    world.members = [...world.members.slice(1, 4), member("R5", "paying", "new address"), member("R9", "trial")];
    world.must({ type: "suppress_recipient", recipientId: "R4", reason: "unsubscribed" }, EDITOR);
    const walk = new BriefingWalk(world).to("awaiting_send_approval");
    const found = review(world, walk.taskId);
    expect(found.confirmation).toBe("2026-W30 4");
    expect(found.audience).toMatchObject({ count: 4, suppressed: 1, suppressionVersion: 1, comparedWith: "2026-W29" });
    expect(found.audience.changes).toEqual([
      { recipientId: "R5", group: "paying", change: "added", reason: "address_changed" },
      { recipientId: "R9", group: "trial", change: "added", reason: "new" },
      { recipientId: "R1", group: "paying", change: "removed", reason: "not_on_list" },
      { recipientId: "R4", group: "paying", change: "suppressed", reason: "unsubscribed" },
    ]);
    expect(found.canApprove).toBe(true);
  });

  test("that changed after the review was opened closes the button until it is shown", () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("awaiting_send_approval");
    world.must({ type: "suppress_recipient", recipientId: "R2", reason: "unsubscribed" }, EDITOR);
    const stale = review(world, walk.taskId);
    expect(stale.canApprove).toBe(false);
    expect(codes(stale)).toContain("audience_hash_differs");
    walk.refreshAudience();
    const fresh = review(world, walk.taskId);
    expect(fresh).toMatchObject({ canApprove: true, confirmation: "2026-W30 4" });
    expect(fresh.audience.changes).toMatchObject([{ recipientId: "R2", change: "suppressed" }]);
  });

  const audience = (recipients: FrozenAudience["recipients"], excluded: FrozenAudience["excluded"] = []) => ({
    format: "imprimatur-audience/1" as const,
    suppressionVersion: 1,
    recipients,
    excluded,
  });
  const of = (id: string, digest = id) => ({ id, digest, group: "paying" });

  test("of the first edition has no additions, since everybody would be one", () => {
    const excluded = [{ id: "R2", group: "paying", reason: "complained" }];
    expect(audienceChanges(null, audience([of("R1")], excluded))).toEqual([
      { recipientId: "R2", group: "paying", change: "suppressed", reason: "complained" },
    ]);
  });

  test("tells who comes back from the suppression list from who is new", () => {
    const before = audience([of("R1")], [{ id: "R2", group: "paying", reason: "bounced" }]);
    expect(audienceChanges(before, audience([of("R1"), of("R2"), of("R3")]))).toMatchObject([
      { recipientId: "R2", change: "added", reason: "no_longer_suppressed" },
      { recipientId: "R3", change: "added", reason: "new" },
    ]);
  });

  test("has its groups by size, then by name", () => {
    const rows = ["b", "a", "c", "c"].map((group, index) => ({ id: `R${index}`, digest: "d", group }));
    expect(countGroups(audience(rows)).map((row) => row.group)).toEqual(["c", "a", "b"]);
  });
});

describe("whether it can be approved", () => {
  test("is what the domain would say: not after it was, not past the deadline, not while the journal is frozen", () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("awaiting_send_approval");
    const { deadlineAt } = walk.view().task;
    const early = world.now;
    world.now = deadlineAt;
    expect(codes(review(world, walk.taskId))).toEqual(["deadline_passed"]);
    world.now = early;
    walk.approveSend();
    const sent = review(world, walk.taskId);
    expect(sent).toMatchObject({ state: "sending", canApprove: false, approval: { state: "living", scope: "send" } });
    expect(sent.willCall.expiresAt).toBe(sent.approval?.expiresAt);
    expect(codes(sent)).toEqual(["state_is"]);
  });

  test("a journal that may be a copy lets nobody approve", () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("awaiting_send_approval");
    world.must({ type: "raise_epoch", reason: "restored from a backup" }, "system");
    expect(codes(review(world, walk.taskId))).toEqual(["epoch_not_reconciled"]);
  });
});
