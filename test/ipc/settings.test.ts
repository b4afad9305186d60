import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type Customers, openCustomers } from "../../db/customers";
import { loadJournalRows } from "../../db/load-kept-rows";
import { openScheduleFires } from "../../db/schedule-fires";
import { workspaceHandlers } from "../../main/compose/handlers";
import { checkJournalRows } from "../../main/domain/invariants";
import { Scheduler } from "../../main/engine/scheduler";
import type { Handlers } from "../../main/shell/handlers";
import { answer } from "../../main/shell/ipc-answer";
import type { Channel, Output } from "../../preload/contract";
import { freshDir } from "../db/fixture";
import { EDITOR, World } from "../support/world";
import { worldViews } from "../support/world-views";

const columns = { id: 0, address: 1, group: 3 };
const lines = (...rows: readonly string[]) => ["Customer,E-mail,Since,Plan", ...rows].join("\r\n");

/** The settings as the window asks for them: over the bridge's parsing, with the app's own handlers, on real databases. */
class Desk {
  readonly world = new World();
  readonly customers: Customers;
  /** What the person chooses in the system's dialog. */
  file: { name: string; bytes: Uint8Array | null } | null = null;
  nudges = 0;
  readonly fires = openScheduleFires(this.world.database.sqlite);
  private readonly handlers: Promise<Handlers>;

  constructor() {
    const { world } = this;
    const opened = openCustomers({ dir: freshDir(), key: new Uint8Array(32).fill(7) });
    if (opened.kind === "problem") throw new Error(opened.problem.detail);
    this.customers = opened.customers;
    onTestFinished(() => this.customers.close());
    this.customers.importAudience([
      { id: "c001", address: "ann@example.org", group: "team" },
      { id: "c002", address: "bo@example.org", group: "single" },
      { id: "c003", address: "cy@example.org", group: "team" },
    ]);
    const desk = {
      ...{ actor: EDITOR, journal: world.journal, pipeline: null },
      ...{ clock: { now: () => world.now }, trusted: { read: () => world.trusted() } },
    };
    const { database } = world;
    const workspace = { desk: () => desk, database, customers: this.customers, reader: world.openReader() };
    const loop = {
      nudge: () => {
        this.nudges += 1;
      },
    };
    const clock = () => ({ now: world.now, zone: "Asia/Shanghai", ...untold });
    const views = { ...worldViews(world), clock };
    const files = { chooseTable: async () => this.file, chooseNew: async () => null, writeText: () => false };
    const { journal } = world;
    const wall = { now: () => world.now, monotonic: () => null };
    const scheduler = new Scheduler({
      ...{ pipelines: [], journal, fires: this.fires, trusted: { read: () => world.trusted() } },
      clock: wall as never,
    });
    const handlers = workspaceHandlers({ workspace, loop, scheduler } as never, views as never, null as never, files);
    this.handlers = Promise.resolve(handlers as unknown as Handlers);
  }

  ask<C extends Channel>(channel: C, input: unknown = {}): Promise<Output<C>> {
    return answer(channel, input, { handlers: this.handlers, report: () => undefined });
  }

  async choose(text: string, name = "customers.csv") {
    this.file = { name, bytes: new TextEncoder().encode(text) };
    return this.ask("audience.choose");
  }

  members = () => this.customers.recipients().map(({ recipientId, group }) => `${recipientId} ${group}`);
}

const untold = { simulated: true, skipsWaiting: false, source: "world", trusted: true };
let desk: Desk;
beforeEach(() => {
  desk = new Desk();
});

describe("what the settings say", () => {
  test("who is in the audience by group, the next five of each schedule, deadlines and policies", async () => {
    const { audience, schedules, deadlines, policies, suppressions } = await desk.ask("settings.get");
    expect(audience).toEqual({
      ...{ members: 3, importVersion: 1 },
      groups: [
        { group: "team", count: 2 },
        { group: "single", count: 1 },
      ],
    });
    expect(suppressions).toEqual([]);
    const weekly = schedules.find(({ name }) => name === "weekly-briefing");
    expect(weekly?.next).toHaveLength(5);
    const local = new Intl.DateTimeFormat("en-GB", {
      ...{ timeZone: "Asia/Shanghai", weekday: "short", hour: "2-digit", minute: "2-digit" },
    });
    expect(new Set(weekly?.next.map((at) => local.format(at)))).toEqual(new Set(["Mon 08:30"]));
    // The clocks of Shanghai have not changed for decades.
    expect(weekly).toMatchObject({ clockChange: null, lastFiredAt: null, pausedSince: null });
    expect(deadlines).toMatchObject({ dueLocal: "10:30", zone: "Asia/Shanghai" });
    expect(policies.every(({ version }) => version >= 1)).toBe(true);
  });
});

test("a schedule that waits because the clock jumped goes on once a person has looked at it", async () => {
  const pausedSince = async () =>
    (await desk.ask("settings.get")).schedules.find(({ name }) => name === "weekly-briefing")?.pausedSince;
  const since = desk.world.now;
  desk.fires.pause("weekly-briefing", { since, reason: "clock_jumped", movedMs: -3_600_000 });
  expect(await pausedSince()).toBe(since);
  // The file refuses to be written: nothing is let go on that is not on disk.
  const { sqlite } = desk.world.database;
  sqlite.pragma("query_only = 1");
  await expect(desk.ask("settings.resumeSchedule", { name: "weekly-briefing" })).rejects.toThrow();
  expect([await pausedSince(), desk.nudges]).toEqual([since, 0]);
  sqlite.pragma("query_only = 0");
  expect(await desk.ask("settings.resumeSchedule", { name: "weekly-briefing" })).toEqual({ result: "resumed" });
  expect(await pausedSince()).toBeNull();
  expect(desk.nudges).toBe(1);
  expect(await desk.ask("settings.resumeSchedule", { name: "weekly-briefing" })).toEqual({ result: "not_paused" });
});

describe("the import of an audience", () => {
  test("a file with columns of its own: named by a person, looked at, imported whole", async () => {
    const chosen = await desk.choose(
      lines(
        "c001,ANN@example.org,2024,team",
        "c002,bo@example.org,2025,team",
        "c004,d@example.org,2026,trial",
        "c9, Ann@Example.org ,x,",
      ),
    );
    expect(chosen).toMatchObject({
      ...{
        result: "chosen",
        name: "customers.csv",
        columns: ["Customer", "E-mail", "Since", "Plan"],
        rows: 4,
        usual: null,
      },
    });
    const preview = await desk.ask("audience.preview", { columns });
    expect(preview).toMatchObject({
      ...{ result: "ready", count: 3, kept: 1, importVersion: 1, mergedCount: 0 },
      duplicates: [{ line: 5, id: "c9", repeatsLine: 2 }],
    });
    const told = preview.result === "ready" ? preview.changes.filter(({ count }) => count > 0) : [];
    expect(told.map(({ change, recipientIds }) => `${change} ${recipientIds}`)).toEqual([
      ...["added c004", "new_group c002", "removed c003"],
    ]);
    expect(desk.members()).toEqual(["c001 team", "c002 single", "c003 team"]);
    expect(await desk.ask("audience.import", { columns, importVersion: 1 })).toEqual({
      ...{ result: "imported", count: 3, importVersion: 2 },
    });
    expect(desk.members()).toEqual(["c001 team", "c002 team", "c004 trial"]);
    expect(desk.nudges).toBe(1);
    // It is used up: importing it again is choosing it again.
    expect(await desk.ask("audience.import", { columns, importVersion: 2 })).toEqual({ result: "no_file" });
  });

  test("the usual names of columns are told, in any order and without a group", async () => {
    expect(await desk.choose("address,ID\na@example.org,c001\n")).toMatchObject({
      usual: { id: 1, address: 0, group: null },
    });
    const preview = await desk.ask("audience.preview", { columns: { id: 1, address: 0, group: null } });
    expect(preview).toMatchObject({ result: "ready", count: 1 });
  });

  test("one bad row and nothing is imported: each is named by its line and its reason", async () => {
    await desk.choose(lines("c001,nobody,2024,team", "c@x,bo@example.org,2025,team", "c004,d@example.org"));
    const refused = {
      ...{ result: "bad_rows", rows: 3, badCount: 3 },
      bad: [
        { line: 2, reason: "address_not_allowed" },
        { line: 3, reason: "id_not_allowed" },
        { line: 4, reason: "wrong_column_count" },
      ],
    };
    expect(await desk.ask("audience.preview", { columns })).toEqual(refused);
    expect(await desk.ask("audience.import", { columns, importVersion: 1 })).toEqual(refused);
    expect(desk.members()).toHaveLength(3);
    expect(desk.nudges).toBe(0);
  });

  test("an id that another customer has is a conflict of its line; a list with nobody on it is refused", async () => {
    // c003 is cy's id; in this list cy has a new id and d has cy's.
    await desk.choose(lines("x,cy@example.org,1,a", "c003,d@example.org,1,a"));
    expect(await desk.ask("audience.preview", { columns })).toMatchObject({
      ...{ result: "bad_rows", bad: [{ line: 3, reason: "id_conflict" }] },
    });
    await desk.choose(lines());
    expect(await desk.ask("audience.import", { columns, importVersion: 1 })).toMatchObject({
      ...{ result: "bad_rows", bad: [{ line: 1, reason: "nobody" }] },
    });
    expect(desk.members()).toHaveLength(3);
  });

  test("what changed since it was looked at is not written over", async () => {
    await desk.choose(lines("c001,ann@example.org,1,a"));
    desk.customers.importAudience([{ id: "c005", address: "e@example.org", group: "" }]);
    expect(await desk.ask("audience.import", { columns, importVersion: 1 })).toEqual({ result: "stale" });
    expect(desk.members()).toEqual(["c005 "]);
  });

  test("no file, a file that is none, and one that is too large are told apart", async () => {
    expect(await desk.ask("audience.choose")).toEqual({ result: "nothing_chosen" });
    expect(await desk.ask("audience.preview", { columns })).toEqual({ result: "no_file" });
    expect(await desk.choose("")).toMatchObject({ result: "refused", reason: "empty_file" });
    desk.file = { name: "film.csv", bytes: null };
    expect(await desk.ask("audience.choose")).toMatchObject({
      result: "refused",
      name: "film.csv",
      reason: "too_large",
    });
    desk.file = { name: "latin.csv", bytes: new Uint8Array([0x69, 0xff]) };
    expect(await desk.ask("audience.choose")).toMatchObject({ result: "refused", reason: "not_utf8" });
  });
});

describe("the suppression list", () => {
  const kept = async () =>
    (await desk.ask("settings.get")).suppressions.map(({ recipientId, isMember }) => `${recipientId} ${isMember}`);

  test("takes people on and off, each with a reason, in a journal that keeps its promises", async () => {
    const suppress = (recipientId: string) => desk.ask("audience.suppress", { recipientId, reason: "unsubscribed" });
    expect(await suppress(" c002 ")).toMatchObject({ result: "applied" });
    expect(await suppress("c777")).toMatchObject({ result: "applied" });
    expect(await suppress("c002")).toMatchObject({
      ...{ result: "guard_failed", unmet: [{ code: "recipient_suppressed" }] },
    });
    expect(await kept()).toEqual(["c002 true", "c777 false"]);
    const release = (recipientId: string) =>
      desk.ask("audience.release", { recipientId, reason: "asked for it again" });
    expect(await release("c002")).toMatchObject({ result: "applied" });
    expect(await release("c002")).toMatchObject({ unmet: [{ code: "recipient_not_suppressed" }] });
    expect(await kept()).toEqual(["c777 false"]);
    const { sqlite } = desk.world.database;
    const broken = () => checkJournalRows(loadJournalRows(sqlite)).map(({ subject }) => subject);
    expect(broken()).toEqual([]);
    // Around the handlers: who was released is put back without a word of the journal.
    sqlite.exec("INSERT INTO suppression (recipient_id, version, reason, at) VALUES ('c002', 1, 'unsubscribed', 1)");
    expect(broken()).toEqual(["c002"]);
    sqlite.exec("DELETE FROM suppression WHERE recipient_id = 'c002'");
    expect(await suppress("c002")).toMatchObject({ result: "applied" });
    const told = sqlite
      .prepare(
        "SELECT actor, reason, json_extract(payload, '$.version') AS v FROM event WHERE type = 'SuppressionChanged'",
      )
      .all();
    expect(told).toEqual([
      { actor: EDITOR, reason: "unsubscribed", v: 1 },
      { actor: EDITOR, reason: "unsubscribed", v: 2 },
      { actor: EDITOR, reason: "asked for it again", v: 3 },
      { actor: EDITOR, reason: "unsubscribed", v: 4 },
    ]);
    expect(broken()).toEqual([]);
  });

  test("refuses an address in the place of an id, and a change without a reason, before anything is done", async () => {
    await expect(desk.ask("audience.suppress", { recipientId: "a@b.org", reason: "x" })).rejects.toThrow(
      "bad_input: recipientId",
    );
    await expect(desk.ask("audience.release", { recipientId: "c002", reason: " " })).rejects.toThrow(
      "bad_input: reason",
    );
    expect(await kept()).toEqual([]);
  });
});
