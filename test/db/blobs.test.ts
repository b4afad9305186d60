import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BlobDamaged, openBlobReader, openBlobs } from "../../db/blobs";
import { type FileCalls, nodeFiles } from "../../db/folder";
import { sha256 } from "../../main/domain/hashing";
import { filesOf, freshDir } from "./fixture";

const bytes = Buffer.from("frozen 中文 bytes");
const hash = sha256(bytes);
const address = (dir: string) => join(dir, "blobs", hash.slice(0, 2), hash.slice(2));
const errno = (code: string) => () => {
  throw Object.assign(new Error("in another language"), { code });
};

describe("frozen bytes", () => {
  test("lie under their hash alone, for this user only, and come back verified", () => {
    const dir = freshDir();
    const blobs = openBlobs(dir);
    expect(blobs.has(hash)).toBe(false);
    expect(blobs.put(bytes)).toBe(hash);
    expect(readFileSync(address(dir)).equals(bytes)).toBe(true);
    expect(statSync(address(dir)).mode & 0o777).toBe(0o600);
    expect(Buffer.from(blobs.get(hash)).equals(bytes)).toBe(true);
    expect(blobs.has(hash)).toBe(true);
    expect(blobs.put(new Uint8Array(0))).toBe(sha256(""));
    expect(blobs.list()).toEqual([hash, sha256("")].sort());
    expect(Object.keys(filesOf(dir))).toHaveLength(2);
  });

  test("putting the same bytes again is harmless and leaves the file as it is", () => {
    const dir = freshDir();
    const blobs = openBlobs(dir);
    blobs.put(bytes);
    const { ino, mtimeMs } = statSync(address(dir));
    expect(openBlobs(dir).put(bytes)).toBe(hash);
    expect(statSync(address(dir))).toMatchObject({ ino, mtimeMs });
  });

  test("changed or missing ones are never handed out, and the error names path and hash", () => {
    const dir = freshDir();
    const blobs = openBlobs(dir);
    blobs.put(bytes);
    writeFileSync(address(dir), "frozen bytes!");
    expect(() => blobs.get(hash)).toThrow(BlobDamaged);
    expect(() => blobs.get(hash)).toThrow(expect.objectContaining({ path: address(dir), hash, reason: "differs" }));
    rmSync(address(dir));
    expect(() => blobs.get(hash)).toThrow(expect.objectContaining({ path: address(dir), hash, reason: "missing" }));
  });

  test("an address that is taken by other bytes is a finding: neither trusted nor written over", () => {
    const dir = freshDir();
    const blobs = openBlobs(dir);
    blobs.put(bytes);
    writeFileSync(address(dir), "something else");
    expect(() => blobs.put(bytes)).toThrow(BlobDamaged);
    expect(readFileSync(address(dir), "utf8")).toBe("something else");
  });

  test("only a hash is an address", () => {
    const blobs = openBlobs(freshDir());
    expect(() => blobs.get("../../etc/passwd" as typeof hash)).toThrow(/not a SHA-256/);
    expect(() => blobs.has("AB" as typeof hash)).toThrow(/not a SHA-256/);
  });

  test("a reader creates nothing", () => {
    const dir = freshDir();
    const reader = openBlobReader(dir);
    expect(reader.list()).toEqual([]);
    expect(reader.has(hash)).toBe(false);
    expect(readdirSync(dir)).toEqual([]);
  });
});

describe("crashes and races", () => {
  test("the file is on disk before its name, and the name before put returns", () => {
    const calls: string[] = [];
    const traced = Object.fromEntries(
      Object.entries(nodeFiles).map(([name, call]) => [
        name,
        (...given: never[]) => {
          calls.push(name);
          return (call as (...values: never[]) => unknown)(...given);
        },
      ]),
    ) as unknown as FileCalls;
    openBlobs(freshDir(), { files: traced }).put(bytes);
    expect(calls).toEqual(["mkdir", "create", "write", "sync", "close", "link", "unlink"]);
  });

  test("a failure at any call leaves no address behind, and no litter", () => {
    for (const call of ["create", "write", "sync", "link"] as const) {
      const dir = freshDir();
      const blobs = openBlobs(dir, { files: { ...nodeFiles, [call]: errno("ENOSPC") } });
      expect(() => blobs.put(bytes), call).toThrow(expect.objectContaining({ code: "ENOSPC" }));
      expect(filesOf(dir), call).toEqual({});
      expect(openBlobs(dir).put(bytes), call).toBe(hash);
    }
  });

  test("a write in parts is a whole one in the end", () => {
    const dir = freshDir();
    const write: FileCalls["write"] = (fd, data, from) => nodeFiles.write(fd, data.subarray(from, from + 3), 0);
    openBlobs(dir, { files: { ...nodeFiles, write } }).put(bytes);
    expect(readFileSync(address(dir)).equals(bytes)).toBe(true);
  });

  test("another process that froze the same bytes in between wins; nothing is left over", () => {
    const dir = freshDir();
    const link: FileCalls["link"] = (from, to) => {
      writeFileSync(to, bytes);
      nodeFiles.link(from, to);
    };
    expect(openBlobs(dir, { files: { ...nodeFiles, link } }).put(bytes)).toBe(hash);
    expect(Object.keys(filesOf(dir))).toEqual([address(dir).slice(dir.length + 1)]);
  });

  test("where the file system has no second names, a rename does", () => {
    for (const code of ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]) {
      const dir = freshDir();
      expect(openBlobs(dir, { files: { ...nodeFiles, link: errno(code) } }).put(bytes), code).toBe(hash);
      expect(Object.values(filesOf(dir)), code).toEqual([bytes.toString("latin1")]);
    }
  });

  test("torn temporary files are no blobs; a sweep removes those older than a day and nothing else", () => {
    const dir = freshDir();
    const blobs = openBlobs(dir);
    blobs.put(bytes);
    const folder = join(dir, "blobs", "ab");
    mkdirSync(folder);
    const now = Date.now();
    const torn = (name: string, ageMs: number) => {
      const path = join(folder, name);
      writeFileSync(path, "half");
      utimesSync(path, (now - ageMs) / 1000, (now - ageMs) / 1000);
      return path;
    };
    const day = 24 * 60 * 60 * 1000;
    const old = torn("9-1.tmp", day + 60_000);
    const young = torn("9-2.tmp", day - 60_000);
    const foreign = torn("notes.txt", 9 * day);
    utimesSync(address(dir), 0, 0);
    expect(blobs.list()).toEqual([hash]);
    expect(blobs.sweep(now)).toBe(1);
    expect([old, young, foreign, address(dir)].map((path) => existsSync(path))).toEqual([false, true, true, true]);
    expect(blobs.sweep(now)).toBe(0);
  });

  test("a temporary file of an earlier process with our number is stepped over", () => {
    const dir = freshDir();
    const blobs = openBlobs(dir);
    let isFirst = true;
    const create: FileCalls["create"] = (path) => {
      if (isFirst) writeFileSync(path, "of another");
      isFirst = false;
      return nodeFiles.create(path);
    };
    expect(openBlobs(dir, { files: { ...nodeFiles, create } }).put(bytes)).toBe(hash);
    expect(Buffer.from(blobs.get(hash)).equals(bytes)).toBe(true);
  });
});
