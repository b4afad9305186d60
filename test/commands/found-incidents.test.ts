import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Journal, type Rules } from "../../db/journal";
import { openFoundIncident, openFoundIncidents } from "../../main/commands/open-found-incidents";
import { BackgroundCheck } from "../../main/compose/background-check";
import { decide, decideCreateTask, decideJournal } from "../../main/domain/decide";
import { Bug } from "../../main/domain/ids";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";
import { contentApproval } from "../../main/pipeline/briefing/desk";
import { weakenedRules } from "../../main/simulation/weakening";
import { OCCASIONS } from "../break/occasions";
import { BriefingWalk } from "../support/briefing-walk";
import { MONDAY_8, World } from "../support/world";

const SOUND: Rules = { decide, decideCreateTask, decideJournal };

/** A world whose journal opens incidents by rule, as the app's does; its rules may be swapped while it is open. */
function watchedWorld(rules: () => Rules) {
  const world = new World(MONDAY_8);
  const journal: Journal = new Journal({
    ...{ sqlite: world.database.sqlite, definitions: [briefingDefinition], now: () => world.now },
    crash: { reach: () => undefined },
    rules: {
      decide: (...input) => rules().decide(...input),
      decideCreateTask: (...input) => rules().decideCreateTask(...input),
      decideJournal: (...input) => rules().decideJournal(...input),
    },
    onFinding: (finding) => openFoundIncident(place, finding),
  });
  const clock = { now: () => world.now } as never;
  const place = { journal, clock, trusted: { read: () => world.trusted() } as never };
  Object.assign(world, { journal });
  return { world, place };
}

const incidents = ({ database }: World) =>
  database.sqlite
    .prepare<[], string>("SELECT rule || ' ' || scope || ' ' || opened_by FROM incident ORDER BY opened_at, rowid")
    .pluck()
    .all();

test("an executor that gives an approval is refused, and the attempt is an incident that freezes its task", () => {
  const { world } = watchedWorld(() => SOUND);
  const walk = new BriefingWalk(world).to("awaiting_content_approval");
  const { packageHash, contentHash } = walk.view().task.context;
  const made = contentApproval(walk.ports, walk.view(), {
    ...{ packageHash: String(packageHash), contentHash: String(contentHash), acknowledged: [], readSections: [] },
    comparedWith: { choice: "nothing", hash: null },
  });
  if (!("command" in made)) throw new Error("no approval was made");
  expect(walk.tryExecutor(made.command).result).toBe("guard_failed");
  expect(incidents(world)).toEqual(["approval_bypass task system"]);
  // While it is open, trying again is the same one; a person's own approval is no attempt.
  walk.tryExecutor(made.command);
  walk.approveContent();
  expect(incidents(world)).toHaveLength(1);
  expect(() => walk.to("publishing")).toThrow("writes_frozen");
});

test.each([
  ["I02", "approval_bypass"],
  ["I06", "invariant_violation"],
] as const)("%s: what the database alone held back is a bug, and an incident before the program stops", (id, rule) => {
  let rules = SOUND;
  const { world } = watchedWorld(() => rules);
  const walk = new BriefingWalk(world, { deadlineAt: MONDAY_8 + 7 * 86_400_000 });
  OCCASIONS[id].prepare(walk);
  rules = weakenedRules(id);
  expect(() => OCCASIONS[id].attempt(walk)).toThrow(Bug);
  expect(incidents(world)).toEqual([`${rule} task system`]);
});

test("what the app's own check finds is an incident at its task, or everywhere where no task is named, and once", () => {
  const { world, place } = watchedWorld(() => SOUND);
  const walk = new BriefingWalk(world).to("publishing");
  const broken = {
    chain: "event 7: the hash is not its own",
    violations: [
      { invariant: "I03", subject: walk.operation("publish").operationKey, detail: "two creates" },
      { invariant: "I04", subject: `send:${walk.view().task.taskKey}`, detail: "no approval" },
      { invariant: "I08", subject: "epoch 3", detail: "no row" },
    ],
  };
  openFoundIncidents(place, broken);
  openFoundIncidents(place, broken);
  expect(incidents(world)).toEqual([
    ...["chain_break all system", "invariant_violation task system", "approval_bypass task system"],
    "invariant_violation all system",
  ]);
  expect(world.journal.reader.openIncidents().map(({ kind }) => kind)).toEqual([
    ...["damaged_journal", "damaged_journal", "approval_bypass", "damaged_journal"],
  ]);
  expect(() => walk.publish()).toThrow("writes_frozen");
});

test("the running app's check tells what it found broken, by name, and nothing while all is well", async () => {
  const { world, place } = watchedWorld(() => SOUND);
  const walk = new BriefingWalk(world).to("publishing");
  const named = [{ invariant: "I05", subject: walk.view().task.taskKey, detail: "an old token" }];
  const report = { kind: "found", damage: null, detail: "12 events", events: 12, head: "a".repeat(64) };
  const check = async (found: object) => {
    const file = join(world.dir, "check.cjs");
    writeFileSync(
      file,
      `require("worker_threads").parentPort.postMessage(${JSON.stringify({ ...report, ...found })});`,
    );
    await new Promise<void>((resolve, reject) => {
      new BackgroundCheck({
        ...{ dir: world.dir, clock: place.clock, file, onFault: reject, onFound: resolve },
        onBroken: (broken) => openFoundIncidents(place, broken),
      }).start();
    });
  };
  await check({ chainOk: true, violations: 0, named: [] });
  expect(incidents(world)).toEqual([]);
  await check({ chainOk: false, violations: 1, named });
  expect(incidents(world)).toEqual(["chain_break all system", "invariant_violation task system"]);
});
