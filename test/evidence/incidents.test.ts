import { cpSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, test } from "vitest";
import { openEvidenceRows } from "../../db/evidence-rows";
import { canonicalJson } from "../../main/domain/hashing";
import { BAG } from "../../main/evidence/bag-layout";
import { planBundle } from "../../main/evidence/plan-bundle";
import { exportCommand } from "../../main/headless/export-command";
import { finishedEdition } from "../break/finished-edition";
import {
  type Entry,
  exported,
  failed,
  freshDir,
  type Made,
  packed,
  recomputed,
  resigned,
  run,
  text,
  unpacked,
  verdictOn,
  withEntry,
} from "./bundle-kit";

/** An edition with a closed incident about two pages, a raised epoch, a bounce worked off: what its bundle tells of them. */
let dir: string;
let made: Made;
let entries: Entry[];

beforeAll(async () => {
  dir = finishedEdition();
  made = await exported(dir, "--language", "en");
  entries = await unpacked(made.path);
});

const named = (folder: string) => entries.map(({ name }) => name).filter((name) => name.startsWith(folder));
const recordOf = (rule: string) =>
  named(BAG.incidents).find((name) => text(entries, name).includes(`"rule":"${rule}"`)) ?? "";
/**
 * What is said of what whoever holds the very key of the bundle could pass on. They would have changed the list of files as well,
 * which notices each of these by its hash.
 */
const saidOf = async (changed: readonly Entry[]) =>
  failed(await verdictOn(await packed(resigned(recomputed(changed), made.seed)))).filter(
    (line) => !line.startsWith("files_listed: "),
  );
/** A record changed as its writer would have written it. */
const withFields = (name: string, change: (fields: Record<string, unknown>) => Record<string, unknown>) =>
  withEntry(entries, name, (before) => `${canonicalJson(change(JSON.parse(before)))}\n`);
const without = (...names: string[]) => entries.filter(({ name }) => !names.includes(name));

describe("a bundle with incidents", () => {
  test("holds each with what it froze, its events and what was shown at its closing", async () => {
    expect(failed(await verdictOn(made.path))).toEqual([]);
    expect(JSON.parse(text(entries, recordOf("duplicate_remote")))).toMatchObject({
      scope: "slot",
      scopeValue: expect.stringContaining("weekly-briefing:"),
      openedAt: expect.stringMatching(/Z$/),
      opened: { actor: "system", seq: expect.any(Number) },
      ended: {
        ...{ type: "IncidentClosed", reason: "a gateway repeated it" },
        shown: { evidence: { canonicalId: "18427", drafterReleased: "by the owner" } },
      },
    });
    expect(JSON.parse(text(entries, recordOf("journal_epoch")))).toMatchObject({
      ...{ scope: "all", taskId: null, closedAt: null },
      ...{ opened: { type: "EpochRaised" }, ended: { type: "EpochReconciled" } },
    });
    expect(named(BAG.recovery)).toHaveLength(1);
    expect(JSON.parse(text(entries, named(BAG.recovery)[0] ?? ""))).toMatchObject({ minutes: 7, stage: "recovering" });
  });

  test("lists them, says them in the report and counts them before", () => {
    const report = text(entries, BAG.report);
    expect(report).toContain("a gateway repeated it");
    expect(report).toContain("<h3>Incidents (2)</h3>");
    for (const name of [...named(BAG.incidents), ...named(BAG.recovery)])
      expect(text(entries, BAG.files)).toContain(`,${name},`);
    const opened = openEvidenceRows(dir);
    if (opened.kind === "problem") throw new Error(opened.problem.detail);
    const tasks = opened.rows.select({ kind: "everything" }).map(({ id }) => id);
    const { included } = planBundle(opened.rows, { tasks, about: { kind: "edition" }, withBytes: false });
    // The epoch was raised after the last thing that happened to the edition: it is no part of its story.
    expect(opened.rows.readIncidents(tasks).map(({ row }) => row.rule)).toEqual(["duplicate_remote"]);
    expect(included).toMatchObject([
      { kind: "recovery-item", files: 1 },
      { kind: "incident", files: 1 },
    ]);
    opened.rows.close();
  });

  test("of one edition or of the incident has it as well", async () => {
    const [id] = made.json.tasks;
    const incident = JSON.parse(text(entries, recordOf("duplicate_remote"))).id as string;
    for (const choice of [
      ["--task", id ?? ""],
      ["--incident", incident],
    ]) {
      const one = await exported(dir, ...choice);
      const names = (await unpacked(one.path)).map(({ name }) => name);
      expect(names).toContain(join(BAG.incidents, `${incident}.json`));
      expect(failed(await verdictOn(one.path))).toEqual([]);
    }
  });

  test.each<[string, () => Entry[], RegExp]>([
    [
      "an edited closing note",
      () =>
        withFields(recordOf("duplicate_remote"), (row) => ({
          ...row,
          ended: { ...(row["ended"] as object), reason: "nothing was wrong" },
        })),
      /^incidents: data\/incidents\/in-\w+\.json says of event \d+ what the journal does not say$/,
    ],
    [
      "another inventory",
      () =>
        withEntry(entries, recordOf("duplicate_remote"), (before) =>
          before.replace('"publicStatus":404', '"publicStatus":410'),
        ),
      /^incidents: data\/incidents\/in-\w+\.json says of its closing what event \d+ does not say$/,
    ],
    [
      "another place",
      () => withFields(recordOf("duplicate_remote"), (row) => ({ ...row, scopeValue: "publish:another" })),
      /^incidents: .* says scopeValue publish:another, the events publish:weekly-briefing/,
    ],
    [
      "another rule",
      () => withFields(recordOf("journal_epoch"), (row) => ({ ...row, rule: "by_hand" })),
      /^incidents: .* says rule by_hand, the events journal_epoch/,
    ],
    [
      "an earlier opening",
      () => withFields(recordOf("journal_epoch"), (row) => ({ ...row, openedAt: "2020-01-01T00:00:00Z" })),
      /^incidents: .* says openedAt 1577836800000, the events \d+/,
    ],
    [
      "an incident dropped",
      () => without(recordOf("duplicate_remote")),
      /^incidents: the incident in-\w+ that event \d+ tells of is not there; event \d+ saw two objects in publish:/,
    ],
    [
      "an incident that no event opened",
      () => [
        ...entries,
        {
          name: `${BAG.incidents}in-1.json`,
          bytes: Buffer.from(
            `${JSON.stringify({ id: "in-1", rule: "by_hand", opened: null, ended: null, worked: [] })}\n`,
          ),
        },
      ],
      /^incidents: data\/incidents\/in-1\.json names no event that opened it$/,
    ],
    [
      "a recovery item taken further",
      () => withFields(named(BAG.recovery)[0] ?? "", (row) => ({ ...row, stage: "closed" })),
      /^rows: .*recovery item ri-\w+ stage: the row says closed, the events recovering$/,
    ],
  ])("and %s is named, though the right key signed for it", async (_, change, said) => {
    const [first, ...more] = await saidOf(change());
    expect(first).toMatch(said);
    expect(more).toEqual([]);
  });

  test("whose closing's contents are withheld says that they were not looked at, and is no worse for it", async () => {
    const { ended } = JSON.parse(text(entries, recordOf("duplicate_remote")));
    const verdict = await verdictOn(
      await packed(resigned(recomputed(without(`${BAG.bodies}${ended.payloadHash}.json`)), made.seed)),
    );
    expect(failed(verdict)).toEqual([]);
    expect(verdict.valid).toBe(true);
    const open = verdict.checks.filter(({ ok }) => ok === null).map(({ name, detail }) => `${name}: ${detail}`);
    expect(open.join("\n")).toContain("incidents: not looked at: 1 events about incidents");
    expect(open.join("\n")).toContain("rows: not looked at: the records of 1 tasks");
  });
});

test("a journal that is not in order is exported with a warning, in the bundle as well, and verifying finds the same", async () => {
  const damaged = join(freshDir(), "copy");
  cpSync(dir, damaged, { recursive: true });
  const sqlite = new Database(join(damaged, "journal.db"));
  const triggers = sqlite.prepare<[], { name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'",
  );
  const all = triggers.all();
  for (const { name } of all) sqlite.exec(`DROP TRIGGER "${name}"`);
  sqlite.exec("UPDATE operation SET remote_id = '999' WHERE kind = 'publish'");
  for (const { sql } of all) sqlite.exec(sql);
  sqlite.close();
  const out = join(freshDir(), "b.zip");
  const said = await run(exportCommand, damaged, "--out", out, "--language", "en");
  expect(said.code).toBe(0);
  expect(said.out).toMatch(/^WARNING {4}the journal is NOT in order/);
  const fault = "remoteId: the row says 999, the events 18427";
  expect(said.out).toContain(fault);
  const inside = await unpacked(out);
  expect(text(inside, BAG.info)).toMatch(/^Journal-Check: NOT in order: invariants: I08 .*the row says 999/m);
  expect(text(inside, BAG.report)).toContain("That the journal was in order.");
  expect(text(inside, BAG.report)).toContain(fault);
  expect(failed(await verdictOn(out))).toEqual([expect.stringContaining(fault)]);
  expect(made.json).toMatchObject({ journalFaults: [] });
  expect(text(entries, BAG.info)).toMatch(/^Journal-Check: in order$/m);
});
