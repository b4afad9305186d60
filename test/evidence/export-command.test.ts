import { createHash } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { parseHTML } from "linkedom";
import { beforeAll, describe, expect, test } from "vitest";
import { BAG } from "../../main/evidence/bag-layout";
import { mayPassOn } from "../../main/evidence/licence";
import { exportCommand } from "../../main/headless/export-command";
import { verifyCommand } from "../../main/headless/verify-command";
import { SAMPLES } from "../scenarios/frozen";
import {
  exported,
  failed,
  freshDir,
  packed,
  recomputed,
  resigned,
  run,
  text,
  unpacked,
  verdictOn,
  workspaceWith,
} from "./bundle-kit";

let workspace: string;
beforeAll(async () => {
  workspace = await workspaceWith("2026-W30", "2026-W31");
});

/** Every file of a folder with its hash: SQLite's own index of the open file is no file of ours. */
function filesOf(dir: string): Record<string, string> {
  const names = readdirSync(dir, { recursive: true, encoding: "utf8" }).sort();
  const files = names.filter((name) => statSync(join(dir, name)).isFile() && !name.endsWith("-shm"));
  return Object.fromEntries(
    files.map((name) => [
      name,
      createHash("sha256")
        .update(readFileSync(join(dir, name)))
        .digest("hex"),
    ]),
  );
}

const addresses = (): string[] =>
  readFileSync(join(SAMPLES, "audience.csv"), "utf8")
    .split("\n")
    .slice(1)
    .flatMap((line) => line.split(",")[1] ?? []);

describe("an export", () => {
  test("changes nothing in the workspace but for the key that it makes once, which only its owner can read", async () => {
    const before = filesOf(workspace);
    const first = await exported(workspace);
    const { "signer.key": key, ...after } = filesOf(workspace);
    expect(after).toEqual(before);
    expect(statSync(join(workspace, "signer.key")).mode & 0o777).toBe(0o600);
    const second = await exported(workspace);
    expect(second.allowed).toBe(first.allowed);
    expect(filesOf(workspace)["signer.key"]).toBe(key);
  });

  test("holds no address, no mail as it was sent, and no key", async () => {
    const { path } = await exported(workspace);
    const everything = Buffer.concat((await unpacked(path)).map(({ bytes }) => bytes))
      .toString("latin1")
      .toLowerCase();
    expect(addresses().length).toBe(63);
    expect(addresses().filter((address) => everything.includes(address.toLowerCase()))).toEqual([]);
    for (const name of ["signer.key", "customers.key"]) {
      const key = readFileSync(join(workspace, name));
      expect(everything.includes(key.toString("latin1").toLowerCase())).toBe(false);
      expect(everything.includes(key.toString("hex"))).toBe(false);
    }
  });

  test("says what was left out and why, and has every other byte", async () => {
    const { path, json } = await exported(workspace, "--task", "weekly-briefing:2026-W30:zh-CN");
    const entries = await unpacked(path);
    const [head, ...lines] = text(entries, BAG.files).trimEnd().split("\n");
    expect(head).toBe("task_id,kind,sha256,bytes,media_type,title,url,licence,path,left_out_because");
    const left = lines.filter((line) => !line.endsWith(","));
    expect(left.map((line) => line.split(",").pop()).sort()).toEqual([
      ...Array(3).fill("addresses"),
      ...Array(json.withheld.licence).fill("licence"),
    ]);
    const licences = JSON.parse(readFileSync(join(SAMPLES, "sources.json"), "utf8")).map(
      (one: { licence: string }) => one.licence,
    );
    expect(json.withheld.licence).toBe(licences.filter((licence: string) => !mayPassOn(licence)).length);
    for (const { name, bytes } of entries)
      if (/^data\/(snapshots|artifacts)\//.test(name))
        expect(createHash("sha256").update(bytes).digest("hex")).toBe(/([0-9a-f]{64})/.exec(name)?.[1]);
  });

  test("without bytes has records and hashes only", async () => {
    const { path, json } = await exported(workspace, "--without-bytes");
    const names = (await unpacked(path)).map(({ name }) => name);
    expect(
      names.filter((name) => /^data\/(snapshots|artifacts)\/|\.request$|receipts\/[0-9a-f]{64}/.test(name)),
    ).toEqual([]);
    expect(json.withheld.choice).toBeGreaterThan(10);
    expect((await verdictOn(path)).valid).toBe(true);
  });

  test("of one task withholds the contents of the other's events, and the whole chain still verifies", async () => {
    const all = await exported(workspace);
    const one = await exported(workspace, "--task", all.json.tasks[1] ?? "");
    expect(one.json).toMatchObject({ tasks: [all.json.tasks[1]], events: all.json.events, head: all.json.head });
    const bodies = async (path: string) =>
      (await unpacked(path)).filter(({ name }) => name.startsWith(BAG.bodies)).length;
    expect(await bodies(one.path)).toBeLessThan(await bodies(all.path));
    const verdict = await verdictOn(one.path);
    expect(failed(verdict)).toEqual([]);
    expect(verdict.events).toBe(all.json.events);
  });

  test("of a period has the tasks with an event in it", async () => {
    const sqlite = new Database(join(workspace, "journal.db"), { readonly: true });
    const days = sqlite
      .prepare("SELECT DISTINCT task_id, date(at / 1000, 'unixepoch') AS day FROM event")
      .raw()
      .all() as [string, string][];
    sqlite.close();
    const day = days[0]?.[1] ?? "";
    const { json } = await exported(workspace, "--from", day, "--to", day);
    expect([...json.tasks].sort()).toEqual(
      [...new Set(days.filter((row) => row[1] === day).map((row) => row[0]))].sort(),
    );
    const none = await run(
      exportCommand,
      workspace,
      "--out",
      join(freshDir(), "b.zip"),
      "--from",
      "2020-01-01",
      "--to",
      "2020-01-31",
    );
    expect(none).toMatchObject({ code: 2, out: "" });
    expect(none.err).toContain("--from 2020-01-01T00:00:00Z --to 2020-02-01T00:00:00Z: nothing happened then");
  });

  test("of an incident has the tasks of its place, or all that went on while it was open", async () => {
    const dir = join(freshDir(), "copy");
    cpSync(workspace, dir, { recursive: true });
    const sqlite = new Database(join(dir, "journal.db"));
    sqlite.exec("DROP TRIGGER incident_begins_open");
    const [first, second] = sqlite.prepare("SELECT id FROM task ORDER BY created_at").pluck().all() as string[];
    const slot = sqlite.prepare("SELECT slot FROM operation WHERE task_id = ?").pluck().get(second);
    const { at, until } = sqlite
      .prepare<[unknown], { at: number; until: number }>(
        "SELECT min(at) AS at, max(at) AS until FROM event WHERE task_id = ?",
      )
      .get(first) ?? { at: 0, until: 0 };
    const insert = sqlite.prepare(
      "INSERT INTO incident (id, task_id, rule, scope, scope_value, opened_at, opened_by, closed_at) VALUES (?, ?, 'by_hand', ?, ?, ?, 'editor:lin', ?)",
    );
    insert.run("of-slot", null, "slot", slot, at, null);
    insert.run("of-task", second, "task", second, at, null);
    insert.run("of-all", null, "all", "", at, until);
    insert.run("of-nothing", null, "adapter", "wordpress", 0, 1);
    sqlite.close();
    const tasksOf = async (id: string) => (await exported(dir, "--incident", id)).json.tasks;
    expect(await tasksOf("of-slot")).toEqual([second]);
    expect(await tasksOf("of-task")).toEqual([second]);
    expect(await tasksOf("of-all")).toContain(first);
    for (const id of ["of-nothing", "none"]) {
      const said = await run(exportCommand, dir, "--out", join(freshDir(), "b.zip"), "--incident", id);
      expect(said).toMatchObject({ code: 2, out: "" });
      expect(said.err).toContain(`--incident ${id}: the journal has no such incident, or it is about no task`);
    }
  });

  test("follows an earlier one by its own name", async () => {
    const first = await exported(workspace);
    const second = await exported(workspace, "--previous", first.path);
    const named = /^Previous-Bag: ([0-9a-f]{64})$/m.exec(text(await unpacked(second.path), BAG.info))?.[1];
    expect(named).toBe((await verdictOn(first.path)).bag);
  });

  test("of a real workspace takes no key from the folder, and makes none", async () => {
    const dir = await workspaceWith("2026-W30");
    const sqlite = new Database(join(dir, "journal.db"));
    sqlite.exec("DROP TRIGGER journal_epoch_never_falls; UPDATE journal_state SET kind = 'real'");
    sqlite.close();
    const out = join(freshDir(), "b.zip");
    expect(await run(exportCommand, dir, "--out", out)).toMatchObject({
      code: 2,
      err: expect.stringContaining("--key FILE"),
    });
    expect(existsSync(join(dir, "signer.key"))).toBe(false);
    const key = join(freshDir(), "key");
    writeFileSync(key, Buffer.alloc(32, 9));
    // Typed with its accent apart, as a Mac may give it, it is the same name.
    const apart = "ren\u00e9@example.org".normalize("NFD");
    const typed = await run(exportCommand, dir, "--out", out, "--key", key, "--identity", apart);
    expect(typed).toMatchObject({ code: 0 });
    expect((await verdictOn(out)).signer?.identity).toBe("ren\u00e9@example.org");
    expect(await run(verifyCommand, out, "--identity", apart)).toMatchObject({ code: 0 });
  });
});

describe("an export that fails", () => {
  const leftIn = (dir: string) => readdirSync(dir);

  test("for a mistake of the call names it and leaves nothing", async () => {
    const dir = freshDir();
    const out = join(dir, "b.zip");
    writeFileSync(join(dir, "there.zip"), "earlier evidence");
    const calls: [string[], string][] = [
      [[], "export WORKSPACE --out"],
      [[workspace], "--out takes the file"],
      [[join(workspace, "blobs"), "--out", out], "this is no workspace"],
      [[workspace, "--out", join(dir, "no/such/b.zip")], "there is no folder"],
      [[workspace, "--out", dir], "is a folder"],
      ...["journal.db", "customers.db", "signer.key", "blobs/b.zip"].map((name): [string[], string] => [
        [workspace, "--out", join(workspace, name), "--replace"],
        "lies in the workspace",
      ]),
      [[workspace, "--out", join(dir, "there.zip")], "--replace"],
      [[workspace, "--out", out, "--task", "none"], "no such task"],
      [[workspace, "--out", out, "--from", "2026-02-30"], "--from takes a day"],
      [[workspace, "--out", out, "--from", "2026-08-01", "--to", "2026-07-01"], "--to is before --from"],
      [[workspace, "--out", out, "--task", "x", "--from", "2026-07-01"], "three ways to choose"],
      [[workspace, "--out", out, "--incident", "x", "--to", "2026-07-01"], "three ways to choose"],
      [[workspace, "--out", out, "--incident", ""], "--incident takes an incident's id"],
      [[workspace, "--out", out, "--identity", "a b"], "--identity takes a name"],
      [[workspace, "--out", out, "--key", join(SAMPLES, "audience.csv")], "key damaged"],
      [[workspace, "--out", out, "--key", join(dir, "none")], "there is no such file"],
      [[workspace, "--out", out, "--previous", join(dir, "there.zip")], "not a valid bundle"],
      [[workspace, "--out", out, "--nonsense"], "nonsense"],
    ];
    for (const [args, why] of calls) {
      const said = await run(exportCommand, ...args);
      expect(said, args.join(" ")).toMatchObject({ code: 2, out: "" });
      expect(said.err).toContain(why);
    }
    expect(leftIn(dir)).toEqual(["there.zip"]);
    expect(readFileSync(join(dir, "there.zip"), "utf8")).toBe("earlier evidence");
  });

  test("for frozen bytes that are damaged leaves nothing", async () => {
    const dir = await workspaceWith("2026-W30");
    const { path } = await exported(dir);
    const hash = /artifacts\/([0-9a-f]{64})/.exec((await unpacked(path)).map(({ name }) => name).join())?.[1] ?? "";
    appendFileSync(join(dir, "blobs", hash.slice(0, 2), hash.slice(2)), "x");
    const target = freshDir();
    const said = await run(exportCommand, dir, "--out", join(target, "b.zip"));
    expect(said).toMatchObject({ code: 1, err: expect.stringContaining(`frozen bytes ${hash} are damaged`) });
    expect(leftIn(target)).toEqual([]);
    // The hash is still evidence.
    expect((await exported(dir, "--without-bytes")).json.withheld.choice).toBeGreaterThan(0);
  });

  test("for a journal whose chain is broken leaves nothing", async () => {
    const dir = await workspaceWith("2026-W30");
    const sqlite = new Database(join(dir, "journal.db"));
    sqlite.exec(
      "DROP TRIGGER i08_event_no_update; UPDATE event SET header = replace(header, 'operator-script', 'editor:lin') WHERE seq = 1",
    );
    sqlite.close();
    const target = freshDir();
    const said = await run(exportCommand, dir, "--out", join(target, "b.zip"));
    expect(said).toMatchObject({ code: 1, err: expect.stringContaining("the journal's own chain is broken: event 2") });
    expect(leftIn(target)).toEqual([]);
  });

  test("because it is told to stop leaves nothing, and the earlier bundle as it was", async () => {
    const dir = freshDir();
    const out = join(dir, "b.zip");
    writeFileSync(out, "earlier evidence");
    const going = run(exportCommand, workspace, "--out", out, "--replace");
    while (!readdirSync(dir).some((name) => name.endsWith(".part")))
      await new Promise((resolve) => setImmediate(resolve));
    process.emit("SIGTERM");
    expect(await going).toMatchObject({ code: 130, out: "" });
    expect(leftIn(dir)).toEqual(["b.zip"]);
    expect(readFileSync(out, "utf8")).toBe("earlier evidence");
  });

  test("because it was killed is cleaned up by the next one", async () => {
    const dir = freshDir();
    const noSuchProcess = 2 ** 22 + 1;
    writeFileSync(join(dir, `.b.zip.${noSuchProcess}.part`), "half a bundle");
    writeFileSync(join(dir, `.other.zip.${noSuchProcess}.part`), "somebody else's");
    expect((await run(exportCommand, workspace, "--out", join(dir, "b.zip"))).code).toBe(0);
    expect(leftIn(dir).sort()).toEqual([`.other.zip.${noSuchProcess}.part`, "b.zip"]);
  });
});

describe("the report", () => {
  test("tells the edition, loads nothing, runs nothing, and says what it cannot prove", async () => {
    for (const [language, words] of [
      ["en", "What it does not prove"],
      ["zh-CN", "它不能证明什么"],
    ] as const) {
      const { path } = await exported(workspace, "--language", language);
      const page = text(await unpacked(path), BAG.report);
      const { document } = parseHTML(page);
      expect(document.documentElement.getAttribute("lang")).toBe(language);
      expect(document.querySelectorAll("script, link, img, iframe, object, [src], [href], [onclick]")).toHaveLength(0);
      expect(page).toContain("default-src 'none'");
      expect(page).toContain("@media print");
      expect(document.body.textContent).toContain(words);
      expect(document.querySelectorAll("h2")).toHaveLength(2);
      expect(document.body.textContent).toContain("18427");
    }
  });
});

describe("verify", () => {
  test("prints one JSON object, with an exit code that says the same", async () => {
    const { path, allowed, json } = await exported(workspace);
    const file = join(freshDir(), "allowed_signers");
    writeFileSync(file, `${allowed}\n`);
    const said = await run(verifyCommand, path, "--json", "--signers", file);
    expect(said).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(said.out)).toMatchObject({
      valid: true,
      events: json.events,
      head: json.head,
      signer: { trusted: true },
    });
    const bad = await run(
      verifyCommand,
      await packed([...(await unpacked(path)), { name: "data/new", bytes: Buffer.from("x") }]),
      "--json",
    );
    expect(bad.code).toBe(1);
    expect(JSON.parse(bad.out).checks.find((check: { name: string }) => check.name === "file_list")).toMatchObject({
      ok: false,
    });
    expect(await run(verifyCommand, join(workspace, "none.zip"))).toMatchObject({ code: 2, out: "" });
    expect(await run(verifyCommand)).toMatchObject({ code: 2, out: "" });
  });

  test("L2 a bundle with an entry ../out2/x is refused whole: nothing is unpacked, neither into out nor beside it", async () => {
    const { path, seed } = await exported(workspace);
    const entries = await unpacked(path);
    const bag = entries.map((entry) => ({ ...entry, name: `b.evidence/${entry.name}` }));
    const bytes = Buffer.from("x");
    const names = ["../out2/x", "b.evidence/../../out2/x", "/tmp/out2/x", "..\\out2\\x"];
    const hostile = await Promise.all(names.map((name) => packed([...bag, { name, bytes }], "")));
    // The worst: listed, counted and signed by the right key, so that nothing but its name is wrong.
    const listed = [...entries, { name: "data/../../out2/x", bytes }];
    hostile.push(await packed(resigned(recomputed(listed), seed)));
    for (const file of hostile) {
      const dir = freshDir();
      const said = await run(verifyCommand, file, "--json", "--into", join(dir, "out"));
      expect(said.code).toBe(1);
      expect(failed(JSON.parse(said.out))).toEqual([expect.stringMatching(/^names: /)]);
      expect(readdirSync(dir)).toEqual([]);
    }
  });

  test("unpacks a valid bundle whole, into a new folder only", async () => {
    const { path } = await exported(workspace);
    const dir = freshDir();
    const out = join(dir, "out");
    expect((await run(verifyCommand, path, "--into", out)).code).toBe(0);
    const names = readdirSync(out, { recursive: true, encoding: "utf8" }).filter((name) =>
      statSync(join(out, name)).isFile(),
    );
    const entries = await unpacked(path);
    expect(names.sort()).toEqual(entries.map(({ name }) => name).sort());
    for (const { name, bytes } of entries) expect(readFileSync(join(out, name)).equals(bytes), name).toBe(true);
    expect((await run(verifyCommand, path, "--into", out)).code).toBe(2);
    rmSync(out, { recursive: true });
    mkdirSync(out);
    expect((await run(verifyCommand, path, "--into", out)).err).toContain("is there already");
    expect(readdirSync(dir)).toEqual(["out"]);
  });
});
