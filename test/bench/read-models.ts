import { BriefingWalk } from "../support/briefing-walk";
import { World } from "../support/world";
import { worldViews } from "../support/world-views";
import { editionOf } from "./story";
import { timedReads } from "./timed-reads";

const EDITIONS = 200;
const READS = 60;
/** Of the ended editions, those whose screens are asked for in turn. */
const SHOWN = 20;

/** What each screen takes to read, in a journal of as many editions as four years bring. */
export async function benchReadModels() {
  const world = new World();
  try {
    const walks: BriefingWalk[] = [];
    for (let number = 0; number < EDITIONS; number += 1)
      walks.push(new BriefingWalk(world, { edition: editionOf(number) }).to("succeeded"));
    // One waits at each gate, as on an ordinary Monday.
    const atContent = new BriefingWalk(world, { edition: editionOf(EDITIONS) }).to("awaiting_content_approval");
    const atSend = new BriefingWalk(world, { edition: editionOf(EDITIONS + 1) }).to("awaiting_send_approval");
    const views = worldViews(world);
    const ended = (turn: number) => walks[Math.floor((turn % SHOWN) * (EDITIONS / SHOWN))]?.taskId ?? atSend.taskId;
    const events = world.database.sqlite.prepare("SELECT count(*) FROM event").pluck().get();
    return {
      editions: EDITIONS + 2,
      events: Number(events),
      today: await timedReads(READS, () => views.today()),
      run: await timedReads(READS, (turn) => views.run({ taskId: ended(turn) })),
      contentReview: await timedReads(READS, () => views.contentReview({ taskId: atContent.taskId })),
      sendReview: await timedReads(READS, () => views.sendReview({ taskId: atSend.taskId })),
      health: await timedReads(READS, () => views.health({ days: 90 })),
    };
  } finally {
    world.close();
  }
}
