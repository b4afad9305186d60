import { BriefingWalk } from "../support/briefing-walk";
import { World } from "../support/world";
import { worldViews } from "../support/world-views";
import { median, percentile, round } from "./stats";
import { editionOf } from "./story";

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
      today: await timedReads(() => views.today()),
      run: await timedReads((turn) => views.run({ taskId: ended(turn) })),
      contentReview: await timedReads(() => views.contentReview({ taskId: atContent.taskId })),
      sendReview: await timedReads(() => views.sendReview({ taskId: atSend.taskId })),
    };
  } finally {
    world.close();
  }
}

async function timedReads(read: (turn: number) => unknown) {
  const times: number[] = [];
  for (let turn = 0; turn < READS; turn += 1) {
    const start = performance.now();
    await read(turn);
    times.push(performance.now() - start);
  }
  // The first one prepares the statements.
  const [firstMs = 0, ...rest] = times;
  return { p50Ms: round(median(rest), 2), p95Ms: round(percentile(rest, 0.95), 2), firstMs: round(firstMs, 2) };
}
