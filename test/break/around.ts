import * as schema from "../../db/schema";
import { type EventDraft, type EventPlace, sealEvent } from "../../main/domain/chain";
import { draftEvent } from "../../main/domain/plan";
import { insertRows } from "../db/fixture";
import type { BriefingWalk } from "../support/briefing-walk";
import { EDITOR } from "../support/world";

/** Inserts a copy of the task's row with some columns changed; values are SQL. */
export function copyOf(walk: BriefingWalk, table: "task", changes: Readonly<Record<string, string>>): void {
  const { sqlite } = walk.world.database;
  const names = (sqlite.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
  const values = names.map((name) => changes[name] ?? `"${name}"`);
  const columns = names.map((name) => `"${name}"`).join();
  sqlite
    .prepare(`INSERT INTO ${table} (${columns}) SELECT ${values.join()} FROM ${table} WHERE id = ?`)
    .run(walk.taskId);
}

/** Appends an event to the chain, well formed and sealed, past the handler that would have had to be asked. */
export function writeEvent(walk: BriefingWalk, draft: Partial<EventDraft>, place: Partial<EventPlace> = {}): void {
  const { sqlite } = walk.world.database;
  const head = sqlite.prepare("SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1").get() as {
    seq: number;
    hash: EventPlace["prevHash"];
  };
  const { task } = walk.view();
  const event = sealEvent(draftEvent(draft.type ?? "", draft), {
    ...{ seq: head.seq + 1, taskId: walk.taskId, taskSeq: task.taskSeq + 1, actor: EDITOR, fencingToken: null },
    ...{ at: walk.world.now + 1, zone: task.zone, prevHash: head.hash, taskPrevHash: task.taskHead },
    ...place,
  });
  insertRows(sqlite, schema.event, [event]);
  sqlite
    .prepare("UPDATE task SET task_seq = ?, task_head = ? WHERE id = ?")
    .run(event.taskSeq, event.hash, event.taskId);
}
