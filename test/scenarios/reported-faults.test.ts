import { describe, expect, test } from "vitest";
import type { ScenarioOutcome } from "../../main/headless/scenarios-outcome";
import { playScenario } from "../../main/headless/scenarios-play";
import { HOUR_MS, type PlayableScenario } from "../../main/sandbox/scenarios/stage";
import { toTheEnd, toTheReview } from "../../main/sandbox/scenarios/ways";
import { SAMPLES } from "./frozen";

/**
 * Faults that happened to somebody doing this job, retold as small inputs, where no frozen scenario is about exactly that. The
 * others of the thirty: C1 C4 C7 C8 scheduler, D4 approval, D9 S10, E2 S35, E5 S40, F1 S24, G2 compensator, H12 parser, I6 links,
 * J7 open, K5 S27, L2 the reading of a bundle, M3 S34, B9 audience list.
 */
const texts = { "zh-CN": "真实发生过的故障", en: "Happened to somebody" };
const play = async (scenario: Partial<PlayableScenario>): Promise<ScenarioOutcome> => {
  const whole = { id: "R", group: 0, title: texts, given: texts, fault: texts, play: toTheEnd, ...scenario };
  return (await playScenario(whole, SAMPLES)).outcome;
};
const publishing = (outcome: ScenarioOutcome) => outcome.operations.find((row) => row.operation === "publish.create");

describe("reported faults", () => {
  test.concurrent("A1 the website makes the post and drops the line, three times: one create, found by its key", async () => {
    const outcome = await play({
      faults: [
        { on: "cms.create", fault: "drop-after-commit", times: 3 },
        { on: "cms.query", fault: "drop-before-commit", times: 2 },
      ],
    });
    expect(outcome).toMatchObject({ state: "succeeded", remote: { posts: ["18427 published"], mails: 63 } });
    expect(outcome.remote.calls["cms.create"]).toBe(1);
    expect(publishing(outcome)).toMatchObject({
      attempts: ["unknown reset"],
      looks: ["failed 0 reset", "failed 0 reset", "confirmed 1"],
    });
  });

  test.concurrent("A4 a 200 with a notice before its JSON is unknown and not failed", async () => {
    const outcome = await play({ faults: [{ on: "cms.create", fault: "unparsable" }] });
    expect(outcome).toMatchObject({ state: "succeeded", remote: { posts: ["18427 published"] } });
    expect(publishing(outcome)).toMatchObject({ attempts: ["unknown unparsable"], looks: ["confirmed 1"] });
  });

  test.concurrent("A5 a 504 after the commit: asked before anything is sent again", async () => {
    const faults = [{ on: "cms.create", fault: "status-after-commit", params: { status: 504 } }] as const;
    const outcome = await play({ faults });
    expect(outcome).toMatchObject({ state: "succeeded", remote: { posts: ["18427 published"] } });
    expect(outcome.remote.calls).toMatchObject({ "cms.create": 1, "cms.query": 1 });
  });

  test.concurrent("a request that comes true after its absence was proven, and another was sent: seen at one more look, and frozen", async () => {
    const outcome = await play({
      faults: [{ on: "cms.create", fault: "commit-later", params: { ms: 75_000 } }],
      play: async (stage) => {
        await stage.workTo("awaiting_send_approval");
        await stage.wait(HOUR_MS / 20);
        await stage.work();
        stage.operator.approveSend();
      },
    });
    expect(outcome.remote).toMatchObject({ posts: ["18427 published", "18428 published"], mails: 0 });
    expect(publishing(outcome)?.looks.slice(-2)).toEqual(["not_found 0", "duplicate 2"]);
    expect(outcome.incidents).toEqual(["duplicate_remote open"]);
    expect(outcome.answers.at(-1)).toContain("writes_frozen");
  });

  test.concurrent("A7 the place stays taken while its request is without an answer, whatever the editor changes", async () => {
    const outcome = await play({
      faults: [{ on: "cms.create", fault: "hang-after-commit" }],
      play: async (stage) => {
        await stage.workTo("content_approved");
        await stage.workUntilWithheld();
        stage.operator.editContent({ title: (title) => `${title}.` });
        await stage.workTo("succeeded");
      },
    });
    expect(outcome.answers[1]).toBe("edit_content: illegal_transition: state_is");
    expect(outcome).toMatchObject({ state: "succeeded", remote: { posts: ["18427 published"] } });
    expect(outcome.remote.calls["cms.create"]).toBe(1);
  });

  test.concurrent("B3 one recipient is refused for good: the others are mailed once, and customer care gets the one", async () => {
    const outcome = await play({ config: { bounces: 1 } });
    expect(outcome).toMatchObject({ state: "succeeded", recipients: { delivered: 62, bounced: 1 } });
    expect(outcome.remote).toMatchObject({ mails: 63, calls: { "mail.create": 1, "mail.trigger": 1 } });
    expect(outcome.recoveryItems).toEqual(["customer_care to_triage"]);
  });

  test.concurrent("B6 killed in the middle of the mailing: finished only when everybody is accounted for", async () => {
    const outcome = await play({
      config: { bounces: 1 },
      play: async (stage) => {
        await stage.workTo("sending");
        await stage.workUntilKilled("after-call:send.trigger");
        await stage.workTo("succeeded");
      },
    });
    expect(outcome).toMatchObject({ state: "succeeded", recipients: { delivered: 62, bounced: 1 } });
    expect(outcome.remote).toMatchObject({ mails: 63, campaigns: ["930 sent"] });
    expect(outcome.remote.calls).toMatchObject({ "mail.create": 1, "mail.trigger": 1 });
  });

  test.concurrent("B7 a copy of before the mailing is restored after it: asked about first, and nobody is mailed twice", async () => {
    const outcome = await play({
      play: async (stage) => {
        await stage.workTo("awaiting_send_approval");
        stage.backUp();
        await stage.workTo("succeeded");
        stage.restore();
        stage.operator.approveSend();
        await stage.work();
        stage.operator.approveSend();
        await stage.work();
      },
    });
    expect(outcome.answers.slice(-2)).toEqual([
      "approve_send: guard_failed: epoch_not_reconciled",
      "approve_send: applied",
    ]);
    const since = outcome.events.indexOf("EpochRaised by system");
    expect(outcome.events.slice(since)).toEqual([
      "EpochRaised by system",
      "LeaseClaimed by C",
      "ReconcileStarted publish.create by C",
      "RemoteConfirmed publish.create by C",
      "LeaseReleased by C",
      "EpochReconciled by system",
      "SendApproved",
      "CompensationRegistered",
      "OperationPrepared send.create",
      "CompensationRegistered",
      "OperationPrepared send.trigger",
      "LeaseClaimed by C",
      "ReconcileStarted send.create by C",
      "RemoteConflict send.create by C",
      "SendBlocked remote_conflict by C",
      "OperationCancelled send.create by C",
      "OperationCancelled send.trigger by C",
    ]);
    expect(outcome.remote).toMatchObject({ campaigns: ["930 sent"], mails: 63 });
  });

  test.concurrent("B7 a copy of before the edition was begun: what is begun anew is looked for first", async () => {
    const outcome = await play({
      startsItself: true,
      play: async (stage) => {
        stage.backUp();
        stage.start();
        await stage.workTo("awaiting_send_approval");
        stage.restore();
        // Begun after the copy was put back, not only at it: what the copy has forgotten may be outside all the same.
        await stage.sleep(600_000);
        stage.start();
        await stage.workTo("awaiting_send_approval");
      },
    });
    expect(outcome).toMatchObject({ state: "blocked", blockedReason: "remote_conflict" });
    expect(outcome.remote.posts).toEqual(["18427 published"]);
    expect(outcome.remote.calls["cms.create"]).toBe(1);
  });

  test.concurrent("B8 the mails are taken and the word of it is lost: unknown, looked up, and never started again", async () => {
    const outcome = await play({ faults: [{ on: "mail.trigger", fault: "drop-after-commit" }] });
    expect(outcome).toMatchObject({ state: "succeeded", remote: { campaigns: ["930 sent"], mails: 63 } });
    const trigger = outcome.operations.find((row) => row.operation === "send.trigger");
    expect(trigger).toMatchObject({ attempts: ["unknown reset"], looks: ["confirmed 1"] });
    expect(outcome.remote.calls["mail.trigger"]).toBe(1);
  });

  test.concurrent("B15 the query times out as well: still unknown, and nothing is sent", async () => {
    const outcome = await play({
      faults: [
        { on: "mail.create", fault: "hang-after-commit" },
        { on: "mail.query", fault: "hang-before-commit", times: 2 },
      ],
    });
    expect(outcome).toMatchObject({ state: "succeeded", remote: { campaigns: ["930 sent"], mails: 63 } });
    expect(outcome.operations[1]?.looks).toEqual(["failed 0 timeout", "failed 0 timeout", "confirmed 1"]);
    expect(outcome.remote.calls["mail.create"]).toBe(1);
  });

  test.concurrent("D2 nine facts approved, then eight: the approval was about nine", async () => {
    const outcome = await play({
      play: async (stage) => {
        await stage.work();
        stage.operator.approveContent();
        stage.operator.editContent({ withoutFact: "F9" });
        await stage.work();
      },
    });
    expect(outcome.state).toBe("awaiting_content_approval");
    expect(outcome.shown["end"]).toContain("to tick: shortfall");
    expect(outcome.remote.posts).toEqual([]);
  });

  test.concurrent("D15 revoked, edited and edited back: the same bytes need a new approval", async () => {
    const outcome = await play({
      play: async (stage) => {
        await stage.work();
        stage.operator.approveContent();
        stage.operator.revoke("publish", "wait");
        stage.operator.unblock("checking", "changed and changed back");
        await stage.work();
        stage.operator.editContent({ title: (title) => `${title}.` });
        await stage.work();
        stage.operator.editContent({ title: (title) => title.slice(0, -1) });
        await stage.work();
      },
    });
    expect(outcome.state).toBe("awaiting_content_approval");
    expect(outcome.remote.calls["cms.create"]).toBeUndefined();
  });

  test.concurrent("F4 three calls and a crash after the second: one is left", async () => {
    const outcome = await play({
      faults: [
        {
          on: "source.read",
          fault: "hang-before-commit",
          times: 4,
          params: { file: "orbit-changelog.xml" },
        },
      ],
      play: async (stage) => {
        await stage.workUntilWithheld();
        // The first read ends on the way; the process dies at its second retry.
        await stage.workUntilKilled("after-commit:RetryDue");
        await toTheReview(stage);
      },
    });
    expect(outcome).toMatchObject({ state: "blocked", blockedReason: "source_missing" });
    expect(outcome.events.filter((event) => event.startsWith("SourceReadFailed"))).toHaveLength(3);
  });

  test.concurrent("N1 nobody asks for the page before it is published, and a cache's 404 is waited out", async () => {
    const outcome = await play({ config: { staleProbes: 3 } });
    const firstProbe = outcome.events.findIndex((event) => event.startsWith("ProbeAttempted"));
    expect(firstProbe).toBeGreaterThan(outcome.events.indexOf("RemoteConfirmed publish.create"));
    expect(outcome.state).toBe("succeeded");
  });

  test.concurrent("a source that changed can be read anew: another package, another approval", async () => {
    const outcome = await play({
      play: async (stage) => {
        await stage.work();
        const seen = stage.operator.see();
        const from = { file: "orbit-changelog.xml", from: "15 minutes", to: "16 minutes" };
        await stage.addFault({ on: "source.read", fault: "wrong-body", times: 2, params: from });
        await stage.wait(HOUR_MS / 5);
        stage.operator.recollect("the window is longer");
        await stage.work();
        stage.operator.approveContent(seen);
      },
    });
    expect(outcome.answers).toEqual(["recollect: applied", "approve_content: stale_version: state_version_is"]);
    expect(outcome.events).toContain("RecollectChosen");
    expect(outcome.state).toBe("awaiting_content_approval");
  });
});
