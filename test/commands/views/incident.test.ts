import { expect, test } from "vitest";
import type { Desk } from "../../../main/commands/desk";
import { closeObservedIncident } from "../../../main/compose/close-observed-incident";
import { Run, Today } from "../../../preload/contract";
import { Incident } from "../../../preload/contract/incident";
import { UndoWorld } from "../../engine/compensator-world";
import { call } from "../../sandbox/world";
import { EDITOR } from "../../support/world";
import { worldViews } from "../../support/world-views";

const deskOf = (world: UndoWorld): Desk => ({
  actor: EDITOR,
  journal: world.world.journal,
  clock: world.clock,
  trusted: { read: () => world.world.trusted() },
  pipeline: null as never,
});

test("S48 an incident waits on Today with its objects on the run, and is closed only with everything that was looked up and vouched for", async () => {
  const world = await UndoWorld.open();
  await world.fault({ on: "cms.create", fault: "duplicate", params: { status: 504 } });
  const walk = world.begin();
  walk.to("content_approved");
  await world.drive(world.executor(), "blocked");
  const views = worldViews(world.world);
  const incidents = () => Today.parse(views.today()).waiting.filter((item) => item.kind === "incident");
  expect(incidents()).toMatchObject([{ taskId: walk.taskId, edition: "2026-W30", rule: "duplicate_remote" }]);
  const run = Run.parse(await views.run({ taskId: walk.taskId }));
  const [incident] = run.incidents;
  if (incident === undefined) throw new Error("the run shows no incident");
  expect(incident).toMatchObject({ rule: "duplicate_remote", nextTaskKey: "weekly-briefing:2026-W31:zh-CN" });
  const [stays, goes] = incident.objects.map((object) => object.remoteId);
  expect(incident.objects).toHaveLength(2);

  const { journal } = world.world;
  const desk = deskOf(world);
  const close = (given: { canonicalId: string | null; released: string; reason: string }) =>
    closeObservedIncident({ journal, ports: walk.ports }, desk, {
      taskId: walk.taskId,
      expectedVersion: run.stateVersion,
      incidentId: incident.id,
      canonicalId: given.canonicalId,
      ...{ schedulerReleased: given.released, drafterReleased: given.released, reason: given.reason },
      nextTaskKey: incident.nextTaskKey,
    });
  const missing = async (given: Parameters<typeof close>[0]) => {
    const answer = await close(given);
    return "unmet" in answer ? answer.unmet.map(({ code, values }) => values["what"] ?? code) : answer.result;
  };
  const blank = { canonicalId: null, released: "", reason: "" };
  world.world.now += 10_000;
  expect(await missing(blank)).toEqual([
    ...["reason_missing", "canonical_page", "duplicate_not_public", "scheduler_released", "drafter_released"],
  ]);
  const given = { canonicalId: stays ?? "", released: "by the owner at 09:40", reason: "a gateway repeated it" };
  // The other page is still public: no word of anybody's replaces the look.
  expect(await missing(given)).toEqual(["duplicate_not_public"]);
  expect(incidents()).toHaveLength(1);
  await call("POST", `${world.remote.url}/cms/posts/${goes}/status`, { key: "by hand", status: "draft" });
  world.world.now += 60_000;
  expect(await missing(given)).toBe("applied");
  expect(incidents()).toEqual([]);
  expect(Run.parse(await views.run({ taskId: walk.taskId })).incidents).toEqual([]);
});

test("two campaigns in one place are an incident with an end: the one that stays is the approved mail, the other is held back", async () => {
  const world = await UndoWorld.open();
  await world.fault({ on: "mail.create", fault: "duplicate", params: { status: 504 } });
  const walk = await world.published();
  walk.approveSend();
  await world.drive(world.executor(), "blocked");
  const { journal } = world.world;
  const [incident] = walk.view().freezes();
  expect(incident).toMatchObject({ rule: "duplicate_remote", scopeValue: expect.stringMatching(/^send:/) });
  const views = worldViews(world.world);
  const shown = Incident.parse(views.incident({ incidentId: incident?.id ?? "" }));
  expect(shown).toMatchObject({ isMailing: true, objects: [{ url: null }, { url: null }] });
  expect(shown.evidence.map(({ id }) => id)).toContain("duplicate_not_mailed");
  const [stays = "", goes = ""] = shown.objects.map(({ remoteId }) => remoteId);
  const desk = deskOf(world);
  const close = async (canonicalId: string, mailedTwice?: string) => {
    world.world.now += 60_000;
    const answer = await closeObservedIncident({ journal, ports: walk.ports }, desk, {
      ...{ taskId: walk.taskId, expectedVersion: walk.view().task.stateVersion, incidentId: incident?.id ?? "" },
      ...{ canonicalId, schedulerReleased: "lin 09:40", drafterReleased: "lin 09:40", reason: "repeated by a gateway" },
      nextTaskKey: shown.nextTaskKey ?? "",
      ...(mailedTwice === undefined ? {} : { mailedTwice }),
    });
    return "unmet" in answer ? answer.unmet.map(({ code, values }) => values["what"] ?? code) : answer.result;
  };
  // Somebody had started the other one at the provider's own screen.
  await call("POST", `${world.remote.url}/mail/campaigns/${goes}/trigger`, { key: "by hand" });
  expect(await close("")).toEqual(["canonical_mailing", "duplicate_not_mailed"]);
  expect(await close(stays)).toEqual(["duplicate_not_mailed"]);
  expect(await close(stays, "R1 to R5 were told on Monday")).toBe("applied");
  expect(walk.view().freezes()).toEqual([]);
});
