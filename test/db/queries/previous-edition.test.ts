import { describe, expect, test } from "vitest";
import { countEvents, previousEdition } from "../../../db/queries/previous-edition";
import { BriefingWalk } from "../../support/briefing-walk";
import { watchPlans } from "../../support/query-plans";
import { World } from "../../support/world";

const asked = (edition: string) => ({ pipeline: "weekly-briefing", language: "zh-CN", edition });

describe("the edition before", () => {
  test("is the newest earlier one that was published, with what it read, said and was mailed to", () => {
    const world = new World();
    new BriefingWalk(world, { edition: "2026-W27" }).to("succeeded");
    const published = new BriefingWalk(world, { edition: "2026-W28" }).to("succeeded");
    new BriefingWalk(world, { edition: "2026-W29" }).to("content_approved");
    const found = previousEdition(world.openReader(), asked("2026-W30"));
    const { task } = published.view();
    expect(found).toMatchObject({
      taskId: task.id,
      edition: "2026-W28",
      packageHash: task.context["packageHash"],
      audienceArtifactHash: task.context["audienceArtifactHash"],
    });
    const snapshots = published.view().artifacts("source-snapshot");
    expect(Object.keys(found?.sources ?? {})).toEqual(["alpha", "beta", "gamma"]);
    expect(Object.values(found?.sources ?? {}).sort()).toEqual(snapshots.map((row) => row.hash).sort());
  });

  test("has no source that failed, and no audience before its send review", () => {
    const world = new World();
    const walk = new BriefingWalk(world, { edition: "2026-W29" }).to("collecting");
    walk.freezeSources({ gamma: { state: "failed", errorCode: "timeout", nextAt: null } });
    walk.to("published");
    const found = previousEdition(world.openReader(), asked("2026-W30"));
    expect(found?.edition).toBe("2026-W29");
    expect(Object.keys(found?.sources ?? {})).toEqual(["alpha", "beta"]);
    expect(found?.audienceArtifactHash).toBeNull();
  });

  test("is not one that is being taken back, and for a new version not the same edition", () => {
    const world = new World();
    new BriefingWalk(world, { edition: "2026-W28" }).to("succeeded");
    const walk = new BriefingWalk(world, { edition: "2026-W29" }).to("published");
    const reader = world.openReader();
    expect(previousEdition(reader, asked("2026-W30"))?.edition).toBe("2026-W29");
    walk.startCompensation("wrong price");
    expect(previousEdition(reader, asked("2026-W30"))?.edition).toBe("2026-W28");
    expect(previousEdition(reader, asked("2026-W29"))?.edition).toBe("2026-W28");
    expect(previousEdition(reader, asked("2026-W28"))).toBeNull();
  });

  test("is of the same pipeline and language", () => {
    const world = new World();
    new BriefingWalk(world, { edition: "2026-W29" }).to("published");
    const reader = world.openReader();
    expect(previousEdition(reader, { ...asked("2026-W30"), language: "en" })).toBeNull();
    expect(previousEdition(reader, { ...asked("2026-W30"), pipeline: "weekly" })).toBeNull();
  });

  test("is found on the key's index, however many editions there are", () => {
    const world = new World();
    const reader = world.openReader();
    const watch = watchPlans(reader);
    previousEdition(reader, asked("2026-W30"));
    expect(watch.scans()).toEqual([]);
    expect(watch.plans()[0]?.steps.join("\n")).toMatch(/SEARCH t USING INDEX .*task_key>\? AND task_key<\?/);
    expect(watch.plans()[0]?.steps.join("\n")).not.toContain("TEMP B-TREE");
  });
});

test("events are counted by type", () => {
  const world = new World();
  new BriefingWalk(world, { edition: "2026-W29" }).to("awaiting_content_approval");
  new BriefingWalk(world).to("published");
  const reader = world.openReader();
  expect(countEvents(reader, "CheckPassed")).toBe(2);
  expect(countEvents(reader, "Published")).toBe(1);
  expect(countEvents(reader, "Compensated")).toBe(0);
});
