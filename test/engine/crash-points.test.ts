import { describe, expect, test } from "vitest";
import type { CrashPoints } from "../../main/domain/ports";
import { sampledPoints } from "../support/sampled-points";
import { personsTurn } from "./bare-runtime";
import { EngineWorld, Killed, type PipelineName, type Program } from "./engine-world";
import type { Fate } from "./fake-remote";

// Dies at every commit (before and after) and at every call (before and after), one after the other; then a fresh executor goes
// on with the same journal. Whatever the moment: never two objects in a place, and in the end everything is confirmed or a
// person's.

/** Dies when it is reached for the n-th time, counting every point; then never again. */
function killAt(n: number): CrashPoints & { reached: string[] } {
  const reached: string[] = [];
  return {
    reached,
    reach: (point) => {
      reached.push(point);
      if (reached.length === n) throw new Killed(`${n}: ${point}`);
    },
  };
}

/** What the remotes do to the requests, in their order. */
interface Weather {
  name: string;
  cms: readonly Fate[];
  mail: readonly Fate[];
}
const WEATHER: readonly Weather[] = [
  { name: "in fair weather", cms: [], mail: [] },
  { name: "with every first answer lost", cms: ["lost"], mail: ["lost", "lost"] },
  { name: "with every first request lost", cms: ["never"], mail: ["never", "ok", "never"] },
  {
    name: "with remotes that cannot be reached at first",
    cms: ["unreachable"],
    mail: ["unreachable", "ok", "unreachable"],
  },
];

/** Runs to the end, starting a fresh program whenever one dies. */
async function survive(
  world: EngineWorld,
  start: (n: number) => Program,
): Promise<{ state: string; deaths: string[] }> {
  const deaths: string[] = [];
  for (let life = 0; life < 20; life += 1) {
    const program = start(life);
    try {
      if (!world.isCreated(program)) world.create(program);
      return { state: await world.finish(program), deaths };
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      deaths.push(error.message);
    }
  }
  throw new Error("it never survives");
}

function worldIn(weather: Weather, pipeline: PipelineName): EngineWorld {
  const world = new EngineWorld({ pipeline, cms: { visibilityMs: 1_500 }, mail: { visibilityMs: 1_500 } });
  world.cms.fates = [...weather.cms];
  world.mail.fates = [...weather.mail];
  return world;
}

/** How many points an undisturbed run passes. */
async function countPoints(weather: Weather, pipeline: PipelineName): Promise<number> {
  const world = worldIn(weather, pipeline);
  const crash = killAt(Number.POSITIVE_INFINITY);
  await survive(world, () => world.start("a", { crash }));
  return crash.reached.length;
}

function expectSound(world: EngineWorld, state: string, where: string): void {
  const operations = world.rows("SELECT phase, state FROM operation") as { phase: string; state: string }[];
  const isHumanOwned = state === "blocked";
  expect(["succeeded", "blocked"], where).toContain(state);
  for (const operation of operations)
    expect(
      isHumanOwned ? ["confirmed", "conflict", "locked", "rejected", "cancelled", "not_found"] : ["confirmed"],
      where,
    ).toContain(operation.state);
  for (const remote of [world.cms, world.mail]) {
    const places = remote.things.map((thing) => thing.slot);
    expect(new Set(places).size, where).toBe(places.length);
    for (const thing of remote.things) expect(new Set(thing.appliedKeys).size, where).toBe(thing.appliedKeys.length);
  }
  const mailed = world.mail.mailings.map((mailing) => mailing.recipientId);
  expect(new Set(mailed).size, where).toBe(mailed.length);
  expect(world.violations(), where).toEqual([]);
}

describe.each(["briefing", "notice"] as const)("a %s", (pipeline) => {
  test.each(WEATHER)(
    "killed once at a point of its own, one after the other, $name",
    async (weather) => {
      const points = await countPoints(weather, pipeline);
      expect(points).toBeGreaterThan(pipeline === "briefing" ? 50 : 20);
      const numbers = Array.from({ length: points }, (_, index) => index + 1);
      for (const n of sampledPoints(numbers, WEATHER.indexOf(weather))) {
        const world = worldIn(weather, pipeline);
        const crash = killAt(n);
        // The first life dies at the n-th point; the next ones are let live.
        const { state, deaths } = await survive(world, (life) =>
          world.start(`life-${life}`, life === 0 ? { crash } : {}),
        );
        const where = `killed at ${deaths.join()}`;
        expect(deaths, where).toHaveLength(1);
        expectSound(world, state, where);
        // A single death is nothing that a person need hear of.
        expect(state, where).toBe("succeeded");
      }
    },
    240_000,
  );

  test("killed again and again, at every point of every life", async () => {
    for (const [index, weather] of WEATHER.entries())
      for (const step of [3, 7, 11]) {
        const world = worldIn(weather, pipeline);
        const { state, deaths } = await survive(world, (life) =>
          world.start(`life-${life}`, life < 12 ? { crash: killAt(step + ((life * 5 + index) % 9)) } : {}),
        );
        expect(deaths.length).toBeGreaterThan(1);
        expectSound(world, state, `killed at ${deaths.join("; ")}`);
      }
  }, 120_000);
});

test("what a person clicked before the program died was either taken or not: clicking again does it once", async () => {
  const weather = WEATHER[0] as Weather;
  for (const point of ["before-commit:ContentApproved", "after-commit:ContentApproved"]) {
    const world = worldIn(weather, "briefing");
    const program = world.start("a", {
      crash: {
        reach: (reached) => {
          if (reached === point) throw new Killed(point);
        },
      },
    });
    world.create(program);
    await world.run(program, () => personsTurn(world.view(program)) !== null);
    expect(() => world.approveIfAsked(program)).toThrow(Killed);
    expect(await world.finish(world.start("b"))).toBe("succeeded");
    expect(world.rows("SELECT id FROM approval WHERE scope = 'publish'")).toHaveLength(1);
  }
});
