import type { Sqlite } from "../../db/open";
import { BriefingWalk } from "../support/briefing-walk";
import { World } from "../support/world";
import { worldViews } from "../support/world-views";
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
    multiply(sqlite);
    const views = worldViews(world);
    const events = Number(sqlite.prepare("SELECT count(*) FROM event").pluck().get());
    return { events, health90: await timedReads(READS, () => views.health({ days: 90 })) };
  } finally {
    world.close();
  }
}

function walkOne(world: World, number: number): void {
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

/** Copies of all tasks, operations and events, each some hours earlier, until there are enough. Nothing judges them: they are only read. */
function multiply(sqlite: Sqlite): void {
  const names = (type: string) =>
    sqlite.prepare<[string], string>("SELECT name FROM sqlite_schema WHERE type = ?").pluck().all(type);
  sqlite.pragma("foreign_keys = OFF");
  for (const trigger of names("trigger")) sqlite.exec(`DROP TRIGGER "${trigger}"`);
  const last = (table: string) => Number(sqlite.prepare(`SELECT max(rowid) FROM ${table}`).pluck().get());
  const [own, tasks, operations] = [last("event"), last("task"), last("operation")];
  const copies = Math.ceil(EVENTS / own) - 1;
  const stepMs = Math.floor(SPREAD_MS / (copies + 1));
  sqlite.transaction(() => {
    for (let copy = 1; copy <= copies; copy += 1) {
      const renamed = (column: string) => `${column} || '-${copy}'`;
      const fresh = "lower(hex(randomblob(32)))";
      const at = `at - ${copy * stepMs}`;
      copyRows(sqlite, "task", { id: renamed("id"), task_key: renamed("task_key") }, `rowid <= ${tasks}`);
      copyRows(
        sqlite,
        "operation",
        {
          id: renamed("id"),
          task_id: renamed("task_id"),
          operation_key: renamed("operation_key"),
          slot: renamed("slot"),
        },
        `rowid <= ${operations}`,
      );
      copyRows(
        sqlite,
        "event",
        {
          ...{ seq: `seq + ${copy * own}`, task_id: renamed("task_id"), operation_id: renamed("operation_id"), at },
          ...{ prev_hash: fresh, hash: fresh },
        },
        `seq <= ${own}`,
      );
    }
  })();
}

function copyRows(sqlite: Sqlite, table: string, changed: Readonly<Record<string, string>>, where: string): void {
  const columns = sqlite.prepare<[string], string>("SELECT name FROM pragma_table_info(?)").pluck().all(table);
  const values = columns.map((column) => changed[column] ?? column);
  sqlite.exec(
    `INSERT INTO "${table}" (${columns.join(", ")}) SELECT ${values.join(", ")} FROM "${table}" WHERE ${where}`,
  );
}
