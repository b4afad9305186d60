import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openReader } from "../../db/connect";
import { JOURNAL_NAME } from "../../db/open";
import { definitionCommand } from "../../main/headless/definition-command";
import { testFolder, testJournal } from "../db/journal-file";
import { listen } from "../support/listener";

// Domain 13: a definition is handed on as a readable folder, checked, and registered as a version of its own.

const TEMPLATE = "main/templates/next-workflow";

/** Calls the command as it is typed. */
function call(...args: string[]) {
  const { streams, out, err } = listen();
  const code = definitionCommand(args, TEMPLATE, streams);
  return { code, out: out(), err: err(), json: () => JSON.parse(out()) as Record<string, unknown> };
}

/** An exported package of this program's, ready to be spoilt. */
function exported(name = "membership-cancellation"): string {
  const dir = join(testFolder(), "package");
  expect(call("export", name, "--out", dir)).toMatchObject({ code: 0, out: "", err: "" });
  return dir;
}

/** Changes one of its files. */
function change(dir: string, file: string, edit: (value: Record<string, unknown>) => void): void {
  const value = JSON.parse(readFileSync(join(dir, file), "utf8")) as Record<string, unknown>;
  edit(value);
  writeFileSync(join(dir, file), JSON.stringify(value));
}

const bytesOf = (dir: string) => readdirSync(dir).map((name) => [name, readFileSync(join(dir, name), "utf8")]);

describe("a package", () => {
  test.each([
    ["weekly-briefing", 1],
    ["membership-cancellation", 2],
  ])("of %s is the same bytes each time, and in order", (name, version) => {
    const [one, two] = [exported(name), exported(name)];
    expect(bytesOf(one)).toEqual(bytesOf(two));
    expect(call("check", one, "--json").json()).toMatchObject({ valid: true, name, version });
    const listed = call("list", "--json").json()["workflows"] as { name: string; hash: string }[];
    const hash = listed.find((workflow) => workflow.name === name)?.hash;
    expect(call("check", one, "--json").json()).toMatchObject({ hash });
  });

  test("of the template says what is still a person's, and which questions nobody has answered", () => {
    const dir = join(testFolder(), "mine");
    expect(call("template", "--out", dir).code).toBe(0);
    const told = call("check", dir);
    expect(told.code).toBe(0);
    expect(told.out).toContain("not answered: key, query, retry, approvalBinds, compensation");
    expect(told.out).toContain('Take "reach_the_state" (grade D) out of segment "working"');
    expect(call("check", dir, "--json").json()).toMatchObject({ verdict: "draft_and_manual" });
  });

  const spoils: [string, (dir: string) => void, string][] = [
    ["another file", (dir) => writeFileSync(join(dir, "run.sh"), ""), "run.sh: belongs to no package: take it out"],
    ["a missing file", (dir) => rmSync(join(dir, "actions.json")), "actions.json: is missing"],
    ["no JSON", (dir) => writeFileSync(join(dir, "actions.json"), "{"), "actions.json: is no JSON"],
    [
      "a link",
      (dir) => {
        rmSync(join(dir, "workflow.json"));
        symlinkSync("/etc/hostname", join(dir, "workflow.json"));
      },
      "workflow.json: is no plain file",
    ],
    [
      "a field that nobody reads",
      (dir) => change(dir, "workflow.json", (value) => Object.assign(value, { runAs: "root" })),
      'workflow.json: Unrecognized key: "runAs"',
    ],
    [
      "a definition that was changed",
      (dir) => change(dir, "definition.json", (value) => Object.assign(value, { owner: "somebody" })),
      "workflow.json: definitionHash: definition.json was changed: its hash is",
    ],
    [
      "a path for a name",
      (dir) => change(dir, "definition.json", (value) => Object.assign(value, { name: "../../etc" })),
      "definition.json: name: small letters, digits and - only",
    ],
    [
      "a runbook of another version",
      (dir) =>
        change(dir, "workflow.json", (value) =>
          Object.assign(value, { runbooks: [{ kind: "clock_jump", version: 99 }] }),
        ),
      "workflow.json: runbooks[0]: clock_jump version 99: this program has version 1 of it",
    ],
    [
      "a scenario that is not there",
      (dir) => change(dir, "workflow.json", (value) => Object.assign(value, { faults: ["S99"] })),
      "workflow.json: faults[0]: S99 is no scenario of this program",
    ],
  ];
  test.each(spoils)("with %s is refused by file and field", (_what, spoil, words) => {
    const dir = exported();
    spoil(dir);
    const told = call("check", dir);
    expect(told.code).toBe(1);
    expect(told.out).toContain(words);
    expect(call("check", dir, "--json").json()).toMatchObject({ valid: false });
  });

  const wrongs: [string, Record<string, unknown>, string][] = [
    [
      "an owner who is their own backup",
      { backupOwner: "membership_desk" },
      "definition.json: backupOwner: name somebody else",
    ],
    [
      "a state of nowhere",
      { initialState: "nowhere" },
      'definition.json: initialState: "nowhere" is none of the states',
    ],
    [
      "a time of day that is none",
      { deadlines: "25:00" },
      "definition.json: deadlines.dueLocal: write the local time of day as HH:MM",
    ],
    ["a guard of another program", { guard: "moon_is_full" }, '"moon_is_full" is no guard of this program'],
    ["a block that nobody owns", { reason: "unheard_of" }, '"unheard_of" has no entry under blocked: who owns it?'],
    ["a state without a way out", { states: "stuck" }, 'nothing leads out of "stuck", and it is no end'],
  ];
  test.each(wrongs)("with %s is refused although its form is right", (_what, wrong, words) => {
    const dir = exported();
    change(dir, "workflow.json", (value) => Object.assign(value, { definitionHash: null }));
    change(dir, "definition.json", (value) => {
      const [first] = value["transitions"] as { guards: string[]; reasons?: string[] }[];
      if ("guard" in wrong) first?.guards.push(String(wrong["guard"]));
      else if ("reason" in wrong) Object.assign(first ?? {}, { reasons: [wrong["reason"]] });
      else if ("states" in wrong) (value["states"] as string[]).push(String(wrong["states"]));
      else if ("deadlines" in wrong) Object.assign(value["deadlines"] as object, { dueLocal: wrong["deadlines"] });
      else Object.assign(value, wrong);
    });
    const told = call("check", dir);
    expect(told.code).toBe(1);
    expect(told.out).toContain(words);
  });
});

describe("the call", () => {
  test.each([
    [["fetch"], 'there is no "fetch": list, template, export, check or import'],
    [["export", "weekly-briefing"], "export needs --out DIR"],
    [["check", "a", "b"], "check takes 1 name(s) and got 2"],
    [
      ["export", "nothing", "--out", "/nowhere"],
      'runs no workflow "nothing"; it runs weekly-briefing, membership-cancellation',
    ],
    [["check", "/there/is/none"], "there is no folder /there/is/none"],
    [["list", "--loud"], "see definition --help"],
  ])("%j is named as wrong before anything begins", (args, words) => {
    const told = call(...args);
    expect(told.code).toBe(2);
    expect(told.err).toContain(words);
  });

  test("fills no folder that has something in it", () => {
    const dir = testFolder();
    mkdirSync(join(dir, "mine"));
    expect(call("template", "--out", dir)).toMatchObject({ code: 2 });
    expect(readdirSync(dir)).toEqual(["mine"]);
  });
});

describe("an import", () => {
  const registered = (dir: string) => {
    const reader = openReader(join(dir, JOURNAL_NAME));
    const rows = reader
      .prepare<[], string>("SELECT name || ' ' || version FROM pipeline_definition ORDER BY 1")
      .pluck()
      .all();
    reader.close();
    return rows;
  };

  test("registers a version once, keeps what is there, and refuses another one under the same version", () => {
    const { dir: workspace, close } = testJournal();
    close();
    const dir = join(testFolder(), "mine");
    cpSync(TEMPLATE, dir, { recursive: true });
    expect(call("import", dir, workspace)).toMatchObject({ code: 0 });
    expect(call("import", dir, workspace)).toMatchObject({ code: 0 });
    expect(registered(workspace)).toContain("next-workflow 1");
    change(dir, "definition.json", (value) => Object.assign(value, { undoFailuresPerDay: 9 }));
    const told = call("import", dir, workspace);
    expect(told).toMatchObject({ code: 1, out: "" });
    expect(told.err).toContain("the journal has another next-workflow 1; raise the version in definition.json");
    change(dir, "definition.json", (value) => Object.assign(value, { version: 2 }));
    expect(call("import", dir, workspace)).toMatchObject({ code: 0 });
    expect(registered(workspace).filter((name) => name.startsWith("next"))).toEqual([
      "next-workflow 1",
      "next-workflow 2",
    ]);
  });

  test("of a package that is wrong, or into what is no workspace, writes nothing", () => {
    const { dir: workspace, close } = testJournal();
    close();
    const dir = exported();
    change(dir, "workflow.json", (value) => Object.assign(value, { faults: ["S99"] }));
    expect(call("import", dir, workspace).code).toBe(1);
    expect(registered(workspace)).toEqual([]);
    expect(call("import", exported(), testFolder())).toMatchObject({ code: 2 });
  });
});
