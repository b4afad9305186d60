import { describe, expect, test } from "vitest";
import type { ExecuteResult } from "../../db/journal";
import { openScheduleFires } from "../../db/schedule-fires";
import { definitionHash } from "../../main/domain/definition";
import { Bug } from "../../main/domain/ids";
import type { Clock } from "../../main/domain/ports";
import { localDateOf, localTimeOf, type Schedule } from "../../main/domain/schedule";
import { Scheduler } from "../../main/engine/scheduler";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";
import { testFolder, testJournal } from "../db/journal-file";

const at = (text: string) => Date.parse(text);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** A machine's two clocks, each moved by hand. */
function machineClock(wall: number) {
  const clock = { wall, ticks: 0 };
  return {
    now: () => clock.wall,
    monotonic: () => clock.ticks,
    /** Time passes, awake. */
    pass: (ms: number) => Object.assign(clock, { wall: clock.wall + ms, ticks: clock.ticks + ms }),
    /** A sleep on a system whose monotonic clock stands still meanwhile. */
    sleepThrough: (ms: number) => Object.assign(clock, { wall: clock.wall + ms }),
    setWall: (instant: number) => Object.assign(clock, { wall: instant }),
    sleep: () => Promise.resolve(),
    timeout: () => ({ signal: new AbortController().signal, cancel: () => undefined }),
  } satisfies Clock & Record<string, unknown>;
}

type Machine = ReturnType<typeof machineClock>;

function world(
  start: string,
  options: {
    schedule?: Partial<Schedule>;
    dir?: string;
    clock?: Machine;
    trusted?: { at: number; trusted: boolean };
  } = {},
) {
  const clock = options.clock ?? machineClock(at(start));
  const file = testJournal({ ...(options.dir ? { dir: options.dir } : {}), definitions: [briefingDefinition] });
  const schedule: Schedule = {
    name: "weekly",
    pattern: "0 8 * * 1",
    zone: "Asia/Shanghai",
    slot: "edition",
    activeFrom: at("2020-01-01T00:00:00Z"),
    ...options.schedule,
  };
  const fires = openScheduleFires(file.sqlite);
  const scheduler = new Scheduler({
    pipelines: [{ schedule, definition: briefingDefinition, language: "zh-CN" }],
    journal: file.journal,
    fires,
    clock,
    trusted: { read: () => ({ at: clock.now(), trusted: false, source: "test", ...options.trusted }) },
  });
  const tasks = () =>
    file.sqlite
      .prepare<[], { key: string; version: number; by: string; due: number; context: string }>(
        `SELECT task_key AS "key", task_version AS version, created_by AS "by", deadline_at AS due, context
         FROM task ORDER BY created_at, task_key`,
      )
      .all();
  return { ...file, clock, scheduler, fires, tasks };
}

/** Ticks every `stepMs` until `end`; returns when tasks appeared. */
function tickUntil(made: ReturnType<typeof world>, end: string, stepMs = 5 * MINUTE): string[] {
  const begun: string[] = [];
  let seen = made.tasks().length;
  while (made.clock.now() < at(end)) {
    made.scheduler.runOnce();
    const now = made.tasks().length;
    if (now > seen) begun.push(new Date(made.clock.now()).toISOString());
    seen = now;
    made.clock.pass(stepMs);
  }
  return begun;
}

describe("a schedule", () => {
  test("begins version 1 of the edition of its local date, due when the definition says", () => {
    const made = world("2026-07-19T12:00:00Z");
    expect(made.scheduler.runOnce()).toBe(at("2026-07-20T00:00:00Z"));
    expect(made.tasks()).toEqual([]);
    made.clock.setWall(at("2026-07-20T00:00:00Z"));
    expect(made.scheduler.runOnce()).toBe(at("2026-07-27T00:00:00Z"));
    const [task, ...others] = made.tasks();
    expect(others).toEqual([]);
    expect(task).toMatchObject({
      key: "weekly-briefing:2026-W30:zh-CN",
      version: 1,
      by: "scheduler",
      due: at("2026-07-20T02:30:00Z"),
    });
    expect(JSON.parse(task?.context ?? "")).toEqual({ startAt: at("2026-07-20T00:00:00Z"), lateMs: 0 });
  });

  test("makes an edition a week, however often it is asked", () => {
    const made = world("2026-07-17T00:00:00Z");
    const begun = tickUntil(made, "2026-08-05T00:00:00Z", 10 * MINUTE);
    expect(begun).toEqual(["2026-07-20T00:00:00.000Z", "2026-07-27T00:00:00.000Z", "2026-08-03T00:00:00.000Z"]);
  });

  test("the day before its first moment is history", () => {
    const made = world("2026-07-20T01:00:00Z", { schedule: { activeFrom: at("2026-07-20T00:30:00Z") } });
    expect(made.scheduler.runOnce()).toBe(at("2026-07-27T00:00:00Z"));
    expect(made.tasks()).toEqual([]);
  });

  test.each(["*/5 * * * *", "0 8,20 * * 1", "0 * * * 1", "0 8 * * 1 2026", "0 0 8 * * 1", "61 8 * * 1", "later"])(
    "%j has no single time of day and is refused at once",
    (pattern) => {
      expect(() => world("2026-07-20T00:00:00Z", { schedule: { pattern } })).toThrow(Bug);
    },
  );
});

describe("the days the clocks change in New York (C1)", () => {
  const daily = (pattern: string) => ({ schedule: { pattern, zone: "America/New_York" } });

  test("02:30 does not exist in spring, and begins once", () => {
    const made = world("2026-03-08T05:00:00Z", daily("30 2 * * *"));
    expect(tickUntil(made, "2026-03-09T05:00:00Z")).toEqual(["2026-03-08T07:00:00.000Z"]);
    expect(made.fires.last("weekly")).toEqual({
      key: "2026-03-08:edition",
      firedAt: at("2026-03-08T07:00:00Z"),
      lateMs: 0,
    });
  });

  test("01:30 comes twice in autumn, and begins once", () => {
    const made = world("2026-11-01T04:30:00Z", daily("30 1 * * *"));
    expect(tickUntil(made, "2026-11-02T04:30:00Z")).toEqual(["2026-11-01T05:30:00.000Z"]);
    expect(made.sqlite.prepare("SELECT count(*) FROM schedule_fire").pluck().get()).toBe(1);
  });

  test("waking between the two 01:30 of autumn is one catch-up, and none at the second", () => {
    const made = world("2026-11-01T05:50:00Z", daily("30 1 * * *"));
    expect(tickUntil(made, "2026-11-01T12:00:00Z")).toEqual(["2026-11-01T05:50:00.000Z"]);
  });

  test.each([
    ["30 1 * * *", "2026-03-08T05:00:00Z", "2026-03-08T06:30:00.000Z"],
    ["30 2 * * *", "2026-11-01T04:30:00Z", "2026-11-01T07:30:00.000Z"],
  ])("%s on the other of the two days is nothing special", (pattern, from, begun) => {
    const made = world(from, daily(pattern));
    expect(tickUntil(made, new Date(at(from) + 20 * HOUR).toISOString())).toEqual([begun]);
  });
});

describe("the days the clocks change anywhere", () => {
  /** Zones whose clocks change at odd times, by odd amounts, or at midnight. */
  const ZONES =
    "America/New_York Europe/Berlin Australia/Lord_Howe Africa/Casablanca America/Santiago Asia/Beirut Africa/Cairo America/Havana Atlantic/Azores Antarctica/Troll".split(
      " ",
    );
  const offsetOf = (instant: number, zone: string) => {
    const { year, month, day, hour, minute, second } = localTimeOf(instant, zone);
    return Date.UTC(year, month - 1, day, hour, minute, second) - instant;
  };
  const changes = (zone: string) => {
    const first = at("2026-01-01T00:00:00Z");
    return Array.from({ length: 365 }, (_, day) => first + day * DAY).filter(
      (day) => offsetOf(day, zone) !== offsetOf(day + DAY, zone),
    );
  };

  /** Nothing of the journal is tried here: each date has its task. */
  function dates(zone: string, pattern: string, from: number, to: number): string[] {
    const clock = machineClock(from);
    const fired: string[] = [];
    const begun: ExecuteResult = {
      result: "applied",
      taskId: null,
      state: "",
      stateVersion: 0,
      fencingToken: 0,
      events: [],
      point: null,
    };
    const scheduler = new Scheduler({
      pipelines: [
        {
          schedule: { name: "daily", pattern, zone, slot: "x", activeFrom: from },
          definition: briefingDefinition,
          language: "en",
        },
      ],
      journal: { execute: () => begun },
      fires: {
        has: (_schedule, key) => fired.includes(key),
        record: (_schedule, { key }) => fired.push(key) > 0,
        last: () => null,
        paused: () => null,
        pause: () => undefined,
        resume: () => undefined,
        newestMoment: () => null,
      },
      clock,
      trusted: { read: () => ({ at: 0, trusted: false, source: "" }) },
    });
    for (; clock.now() < to; clock.pass(20 * MINUTE)) scheduler.runOnce();
    return fired;
  }

  test.each(ZONES)("in %s every date has its edition, and has it once", (zone) => {
    const around = changes(zone);
    expect(around.length).toBeGreaterThan(0);
    for (const change of around)
      for (const pattern of ["0 0 * * *", "30 0 * * *", "30 1 * * *", "15 2 * * *", "59 23 * * *"]) {
        const from = change - 2 * DAY;
        const to = change + 3 * DAY;
        const fired = dates(zone, pattern, from, to);
        expect(new Set(fired).size, `${zone} ${pattern}`).toBe(fired.length);
        // The first and the last date may be cut off by the ends of the window.
        const whole = Array.from({ length: 4 }, (_, day) => localDateOf(from + DAY / 2 + (day + 0.5) * DAY, zone));
        for (const date of new Set(whole.slice(0, 3))) expect(fired, `${zone} ${pattern}`).toContain(`${date}:x`);
      }
  });
});

describe("after a sleep (C4)", () => {
  test.each([
    ["110 s", 110 * SECOND, "sleepThrough"],
    ["110 s", 110 * SECOND, "pass"],
    ["8 h", 8 * HOUR, "sleepThrough"],
    ["8 h", 8 * HOUR, "pass"],
  ] as const)("of %s (%d ms, %s) there is one catch-up, shown as late", (_name, ms, how) => {
    const made = world("2026-07-19T23:59:30Z");
    made.scheduler.runOnce();
    made.clock[how](ms);
    made.scheduler.runOnce();
    made.scheduler.runOnce();
    expect(made.tasks()).toHaveLength(1);
    const lateMs = ms - 30 * SECOND;
    expect(JSON.parse(made.tasks()[0]?.context ?? "")).toMatchObject({ lateMs });
    expect(made.scheduler.status()[0]).toMatchObject({ last: { key: "2026-07-20:edition", lateMs }, paused: null });
  });

  test("a tick half a minute late is not called late", () => {
    const made = world("2026-07-20T00:00:30Z");
    made.scheduler.runOnce();
    expect(JSON.parse(made.tasks()[0]?.context ?? "")).toMatchObject({ lateMs: 0 });
  });

  test("of three days, daily occurrences are one catch-up: the newest", () => {
    const made = world("2026-07-20T12:30:00Z", { schedule: { pattern: "0 8 * * *" } });
    made.scheduler.runOnce();
    expect(made.tasks()).toHaveLength(0);
    made.clock.sleepThrough(2 * DAY + 14 * HOUR);
    made.scheduler.runOnce();
    expect(made.fires.last("weekly")?.key).toBe("2026-07-23:edition");
    expect(made.sqlite.prepare("SELECT count(*) FROM schedule_fire").pluck().get()).toBe(1);
  });

  test("12 h is the longest that is caught up with; what is older is shown as missed, for a person to begin", () => {
    const within = world("2026-07-20T12:00:00Z");
    within.scheduler.runOnce();
    expect(within.tasks()).toHaveLength(1);
    const beyond = world("2026-07-20T12:00:00.001Z");
    beyond.scheduler.runOnce();
    expect(beyond.tasks()).toEqual([]);
    expect(beyond.scheduler.status()[0]?.missed).toEqual({
      key: "2026-07-20:edition",
      scheduledAt: at("2026-07-20T00:00:00Z"),
    });
  });

  test("a snapshot restored weeks later begins nothing of what it had ahead of it", () => {
    const dir = testFolder();
    const before = world("2026-07-06T00:00:00Z", { dir });
    before.scheduler.runOnce();
    expect(before.tasks()).toHaveLength(1);
    const restored = world("2026-07-29T09:00:00Z", { dir });
    expect(restored.scheduler.runOnce()).toBe(at("2026-08-03T00:00:00Z"));
    expect(restored.tasks()).toHaveLength(1);
  });
});

describe("a clock that jumps (C8)", () => {
  test.each([
    ["a year ahead", YEAR],
    ["a year back", -YEAR],
    ["a week ahead", 7 * DAY],
    ["an hour back", -HOUR],
  ])("%s, with normal ticks, pauses the schedule until a person has looked", (_name, jump) => {
    const made = world("2026-07-20T06:00:00Z", { schedule: { activeFrom: at("2026-07-20T05:00:00Z") } });
    made.scheduler.runOnce();
    made.clock.pass(30 * SECOND);
    made.clock.setWall(made.clock.now() + jump);
    expect(made.scheduler.runOnce()).toBeNull();
    const { paused } = made.scheduler.status()[0] ?? {};
    expect(paused).toMatchObject({ reason: "clock_jumped", movedMs: jump });
    // It stays paused, at whatever the clock then says.
    const nextMonday = made.clock.now() + 7 * DAY;
    while (made.clock.now() < nextMonday) {
      expect(made.scheduler.runOnce()).toBeNull();
      made.clock.pass(HOUR);
    }
    expect(made.tasks()).toEqual([]);
    made.scheduler.resume("weekly");
    expect(made.scheduler.runOnce()).not.toBeNull();
    expect(made.scheduler.status()[0]?.paused).toBeNull();
  });

  test("the pause survives a restart, and the jump back is not forgotten with it", () => {
    const dir = testFolder();
    const made = world("2026-07-21T06:00:00Z", { dir });
    made.scheduler.runOnce();
    made.clock.setWall(made.clock.now() + YEAR);
    made.scheduler.runOnce();
    const again = world("2027-07-26T00:00:00Z", { dir });
    expect(again.scheduler.runOnce()).toBeNull();
    expect(again.tasks()).toEqual([]);
    again.scheduler.resume("weekly");
    again.scheduler.runOnce();
    expect(again.tasks()).toHaveLength(1);
  });

  test("a clock set back while the program was closed is noticed by what the journal has seen", () => {
    const dir = testFolder();
    const made = world("2026-07-20T00:00:00Z", { dir });
    made.scheduler.runOnce();
    const again = world("2026-07-13T00:00:00Z", { dir });
    expect(again.scheduler.runOnce()).toBeNull();
    expect(again.scheduler.status()[0]?.paused).toMatchObject({ reason: "clock_jumped", movedMs: -7 * DAY });
  });

  test("a clock that differs from measured time begins nothing", () => {
    const made = world("2026-07-20T00:00:00Z", { trusted: { at: at("2026-07-13T00:00:00Z"), trusted: true } });
    expect(made.scheduler.runOnce()).toBeNull();
    expect(made.tasks()).toEqual([]);
    expect(made.scheduler.status()[0]?.paused).toMatchObject({ reason: "clock_differs", movedMs: 7 * DAY });
  });

  test("time that was not measured accuses nobody", () => {
    const made = world("2026-07-20T00:00:00Z", { trusted: { at: 0, trusted: false } });
    made.scheduler.runOnce();
    expect(made.tasks()).toHaveLength(1);
  });

  test.each([
    ["forward", 90 * SECOND],
    ["back", -90 * SECOND],
  ])("set right by %s a minute and a half it goes on", (_name, moved) => {
    const made = world("2026-07-20T06:00:00Z", { schedule: { activeFrom: at("2026-07-20T05:00:00Z") } });
    made.scheduler.runOnce();
    made.clock.setWall(made.clock.now() + moved);
    expect(made.scheduler.runOnce()).toBe(at("2026-07-27T00:00:00Z"));
  });
});

describe("two timers for one period (S26)", () => {
  test("make one task, whichever comes first", () => {
    const dir = testFolder();
    const first = world("2026-07-20T00:00:00Z", { dir });
    const second = world("2026-07-20T00:00:00Z", { dir });
    first.scheduler.runOnce();
    second.scheduler.runOnce();
    first.scheduler.runOnce();
    expect(first.tasks()).toHaveLength(1);
    expect(second.scheduler.status()[0]?.refused).toBeNull();
  });

  test("dying between the task and its record leaves nothing to lose and nothing to do twice", () => {
    const dir = testFolder();
    const made = world("2026-07-20T00:00:00Z", { dir });
    const dying = new Scheduler({
      pipelines: [
        {
          schedule: {
            name: "weekly",
            pattern: "0 8 * * 1",
            zone: "Asia/Shanghai",
            slot: "edition",
            activeFrom: 0,
          },
          definition: briefingDefinition,
          language: "zh-CN",
        },
      ],
      journal: made.journal,
      fires: {
        ...made.fires,
        record: () => {
          throw new Error("killed");
        },
      },
      clock: made.clock,
      trusted: { read: () => ({ at: 0, trusted: false, source: "test" }) },
    });
    expect(() => dying.runOnce()).toThrow("killed");
    made.clock.pass(MINUTE);
    made.scheduler.runOnce();
    expect(made.tasks()).toHaveLength(1);
    expect(made.fires.last("weekly")?.key).toBe("2026-07-20:edition");
  });

  test("an edition that a person began and closed before is not begun again", () => {
    const made = world("2026-07-19T23:00:00Z");
    const { journal } = made;
    const by = { actor: "editor:lin" as const, now: made.clock.now(), trusted: { at: 0, trusted: false, source: "" } };
    const created = journal.execute(
      {
        type: "create_task",
        taskKey: "weekly-briefing:2026-W30:zh-CN",
        taskVersion: 1,
        pipeline: "weekly-briefing",
        definitionHash: definitionHash(briefingDefinition),
        edition: "2026-W30",
        language: "zh-CN",
        deadlineAt: at("2026-07-20T02:30:00Z"),
        zone: "Asia/Shanghai",
        supersedesTaskId: null,
      },
      by,
    );
    if (created.result !== "applied" || created.taskId === null) throw new Error("not created");
    const closed = journal.execute(
      { type: "transition", taskId: created.taskId, event: "ClosedProtectively", reason: "holiday" },
      { ...by, expectedVersion: 0 },
    );
    expect(closed.result).toBe("applied");
    made.clock.setWall(at("2026-07-20T00:00:00Z"));
    made.scheduler.runOnce();
    expect(made.tasks()).toHaveLength(1);
    expect(made.scheduler.status()[0]).toMatchObject({ refused: null, last: { key: "2026-07-20:edition" } });
  });

  test("a journal that cannot be written begins nothing now and does so at a later tick", () => {
    const made = world("2026-07-20T00:00:00Z");
    made.sqlite.pragma("query_only = 1");
    expect(made.scheduler.runOnce()).toBe(at("2026-07-20T00:00:30Z"));
    expect(made.scheduler.status()[0]).toMatchObject({ last: null, refused: { result: "unavailable" } });
    made.sqlite.pragma("query_only = 0");
    made.clock.pass(30 * SECOND);
    made.scheduler.runOnce();
    expect(made.tasks()).toHaveLength(1);
    expect(made.scheduler.status()[0]?.refused).toBeNull();
  });
});
