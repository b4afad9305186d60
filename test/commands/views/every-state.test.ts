import { describe, expect, test } from "vitest";
import { dryContentApproval, drySendApproval } from "../../../main/commands/views/dry-approvals";
import { isTerminal } from "../../../main/domain/definition";
import { ContentReview, Run, SendReview, Today } from "../../../preload/contract";
import { BriefingWalk, type Stage } from "../../support/briefing-walk";
import { EDITOR, World } from "../../support/world";
import { type WorldViews, worldViews } from "../../support/world-views";

const MINUTE = 60_000;

/** Every state of the briefing, each by a way of its own. */
const WAYS: Readonly<Record<string, (world: World) => BriefingWalk>> = {
  ...Object.fromEntries(
    (
      [
        "created",
        "collecting",
        "drafting",
        "checking",
        "awaiting_content_approval",
        "content_approved",
        "publishing",
        "published",
        "awaiting_send_approval",
        "sending",
        "send_pending",
        "succeeded",
      ] satisfies Stage[]
    ).map((stage) => [stage, (world: World) => new BriefingWalk(world).to(stage)]),
  ),
  retry_wait: (world) => {
    const walk = new BriefingWalk(world).to("collecting");
    walk.readSources({ alpha: { state: "waiting", errorCode: "timeout", nextAt: world.now + MINUTE } });
    walk.executor({ type: "transition", taskId: walk.taskId, event: "RetryScheduled", retryAt: world.now + MINUTE });
    return walk;
  },
  blocked: (world) => {
    const walk = new BriefingWalk(world).to("awaiting_send_approval");
    walk.person({ type: "transition", taskId: walk.taskId, event: "PageChanged", reason: "it was edited" });
    return walk;
  },
  awaiting_observation: (world) => {
    const walk = new BriefingWalk(world).to("send_pending");
    world.now += 31 * MINUTE;
    walk.executor({ type: "transition", taskId: walk.taskId, event: "ObservationTimedOut" });
    return walk;
  },
  compensating: (world) => {
    const walk = new BriefingWalk(world).to("published");
    walk.startCompensation("wrong price");
    return walk;
  },
  closed: (world) => {
    const walk = new BriefingWalk(world).to("awaiting_send_approval");
    walk.person({ type: "transition", taskId: walk.taskId, event: "ClosedProtectively", reason: "holiday" });
    return walk;
  },
};

async function askAll(views: WorldViews, taskId: string) {
  return {
    today: Today.parse(views.today()),
    content: ContentReview.nullable().parse(await views.contentReview({ taskId })),
    send: SendReview.nullable().parse(views.sendReview({ taskId })),
    run: Run.nullable().parse(await views.run({ taskId })),
  };
}

describe.each(Object.keys(WAYS))("in %s", (state) => {
  const arrive = () => {
    const world = new World();
    const walk = WAYS[state]?.(world);
    if (!walk) throw new Error("no way there");
    expect(walk.state).toBe(state);
    return { world, walk };
  };

  test("every screen has an answer that the page will understand", async () => {
    const { world, walk } = arrive();
    const events = world.database.sqlite.prepare("SELECT count(*) FROM event").pluck();
    const before = events.get();
    const { today, content, send, run } = await askAll(worldViews(world), walk.taskId);
    expect(run?.state).toBe(state);
    expect(today.live).toHaveLength(isTerminal(state) ? 0 : 1);
    expect(today.ended).toHaveLength(isTerminal(state) ? 1 : 0);
    expect(content === null).toBe(walk.view().task.context["packageHash"] === undefined);
    expect(send === null).toBe(walk.view().task.context["emailHash"] === undefined);
    // Asking what the domain would say is not saying it.
    expect(events.get()).toBe(before);
  });

  test("a gate's button is open exactly where the approval would be applied", async () => {
    const { world, walk } = arrive();
    const views = worldViews(world);
    const { content, send, run } = await askAll(views, walk.taskId);
    const version = walk.view().task.stateVersion;
    for (const [screen, event, dry] of [
      [content, "ContentApproved", dryContentApproval],
      [send, "SendApproved", drySendApproval],
    ] as const) {
      const made = dry(views.ports, walk.view());
      const answer = "unmet" in made ? null : world.execute(made.command, EDITOR, { expectedVersion: version });
      const isApplied = answer?.result === "applied";
      expect(screen?.canApprove ?? false).toBe(isApplied);
      if (isApplied) expect(run?.ways.find((way) => way.event === event)?.open).toBe(true);
      if (screen !== null && !isApplied) expect(screen.unmet).not.toEqual([]);
    }
  });
});
