import { join } from "node:path";
import { type JournalDatabase, openJournal } from "../../../db/open";
import { insertSnapshot, options } from "../../db/fixture";
import { Story, tellEdition } from "../../domain/story";
import { BriefingWalk } from "../../support/briefing-walk";
import { World } from "../../support/world";
import { editionOf } from "../story";

/** A journal as decades leave it: told as a whole, since living through them would take minutes. Its events are short ones. */
export function longJournal(dir: string, events: number): JournalDatabase {
  const opened = openJournal(options(join(dir, "long"), { durability: "simulation" }));
  if (opened.kind === "problem") throw new Error(opened.problem.detail);
  const story = new Story();
  for (let number = 1; story.data.events.length < events; number += 1)
    tellEdition({ taskKey: `weekly-briefing:${number}:zh-CN` }, story);
  insertSnapshot(opened.journal.sqlite, story.snapshot());
  opened.journal.sqlite.pragma("wal_checkpoint(TRUNCATE)");
  return opened.journal;
}

/** A shorter one, every event of which the journal's own commands wrote. */
export function livedJournal(editions: number): World {
  const world = new World();
  for (let number = 0; number < editions; number += 1)
    new BriefingWalk(world, { edition: editionOf(number) }).to("succeeded");
  world.database.sqlite.pragma("wal_checkpoint(TRUNCATE)");
  return world;
}
