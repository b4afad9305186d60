import { describe, expect, test } from "vitest";
import { playScenario } from "../../main/headless/scenarios-play";
import type { PlayableScenario, ScenarioFault } from "../../main/sandbox/scenarios/stage";
import { toTheEnd } from "../../main/sandbox/scenarios/ways";
import { SAMPLES } from "./frozen";

const texts = { "zh-CN": "分两步发布", en: "Published in two phases" };

const inTwoPhases = (faults: readonly ScenarioFault[]): PlayableScenario => ({
  id: "T",
  group: 4,
  title: texts,
  given: texts,
  fault: texts,
  faults,
  replaced: { twoPhase: true },
  play: toTheEnd,
});

/** The option of domain 6: a draft nobody sees, a look at it, then published by its id. */
describe("publishing in two phases", () => {
  test("a draft, a look by its key, then published by its id", async () => {
    const { outcome } = await playScenario(inTwoPhases([]), SAMPLES);
    expect(outcome.events.slice(outcome.events.indexOf("PublishStarted"), outcome.events.indexOf("Published"))).toEqual(
      [
        "PublishStarted",
        "CompensationRegistered",
        "OperationPrepared publish.create",
        "OperationPrepared publish.publish",
        "RequestSent publish.create",
        "RemoteConfirmed publish.create",
        "ReconcileStarted publish.create",
        "RemoteConfirmed publish.create",
        "RequestSent publish.publish",
        "RemoteConfirmed publish.publish",
        "ProbeAttempted publish.create",
        "PageVerified publish.create",
      ],
    );
    expect(outcome).toMatchObject({ state: "succeeded", violations: [], remote: { posts: ["18427 published"] } });
    expect(outcome.remote.calls).toMatchObject({ "cms.create": 1, "cms.status": 1, "cms.query": 1 });
  });

  test("made twice: seen before anybody else sees it, nothing is published", async () => {
    const { outcome } = await playScenario(inTwoPhases([{ on: "cms.create", fault: "duplicate" }]), SAMPLES);
    expect(outcome).toMatchObject({ state: "blocked", blockedReason: "duplicate_remote", violations: [] });
    expect(outcome.remote.posts).toEqual(["18427 draft", "18428 draft"]);
    expect(outcome.remote.calls["cms.status"]).toBeUndefined();
    expect(outcome.incidents).toEqual(["duplicate_remote open"]);
  });

  test("the answer to publishing is lost: asked for by its id, and not published again", async () => {
    const { outcome } = await playScenario(inTwoPhases([{ on: "cms.status", fault: "hang-after-commit" }]), SAMPLES);
    expect(outcome).toMatchObject({ state: "succeeded", remote: { posts: ["18427 published"], mails: 63 } });
    expect(outcome.operations[1]).toMatchObject({
      operation: "publish.publish",
      attempts: ["unknown timeout"],
      looks: ["confirmed 1"],
    });
    expect(outcome.remote.calls["cms.status"]).toBe(1);
  });
});
