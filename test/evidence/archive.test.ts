import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { BAG } from "../../main/evidence/bag-layout";
import { nameFaults } from "../../main/evidence/entry-names";
import { type Entry, exported, failed, freshDir, packed, unpacked, verdictOn, workspaceWith } from "./bundle-kit";

/** Archives that would do harm to whoever unpacks them, or that two programs would read as two different things. */
let path: string;
let entries: Entry[];
const LINK_MODE = 0o120777;

beforeAll(async () => {
  path = (await exported(await workspaceWith("2026-W30"))).path;
  entries = await unpacked(path);
});

/** A bundle that is good but for one more entry, named from the archive's root. */
const withMore = async (name: string, more: Partial<Entry> = {}) => {
  const inFolder = entries.map((entry) => ({ ...entry, name: `2026-W30.evidence/${entry.name}` }));
  return verdictOn(await packed([...inFolder, { name, bytes: Buffer.from("x"), ...more }], ""));
};

describe("an archive is refused whole", () => {
  test.each([
    ["../out2/x", "leaves its folder"],
    ["2026-W30.evidence/../../out2/x", "leaves its folder"],
    ["2026-W30.evidence/data/../../../x", "leaves its folder"],
    ["..", "leaves its folder"],
    ["/etc/passwd", "is absolute"],
    ["C:/x", "is absolute"],
    ["2026-W30.evidence\\..\\x", "backslash"],
    ["2026-W30.evidence/data/./report.html", "leaves its folder or goes through it"],
    ["2026-W30.evidence//data/report.html", "leaves its folder or goes through it"],
    ["2026-W30.evidence/data/report.html", "is there twice"],
    ["2026-W30.evidence/data/Report.html", "differ in case"],
    ["2026-W30.evidence/Data/x", "differ in case"],
    ["2026-W30.evidence/data/report.html/x", "is a file and a folder"],
    ["2026-W30.evidence/data/nul.txt", "another file on Windows"],
    ["2026-W30.evidence/data/report.html.", "another file on Windows"],
    ["2026-W30.evidence/data/report.html:stream", "another file on Windows"],
    ["2026-W30.evidence/data/a\nb", "control character"],
    ["", "is empty"],
  ])("for an entry named %j", async (name, why) => {
    const verdict = await withMore(name);
    expect(verdict.valid).toBe(false);
    expect(failed(verdict)).toHaveLength(1);
    expect(failed(verdict)[0]).toMatch(/^names: /);
    expect(failed(verdict)[0]).toContain(why);
    // Nothing of it was opened.
    expect(verdict).toMatchObject({ signer: null, events: null, label: null });
  });

  test("for a folder beside the bundle's own whose name begins with two dots", async () => {
    expect(failed(await withMore("..out/x"))).toEqual(["bag: not everything is in one folder"]);
  });

  test("for a link among its files", async () => {
    const verdict = await withMore("2026-W30.evidence/data/link", {
      bytes: Buffer.from("/etc/passwd"),
      mode: LINK_MODE,
    });
    expect(failed(verdict)).toEqual(['names: "2026-W30.evidence/data/link" is a link or a device']);
  });

  test("for a file that has become a link, with the same contents", async () => {
    const linked = entries.map((entry) => (entry.name === BAG.report ? { ...entry, mode: LINK_MODE } : entry));
    expect(failed(await verdictOn(await packed(linked)))[0]).toContain("is a link or a device");
  });

  test("for a bomb, before it is unpacked", async () => {
    const { deflateRawSync } = await import("node:zlib");
    // Our own writer makes none: a large entry that compresses so well is stored as it is. So the header is written over.
    const bomb = await packed([{ name: "data/bomb", bytes: Buffer.alloc(900_000) }]);
    const bytes = readFileSync(bomb);
    expect(deflateRawSync(Buffer.alloc(900_000)).length).toBeLessThan(2_000);
    const claimed = 4_000_000_000;
    bytes.writeUInt32LE(claimed, 22);
    bytes.writeUInt32LE(claimed, bytes.indexOf(Buffer.from("PK\u0001\u0002")) + 24);
    writeFileSync(bomb, bytes);
    expect(failed(await verdictOn(bomb))).toEqual([
      expect.stringMatching(/^names: "2026-W30.evidence\/data\/bomb" would grow from \d+ to 4000000000 bytes: a bomb$/),
    ]);
  });

  test("for an entry that grows beyond what it announces", async () => {
    const bytes = readFileSync(await packed(entries));
    const at = bytes.indexOf(Buffer.from("2026-W30.evidence/bag-info.txt")) - 30;
    const central = bytes.lastIndexOf(Buffer.from("2026-W30.evidence/bag-info.txt")) - 46;
    bytes.writeUInt32LE(bytes.readUInt32LE(at + 22) - 1, at + 22);
    bytes.writeUInt32LE(bytes.readUInt32LE(central + 24) - 1, central + 24);
    const changed = join(freshDir(), "changed.zip");
    writeFileSync(changed, bytes);
    expect(failed(await verdictOn(changed)).join()).toContain("bag-info.txt is longer than the");
  });

  test.each([
    ["whose two headers name an entry differently", (bytes: Buffer) => bytes.write("X", 40)],
    ["that begins with something else", (bytes: Buffer) => Buffer.concat([Buffer.from("#!/bin/sh\n"), bytes])],
    ["with something behind its end", (bytes: Buffer) => Buffer.concat([bytes, Buffer.from("more")])],
    ["that is none", () => Buffer.from("no archive at all, but longer than its end record would be")],
  ])("%s", async (_, change) => {
    const bytes = readFileSync(path);
    const result = change(bytes);
    const changed = join(freshDir(), "changed.zip");
    writeFileSync(changed, Buffer.isBuffer(result) ? result : bytes);
    const verdict = await verdictOn(changed);
    expect(verdict.valid).toBe(false);
    expect(failed(verdict)).toHaveLength(1);
    expect(failed(verdict)[0]).toMatch(/^archive: /);
  });

  test("but not for names in any script", () => {
    expect(
      nameFaults(["第三十期.evidence/数据/é.txt", "第三十期.evidence/数据/🗞.txt", "第三十期.evidence/..x/y"]),
    ).toEqual([]);
    expect(nameFaults(["a/\u00e9", "a/e\u0301"])[0]).toContain("differ in case or accents only");
  });
});
