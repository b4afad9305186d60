import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fsck } from "../../db/fsck";
import { BriefingWalk } from "../support/briefing-walk";
import { World } from "../support/world";
import { closeDuplicate, lookAtTwo } from "./finished-edition";

const HOUR_MS = 3_600_000;

test("an incident that was found again under a clock set back is no broken promise", () => {
  const world = new World();
  const walk = new BriefingWalk(world).to("send_pending");
  lookAtTwo(walk);
  world.now -= HOUR_MS;
  lookAtTwo(walk);
  closeDuplicate(walk);
  const dir = mkdtempSync(join(tmpdir(), "imprimatur-incident-"));
  world.database.sqlite.pragma("wal_checkpoint(TRUNCATE)");
  cpSync(world.dir, dir, { recursive: true });
  expect(fsck(dir).violations).toEqual([]);
});
