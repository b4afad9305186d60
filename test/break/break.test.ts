import { describe, expect, test } from "vitest";
import { loadJournal } from "../../db/load-journal";
import { decide, decideCreateTask } from "../../main/domain/decide";
import { asSha256, Bug } from "../../main/domain/ids";
import { checkInvariants, checkRemote, type InvariantId } from "../../main/domain/invariants";
import { RemoteCore } from "../../main/simulation/remote-core";
import { recordsOf } from "../../main/simulation/remote-records";
import { dropConstraints, weakenedRules } from "../../main/simulation/weakening";
import { BriefingWalk } from "../support/briefing-walk";
import { MONDAY_8, World } from "../support/world";
import { makeCampaign, makePost } from "./carry-out";
import { OCCASIONS, send } from "./occasions";

const WEEK_MS = 7 * 86_400_000;

/** An edition at the moment at which the invariant could be broken; the switches are thrown only then. */
function atTheMoment(id: InvariantId, off: { guard?: true; constraint?: true }): BriefingWalk {
  const switches = weakenedRules(id);
  const rules: typeof switches = {
    decideJournal: switches.decideJournal,
    decide: (...input) => (isOff ? switches : sound).decide(...input),
    decideCreateTask: (...input) => (isOff ? switches : sound).decideCreateTask(...input),
  };
  let isOff = false;
  const world = new World(MONDAY_8, rules);
  const walk = new BriefingWalk(world, { deadlineAt: MONDAY_8 + WEEK_MS });
  OCCASIONS[id].prepare(walk);
  isOff = off.guard === true;
  if (off.constraint) dropConstraints(world.database.sqlite, id);
  return walk;
}

const sound = { decide, decideCreateTask };
const eventsOf = (walk: BriefingWalk) => loadJournal(walk.world.database.sqlite).events.length;
const brokenIn = (walk: BriefingWalk) => checkInvariants(loadJournal(walk.world.database.sqlite));
const namesIn = (walk: BriefingWalk) => brokenIn(walk).map(({ invariant }) => invariant);

/** What the remote's own records show, held against the journal. */
const atRemote = (walk: BriefingWalk, core: RemoteCore) =>
  checkRemote(loadJournal(walk.world.database.sqlite), recordsOf(core)).map(({ invariant }) => invariant);

describe.each(Object.entries(OCCASIONS))("%s", (name, occasion) => {
  const id = name as InvariantId;

  test(`guard and constraint on: ${occasion.says} is refused, and the journal is sound`, () => {
    const walk = atTheMoment(id, {});
    const before = eventsOf(walk);
    expect(occasion.attempt(walk).result).not.toBe("applied");
    expect(eventsOf(walk)).toBe(before);
    expect(brokenIn(walk)).toEqual([]);
  });

  test("guard off: the database refuses, and nothing is half-written", () => {
    const walk = atTheMoment(id, { guard: true });
    const before = eventsOf(walk);
    expect(() => occasion.attempt(walk)).toThrow(Bug);
    expect(eventsOf(walk)).toBe(before);
    expect(brokenIn(walk)).toEqual([]);
  });

  test("constraint off: the handler refuses", () => {
    const walk = atTheMoment(id, { constraint: true });
    expect(occasion.attempt(walk).result).not.toBe("applied");
    expect(brokenIn(walk)).toEqual([]);
  });

  test("constraint off: a row written around the handler is found by the checker", () => {
    const walk = atTheMoment(id, { constraint: true });
    occasion.writeAround(walk);
    expect(namesIn(walk)).toContain(id);
  });

  test("constraint on: the same row cannot be written around the handler", () => {
    const walk = atTheMoment(id, {});
    expect(() => occasion.writeAround(walk)).toThrow();
  });

  const { carryOut } = occasion;
  test(`both off: it goes through, and the checker reports it on the journal${carryOut ? " and on the remote" : ""}`, () => {
    const walk = atTheMoment(id, { guard: true, constraint: true });
    expect(occasion.attempt(walk).result).toBe("applied");
    expect(namesIn(walk)).toContain(id);
    if (carryOut === null) return;
    const core = new RemoteCore("https://remote.example");
    carryOut(walk, core);
    expect(atRemote(walk, core)).toContain(id);
  });
});

test("an edition by the rules shows nothing at the remote, until something is there that it did not ask for", () => {
  const walk = new BriefingWalk(new World()).to("succeeded");
  const core = new RemoteCore("https://remote.example");
  makePost(core, walk.operation("publish"));
  const id = makeCampaign(core, walk.operation("send"), ["R1", "R2"]);
  core.trigger(id, { key: walk.operation("send", "trigger").operationKey }, MONDAY_8);
  expect(atRemote(walk, core)).toEqual([]);
  core.trigger(id, { key: walk.operation("send", "trigger").operationKey }, MONDAY_8);
  expect(atRemote(walk, core)).toEqual(["I03", "I03"]);
});

test("a mailing started under an approval that had expired is seen at the remote by its start alone", () => {
  const walk = atTheMoment("I04", { guard: true, constraint: true });
  OCCASIONS.I04.attempt(walk);
  const core = new RemoteCore("https://remote.example");
  const { operationKey } = walk.operation("send");
  const mailing = { key: operationKey, place: "w30", recipientId: "R1" };
  const found = checkRemote(loadJournal(walk.world.database.sqlite), { ...recordsOf(core), mailings: [mailing] });
  expect(found).toEqual([
    { invariant: "I04", subject: operationKey, detail: "no approval was living when it was mailed" },
  ]);
});

test("one character of the audience's hash changed: refused, with what differs", () => {
  const walk = new BriefingWalk(new World()).to("sending");
  const operation = walk.operation("send");
  const approved = operation.audienceHash ?? "";
  const changed = asSha256(`${approved.startsWith("0") ? "1" : "0"}${approved.slice(1)}`);
  const answer = send(walk, operation, { audienceHash: changed });
  const codes = "unmet" in answer ? answer.unmet.map(({ code }) => code) : [];
  expect(codes).toContain("audience_hash_differs");
  expect(walk.view().attempts(operation.id)).toEqual([]);
});
