import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ZipArchive } from "../../main/evidence/zip-reader";
import { type Chunks, ZipWriter } from "../../main/evidence/zip-writer";

const AT = Date.parse("2026-07-20T08:30:00Z");
const dir = mkdtempSync(join(tmpdir(), "imprimatur-zip-"));
let counter = 0;

async function write(fill: (zip: ZipWriter) => Promise<void>, zip64FromBytes?: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  const zip = new ZipWriter({ write: async (bytes) => void pieces.push(Buffer.from(bytes)) }, AT, zip64FromBytes);
  await fill(zip);
  await zip.finish();
  counter += 1;
  const path = join(dir, `${counter}.zip`);
  writeFileSync(path, Buffer.concat(pieces));
  return path;
}

async function readAll(path: string): Promise<Record<string, string>> {
  const archive = await ZipArchive.open(path);
  const found: Record<string, string> = {};
  for (const entry of archive.entries) found[entry.name] = (await archive.readWhole(entry, 1e9)).toString("latin1");
  await archive.close();
  return found;
}

/** What Info-ZIP and Python, which know nothing of us, make of it. */
const unzipTest = (path: string): string => execFileSync("unzip", ["-tq", path], { encoding: "utf8" });
const python = (path: string): Record<string, number> =>
  JSON.parse(
    execFileSync(
      "python3",
      [
        "-c",
        "import json,sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(json.dumps({i.filename:i.file_size for i in z.infolist()}))",
        path,
      ],
      { encoding: "utf8", env: { ...process.env, PYTHONIOENCODING: "utf-8" } },
    ),
  );

/** Bytes that no compressor shortens, the same in every run. */
function noise(count: number): Buffer {
  let state = 12345;
  return Buffer.from(
    Uint8Array.from({ length: count }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state >>> 24;
    }),
  );
}

const NAMES = [
  "第三十期.txt",
  "é in NFC.txt",
  "e\u0301 in NFD (another folder)/x.txt",
  "Ошибка.txt",
  "🗞.txt",
  "plain.txt",
];

/** Seconds alone, but a machine under load was seen to take fifty. */
const MANY_FILES_MS = 180_000;

describe("a ZIP file", () => {
  test("holds names in any script, and other programs read it", async () => {
    const path = await write(async (zip) => {
      for (const name of NAMES) await zip.add(name, Buffer.from(`contents of ${name}`));
    });
    expect(Object.keys(await readAll(path))).toEqual(NAMES);
    expect(Object.keys(python(path))).toEqual(NAMES);
    expect(unzipTest(path)).toContain("No errors");
  });

  test("cuts large files into pieces for several threads and puts them together as one", async () => {
    const text = Buffer.from("one line of a journal that repeats itself, but not quite: ".repeat(60_000));
    for (let at = 0; at < text.length; at += 97) text[at] = 65 + (at % 23);
    const whole = Buffer.concat([text, noise(3_000_000), Buffer.alloc(5_000_000)]);
    const chunked: Chunks = Array.from({ length: Math.ceil(whole.length / 70_001) }, (_, index) =>
      whole.subarray(index * 70_001, (index + 1) * 70_001),
    );
    const path = await write(async (zip) => {
      await zip.add("small", Buffer.from("small"));
      await zip.addStream("whole", whole.length, chunked);
      await zip.addStream("noise", 2_500_000, [noise(2_500_000)]);
      await zip.addStream("nothing", 0, []);
      await zip.add("zeros", Buffer.alloc(3_000_000));
    });
    const read = await readAll(path);
    expect(read.whole === whole.toString("latin1")).toBe(true);
    expect(read.noise === noise(2_500_000).toString("latin1")).toBe(true);
    expect(python(path)).toEqual({ small: 5, whole: whole.length, noise: 2_500_000, nothing: 0, zeros: 3_000_000 });
    expect(unzipTest(path)).toContain("No errors");
    expect(readFileSync(path).length).toBeLessThan(whole.length + 3_000_000);
  });

  test("gives entries the long sizes where they may need them", async () => {
    const text = Buffer.from("a text of middling length\n".repeat(100_000));
    const path = await write(async (zip) => {
      await zip.addStream("large", text.length, [text]);
      await zip.add("small", Buffer.from("small"));
    }, 1_000_000);
    expect((await readAll(path)).large).toBe(text.toString("latin1"));
    expect(python(path)).toEqual({ large: text.length, small: 5 });
    expect(unzipTest(path)).toContain("No errors");
  });

  test.each([65_534, 65_535])(
    "holds %i files",
    async (count) => {
      const path = await write(async (zip) => {
        for (let index = 0; index < count; index += 1) await zip.add(`f/${index}`, Buffer.from([index & 0xff]));
      });
      const archive = await ZipArchive.open(path);
      expect(archive.entries).toHaveLength(count);
      expect(await archive.seal()).toBe("whole");
      await archive.close();
      expect(Object.keys(python(path))).toHaveLength(count);
      expect(unzipTest(path)).toContain("No errors");
    },
    MANY_FILES_MS,
  );

  test("is refused where a stream is not as long as was said", async () => {
    await expect(write((zip) => zip.addStream("short", 10, [Buffer.from("nine char")]))).rejects.toThrow(
      "short is 9 bytes long, not 10",
    );
  });
});
