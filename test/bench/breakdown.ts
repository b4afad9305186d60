import { Journal } from "../../db/journal";
import { sealEvent } from "../../main/domain/chain";
import { decide } from "../../main/domain/decide";
import { Bug, type TaskId } from "../../main/domain/ids";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";
import { World } from "../support/world";
import { median, round, timed } from "./stats";
import { type Ready, tell } from "./story";
import { timedSqlite } from "./timed-sqlite";
import { openYardstick } from "./yardstick";

const EDITIONS = 60;
const WARM_UP = 20;
const J_STEPS = 1_000;

/** Microseconds of CPU in the median; nothing waits for a disk here. */
interface Parts {
  total: number;
  /** BEGIN IMMEDIATE and COMMIT, with the write of the WAL's pages. */
  beginCommit: number;
  selects: number;
  selectCount: number;
  /** Rows to objects, guards, plan. */
  decide: number;
  seal: number;
  writes: number;
  writeCount: number;
  /** The rest: context, values to columns, the answer. */
  other: number;
}

/** Where a command's time goes, part by part; and what its writes cost when nothing watches over them. */
export function breakdown() {
  const asItIs = measure(() => undefined);
  const unwatched = measure((world) => {
    const triggers = world.database.sqlite
      .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
      .all();
    for (const { name } of triggers) world.database.sqlite.exec(`DROP TRIGGER "${name}"`);
  });
  const byCommand = [...asItIs].map(([name, parts]) => {
    const bare = unwatched.get(name)?.writes ?? parts.writes;
    return [name, { ...parts, triggersInWrites: Math.max(0, round(parts.writes - bare, 1)) }] as const;
  });
  return { microsecondsWithoutDisk: { j: yardstickAlone(), ...Object.fromEntries(byCommand) } };
}

function yardstickAlone(): { total: number } {
  const yardstick = openYardstick(0);
  const times = Array.from({ length: J_STEPS }, () => timed(() => yardstick.step()));
  yardstick.close();
  return { total: round(median(times) * 1_000, 1) };
}

function measure(change: (world: World) => void): Map<string, Parts> {
  const world = new World();
  change(world);
  const { sqlite, take } = timedSqlite(world.database.sqlite);
  const crash = { reach: () => undefined };
  const journal = new Journal({ sqlite, definitions: [briefingDefinition], crash, now: () => world.now });
  const samples = new Map<string, Parts[]>();
  try {
    for (let edition = 0; edition < WARM_UP + EDITIONS; edition += 1)
      tell(world, edition, (ready) => {
        const decided = decideOnly(journal, ready, take);
        take();
        const before = world.now;
        const total = timed(() => {
          const answer = journal.execute(ready.command, ready.context);
          if (answer.result !== "applied") throw new Bug(JSON.stringify(answer));
        });
        const spent = take();
        const seal = sealOnly(world, ready);
        if (world.now !== before) throw new Bug("a measured command moved the clock");
        if (edition >= WARM_UP) {
          const beginCommit = spent.transaction - spent.inside;
          const known = beginCommit + spent.select + spent.write + decided + seal;
          const { select, selects, write, writes } = spent;
          const parts: Parts = {
            total,
            beginCommit,
            selects: select,
            selectCount: selects,
            decide: decided,
            seal,
            writes: write,
            writeCount: writes,
            other: Math.max(0, total - known),
          };
          samples.set(ready.name, [...(samples.get(ready.name) ?? []), parts]);
        }
        return { result: "applied" as const, ...NOTHING_APPLIED };
      });
  } finally {
    world.close();
  }
  return new Map([...samples].map(([name, all]) => [name, medians(all)]));
}

/** The story only asks whether it was applied. */
const NOTHING_APPLIED = { point: null, taskId: null, state: "", stateVersion: 0, fencingToken: 0, events: [] };

/** A decision is pure: it can be made once more beside the transaction, and thrown away. Its reads are not counted. */
function decideOnly(journal: Journal, { command, context }: Ready, take: () => { select: number }): number {
  if (!("taskId" in command) || command.taskId === null) throw new Bug("the story's commands all concern a task");
  const { taskId } = command;
  take();
  const all = timed(() => {
    const view = journal.reader.view(taskId);
    if (view) decide(view, command as Parameters<typeof decide>[1], context);
  });
  return Math.max(0, all - take().select);
}

/** The same event sealed once more. */
function sealOnly(world: World, { command }: Ready): number {
  const taskId = (command as { taskId: TaskId }).taskId;
  const row = world.database.sqlite
    .prepare<[TaskId], { type: string; payload: string; hash: string; at: number; seq: number }>(
      "SELECT type, payload, hash, at, seq FROM event WHERE task_id = ? ORDER BY task_seq DESC LIMIT 1",
    )
    .get(taskId);
  if (!row) throw new Bug("the command appended nothing");
  const draft = {
    type: row.type,
    fromState: null,
    toState: null,
    reason: null,
    operationId: null,
    evidenceRefs: [],
    payload: JSON.parse(row.payload) as Record<string, unknown>,
  };
  const hash = row.hash as Parameters<typeof sealEvent>[1]["prevHash"];
  const place = {
    seq: row.seq,
    taskId,
    taskSeq: row.seq,
    actor: "executor:test",
    fencingToken: 1,
    at: row.at,
    zone: "Asia/Shanghai",
    prevHash: hash,
    taskPrevHash: hash,
  };
  return timed(() => void sealEvent(draft, place));
}

function medians(all: readonly Parts[]): Parts {
  const names = Object.keys(all[0] ?? {}) as (keyof Parts)[];
  const entries = names.map((name) => {
    const value = median(all.map((parts) => parts[name]));
    return [name, name.endsWith("Count") ? value : round(value * 1_000, 1)];
  });
  return Object.fromEntries(entries) as Parts;
}
