import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRandomness, createSeededRandomness } from "../../main/adapters/randomness";
import { openKeyFile } from "../../main/adapters/secrets";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "imprimatur-key-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the key file", () => {
  it("is made once, for its owner alone, and leaves nothing else behind", () => {
    const file = path.join(folder, "keys", "customers.key");
    const made = openKeyFile(file, { create: true });
    const again = openKeyFile(file, { create: true });
    expect(made).toMatchObject({ kind: "ready", wasCreated: true });
    expect(again).toMatchObject({ kind: "ready", wasCreated: false });
    expect(made.kind === "ready" && again.kind === "ready" && Buffer.from(made.key).equals(again.key)).toBe(true);
    expect(readdirSync(path.dirname(file))).toEqual(["customers.key"]);
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("is never made again when it is damaged: what it encrypted would be lost", () => {
    const file = path.join(folder, "short.key");
    writeFileSync(file, "torn");
    expect(openKeyFile(file, { create: true })).toEqual({ kind: "unavailable", code: "key_damaged", path: file });
    expect(readFileSync(file, "utf8")).toBe("torn");
    const asFolder = path.join(folder, "folder.key");
    mkdirSync(asFolder);
    expect(openKeyFile(asFolder, { create: true })).toMatchObject({ code: "key_damaged" });
  });

  it("is not followed through a link", () => {
    const target = path.join(folder, "elsewhere");
    writeFileSync(target, Buffer.alloc(32));
    symlinkSync(target, path.join(folder, "link.key"));
    expect(openKeyFile(path.join(folder, "link.key"), { create: true })).toMatchObject({ code: "key_damaged" });
  });

  it("is an error when it is missing where it must be there, or cannot be written", () => {
    const file = path.join(folder, "none.key");
    expect(openKeyFile(file, { create: false })).toEqual({ kind: "unavailable", code: "key_missing", path: file });
    writeFileSync(path.join(folder, "plain"), "");
    expect(openKeyFile(path.join(folder, "plain", "x.key"), { create: true })).toMatchObject({ kind: "unavailable" });
  });

  it.skipIf(process.platform === "win32")("is closed to others again after a careless copy", () => {
    const file = path.join(folder, "open.key");
    openKeyFile(file, { create: true });
    chmodSync(file, 0o644);
    expect(openKeyFile(file, { create: false }).kind).toBe("ready");
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe("randomness", () => {
  it("gives fractions and bytes", () => {
    const randomness = createRandomness();
    for (let turn = 0; turn < 200; turn++) {
      const value = randomness.next();
      expect(value >= 0 && value < 1).toBe(true);
    }
    expect(randomness.bytes(16)).toHaveLength(16);
    expect(randomness.bytes(16)).not.toEqual(randomness.bytes(16));
  });

  it("repeats itself for a seed, differs between seeds, and is spread evenly", () => {
    const draw = (seed: number) => {
      const randomness = createSeededRandomness(seed);
      return Array.from({ length: 2_000 }, () => randomness.next());
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
    expect(draw(2 ** 40)).not.toEqual(draw(0));
    const mean = draw(1).reduce((sum, value) => sum + value, 0) / 2_000;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.03);
    expect(createSeededRandomness(3).bytes(4)).toEqual(createSeededRandomness(3).bytes(4));
    expect(() => createSeededRandomness(0.5)).toThrow("whole number");
  });
});
