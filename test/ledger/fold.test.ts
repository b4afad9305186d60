import { describe, expect, test } from "vitest";
import { sha256 } from "../../main/domain/hashing";
import type { RemoteRecords } from "../../main/domain/invariants";
import { computeLedger } from "../../main/domain/ledger";
import { AT, CONTENT, type Edition, Story, tellEdition, tellPublish, tellStart, tellVerified } from "../domain/story";

const MINUTE_MS = 60_000;
const NOTHING_OUT: RemoteRecords = { objects: [], mailings: [] };

const count = (story: Story, remote: RemoteRecords = NOTHING_OUT) => computeLedger(story.snapshot(), remote);

/** An edition that has read one source: first the errors, then, where it is told so, its bytes. */
function tellRead(
  { story, taskId }: Edition,
  errors: readonly (readonly [cls: string, code: string])[],
  frozen: boolean,
) {
  const sourceId = `s${story.data.events.length}`;
  for (const [cls, code] of errors)
    story.event(taskId, "SourceReadFailed", { payload: { sourceId, error: { class: cls, code } } });
  if (frozen) story.event(taskId, "SourceFrozen", { payload: { sourceId } });
}

test("editions that nothing happened to are clean, and a later version is no edition", () => {
  const story = new Story();
  tellEdition({}, story);
  tellEdition({ taskKey: "weekly:w31:zh" }, story);
  tellEdition({ taskKey: "weekly:w32:zh", taskVersion: 2 }, story);
  expect(count(story)).toMatchObject({ editions: 2, succeeded: 2, clean: 2, recovered: 0, blocked: 0, compensated: 0 });
});

describe("reads", () => {
  test("a source counts once, by its first error, and as recovered only when it was frozen", () => {
    const story = new Story();
    const edition = tellStart({}, story);
    tellRead(edition, [], true);
    tellRead(edition, [["transient", "dns"]], true);
    tellRead(
      edition,
      [
        ["transient", "timeout"],
        ["transient", "http_429"],
      ],
      true,
    );
    tellRead(
      edition,
      [
        ["transient", "http_429"],
        ["transient", "http_429"],
      ],
      false,
    );
    tellRead(edition, [["permanent_input", "http_404"]], false);
    expect(count(story)).toMatchObject({
      ...{ plannedReads: 5, transient: 3, dns: 1, timeouts: 1, rateLimits: 1, recoveredReads: 2 },
    });
  });

  test("what is read again after a block is neither planned nor recovered", () => {
    const story = new Story();
    const edition = tellStart({}, story);
    tellRead(edition, [["transient", "timeout"]], false);
    story.event(edition.taskId, "CollectBlocked", { toState: "blocked", payload: { blockedReason: "source_missing" } });
    tellRead(edition, [], true);
    expect(count(story)).toMatchObject({
      plannedReads: 1,
      transient: 1,
      recoveredReads: 0,
      blocked: 1,
      factFailures: 0,
    });
  });
});

test("an edition that was blocked and succeeded all the same is recovered, not clean and not blocked", () => {
  const story = new Story();
  const { taskId } = tellEdition({}, story);
  // Told as if it had happened on the way: the ledger asks whether, not when.
  story.event(taskId, "CheckBlocked", { toState: "blocked", payload: { blockedReason: "fact_evidence" } });
  story.event(taskId, "DraftRepairStarted", {});
  story.event(taskId, "DeliveryAccounted", { toState: "succeeded" });
  expect(count(story)).toMatchObject({
    ...{ succeeded: 1, clean: 0, recovered: 1, blocked: 0, factFailures: 1, structuralRepairs: 1 },
  });
});

test("a lost answer counts once however often it was asked for, and its time runs to the answer", () => {
  const story = new Story();
  const edition = tellStart({}, story);
  story.approve(edition.taskId, "publish");
  const publish = tellPublish(edition);
  story.send(publish);
  const lostAt = story.now + MINUTE_MS;
  const about = { operationId: publish.id };
  story.event(edition.taskId, "OutcomeUnknown", { ...about, at: lostAt });
  story.event(edition.taskId, "OutcomeUnknown", { ...about, at: lostAt + 4 * MINUTE_MS });
  expect(count(story)).toMatchObject({ unknownPublish: 1, unknownSend: 0, humanMinutes: { reconcileMax: 0 } });
  story.event(edition.taskId, "RemoteConfirmed", { ...about, at: lostAt + 11 * MINUTE_MS + 20_000 });
  expect(count(story)).toMatchObject({ unknownPublish: 1, humanMinutes: { reconcileMax: 11 } });
});

test("people's minutes are medians of what each decision was waited for", () => {
  const story = new Story();
  const tellDecision = (taskKey: string, decision: string, gate: string, minutes: number) => {
    const taskId = story.createTask({ taskKey });
    const since = story.now + MINUTE_MS;
    story.event(taskId, "CheckPassed", { fromState: "checking", toState: gate, at: since });
    // Something that leaves the state as it is, in between, is no new beginning.
    story.event(taskId, "AudienceChanged", { fromState: gate, toState: gate, at: since + 1_000 });
    story.event(taskId, decision, { fromState: gate, toState: "next", at: since + minutes * MINUTE_MS });
  };
  for (const [index, minutes] of [3, 40, 8].entries())
    tellDecision(`c${index}`, "ContentApproved", "awaiting_content_approval", minutes);
  for (const [index, minutes] of [2, 5].entries())
    tellDecision(`s${index}`, "SendApproved", "awaiting_send_approval", minutes);
  expect(count(story).humanMinutes).toMatchObject({ contentMedian: 8, sendMedian: 4 });
});

describe("asked of the remotes", () => {
  const published = () => {
    const edition = tellStart();
    const { id: approvalId } = edition.story.approve(edition.taskId, "publish");
    const publish = tellPublish(edition);
    edition.story.send(publish);
    edition.story.data.attempts = edition.story.data.attempts.map((attempt) => ({ ...attempt, approvalId }));
    edition.story.outcome(publish, "RemoteConfirmed", "confirmed");
    tellVerified(edition);
    const page = { system: "cms" as const, remoteId: "18427", key: publish.operationKey, place: "w30", isUp: true };
    return { ...edition, page: { ...page, contentHash: CONTENT as string } };
  };
  const mail = { key: null, place: "send:w30", recipientId: "r1" };

  test("one page under its approval is neither a duplicate nor unapproved", () => {
    const { story, page } = published();
    const remote = { objects: [page], mailings: [mail, { ...mail, recipientId: "r2" }] };
    expect(count(story, remote)).toMatchObject({ duplicates: 0, unapprovedPublishes: 0 });
  });

  test("a second page with the key is a duplicate at whatever address, and when it was taken down as well", () => {
    const { story, page } = published();
    const second = { ...page, remoteId: "18428", place: "w30-2", isUp: false };
    expect(count(story, { objects: [page, second], mailings: [mail, mail, mail] })).toMatchObject({ duplicates: 3 });
  });

  test("a page that shows other content, or that nobody of ours made, is unapproved", () => {
    const { story, page } = published();
    const other = { ...page, contentHash: sha256("other") as string };
    expect(count(story, { objects: [other], mailings: [] })).toMatchObject({ unapprovedPublishes: 1 });
    const stranger = { ...page, key: "publish:unknown" };
    expect(count(story, { objects: [stranger], mailings: [] })).toMatchObject({ unapprovedPublishes: 1 });
  });

  test("an approval that was revoked or had run out before the request left counts for nothing", () => {
    for (const change of [{ revokedAt: AT }, { endedAt: AT }, { expiresAt: AT }]) {
      const { story, page } = published();
      story.data.approvals = story.data.approvals.map((row) => ({ ...row, ...change }));
      expect(count(story, { objects: [page], mailings: [] })).toMatchObject({ unapprovedPublishes: 1 });
    }
  });
});
