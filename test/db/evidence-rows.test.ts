import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { openEvidenceRows } from "../../db/evidence-rows";
import { World } from "../support/world";

test("a journal of an older version is not read half: it says what to do first", () => {
  const world = new World();
  const opened = openEvidenceRows(world.dir);
  expect(opened.kind).toBe("opened");
  if (opened.kind === "opened") opened.rows.close();
  world.database.sqlite.pragma("wal_checkpoint(TRUNCATE)");
  const file = new Database(world.database.path);
  file.pragma("user_version = 30");
  file.close();
  expect(openEvidenceRows(world.dir)).toMatchObject({
    kind: "problem",
    problem: { detail: "version 30: open it once with this program first" },
  });
});
