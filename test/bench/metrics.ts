import { BriefingWalk } from "../support/briefing-walk";
import { World } from "../support/world";
import { worldViews } from "../support/world-views";
import { multiplyJournal } from "./multiply-journal";
import { editionOf } from "./story";
import { timedReads } from "./timed-reads";

const WALKED = 40;
/** Every so many editions loses an answer and asks, or stands still until it is closed. */
const DISTURBED_EVERY = 8;
const SOURCES = 12;
const EVENTS = 100_000;
const SPREAD_MS = 88 * 86_400_000;
const READS = 40;

/**
 * What the health screen takes to read where all of 100,000 events lie within the 90 days that it looks back at: a hundred times
 * what an editor makes in that time. Some editions are walked; the rest are copies of their rows under other names.
 */
export async function benchMetrics() {
  const world = new World();
  try {
    for (let number = 0; number < WALKED; number += 1) walkOne(world, number);
    const { sqlite } = world.database;
    const own = Number(sqlite.prepare("SELECT max(seq) FROM event").pluck().get());
    const copies = Math.ceil(EVENTS / own) - 1;
    multiplyJournal(sqlite, copies, Math.floor(SPREAD_MS / (copies + 1)));
    const views = worldViews(world);
    const events = Number(sqlite.prepare("SELECT count(*) FROM event").pluck().get());
    return { events, health90: await timedReads(READS, () => views.health({ days: 90 })) };
  } finally {
    world.close();
  }
}

/** An edition whose sources were read, and to which something happened now and then. */
export function walkOne(world: World, number: number): void {
  const walk = new BriefingWalk(world, { edition: editionOf(number) }).to("collecting");
  for (let source = 0; source < SOURCES; source += 1) readSource(walk, `s${source}`, source === number % SOURCES);
  const turn = number % DISTURBED_EVERY;
  if (turn === 1) {
    walk.to("publishing");
    const create = walk.operation("publish");
    walk.markSent(create);
    walk.answer(create.id, "unknown");
    walk.look(create.id, "confirmed", { ids: ["18427"], url: walk.package().plannedUrl });
    walk.prove();
    walk.executor({ type: "transition", taskId: walk.taskId, event: "Published" });
  }
  if (turn !== 2) return void walk.to("succeeded");
  walk.executor({ type: "transition", taskId: walk.taskId, event: "CollectBlocked", blockedReason: "source_missing" });
  walk.person({ type: "transition", taskId: walk.taskId, event: "ClosedProtectively", reason: "nothing to publish" });
}

function readSource(walk: BriefingWalk, sourceId: string, isRetried: boolean): void {
  const step = { type: "record_step", taskId: walk.taskId, step: "collecting", checkpoint: {}, calls: 1 } as const;
  const error = { class: "transient", code: "timeout" };
  if (isRetried)
    walk.executor({
      ...step,
      event: { type: "SourceReadFailed", payload: { sourceId, error, retry: { at: 1 } }, evidenceRefs: [] },
    });
  walk.executor({
    ...step,
    event: { type: "SourceFrozen", payload: { sourceId, attempt: isRetried ? 2 : 1 }, evidenceRefs: [] },
  });
}
