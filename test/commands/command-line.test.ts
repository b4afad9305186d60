import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { problemOf } from "../../db/problem";
import { demo } from "../../main/headless/demo";
import { findWorkspace } from "../../main/headless/find-workspace";
import { fsckCommand } from "../../main/headless/fsck-command";
import { ledger } from "../../main/headless/ledger";
import { sayFault } from "../../main/headless/say-fault";
import { scenarios } from "../../main/headless/scenarios";
import type { Streams } from "../../main/headless/streams";
import { listen } from "../support/listener";
import { asOrdinaryUser } from "../support/ordinary-user";

// A mistake of the call: named with the option and what to do, exit 2, nothing begun (README, the commands).

const folder = mkdtempSync(join(tmpdir(), "imprimatur-call-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function call(command: (streams: Streams) => number | Promise<number>) {
  const { streams, out, err } = listen();
  const code = await command(streams);
  return { code, out: out(), err: err() };
}

describe("a mistake of the call", () => {
  test("a scenario that is not there is named, even beside one that is", async () => {
    const said = await call((streams) => scenarios(["--only", "S13,S99"], "", streams));
    expect(said).toEqual({ code: 2, out: "", err: "scenarios: --only: none is named S99; --list names them all\n" });
  });

  test("files and folders of the demo are looked at before a workspace is made", async () => {
    for (const [option, what] of [
      ["--audience", "file"],
      ["--sources", "folder"],
    ] as const) {
      const missing = join(folder, "missing");
      const said = await call((streams) => demo([option, missing], "", streams));
      expect(said).toEqual({
        code: 2,
        out: "",
        err: expect.stringContaining(`${option} ${missing}: there is no such ${what}`),
      });
    }
  });

  test("the ledger's folder has to be empty", async () => {
    writeFileSync(join(folder, "mine.txt"), "mine");
    const said = await call((streams) => ledger(["--workspace", folder], "", streams));
    expect(said).toMatchObject({ code: 2, err: expect.stringContaining("is not empty") });
  });

  test("fsck says what it does, and what a named folder lacks", async () => {
    expect(await call((streams) => fsckCommand(["--help"], streams))).toMatchObject({ code: 0, err: "" });
    const empty = join(folder, "empty");
    mkdirSync(empty);
    const said = await call((streams) => fsckCommand([empty], streams));
    expect(said).toEqual({ code: 2, out: "", err: `fsck: ${empty} has no journal.db: this is no workspace\n` });
  });

  test("a folder that is not there, and a file in its place", () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    expect(findWorkspace(file)).toEqual({ wrong: `${file} is a file: name the workspace's folder` });
    const missing = join(folder, "none");
    expect(findWorkspace(missing)).toEqual({ wrong: `there is no folder ${missing}` });
  });

  test("a journal that may not be read is not called missing", async () => {
    const dir = join(folder, "sealed");
    mkdirSync(dir);
    writeFileSync(join(dir, "journal.db"), "");
    chmodSync(join(dir, "journal.db"), 0o000);
    chmodSync(folder, 0o755);
    const found = await asOrdinaryUser(dir, () => findWorkspace(dir));
    expect(found).toEqual({ wrong: expect.stringContaining("may not be read by this user") });
  });
});

test("a code that the system's own words begin with is told once", () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  expect(problemOf(full, "/x")).toEqual({ ...{ code: "disk_full", path: "/x" }, detail: full.message });
});

test("what the system refused is told with its path and a way on, a fault of ours with where it happened", () => {
  const refused = Object.assign(new Error("EACCES: permission denied, open '/x'"), { code: "EACCES", path: "/x" });
  expect(sayFault(refused)).toBe(
    "/x may not be read or written by this user; run this as its owner, or name another place (EACCES)",
  );
  expect(sayFault(new TypeError("x is not a function"))).toContain("command-line.test.ts");
  expect(sayFault(new Error("--edition takes an ISO week"))).toBe("--edition takes an ISO week");
});
