import { execFileSync } from "node:child_process";
import { createReadStream, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PendingFile } from "../../../main/compose/evidence-file";
import { ZipWriter } from "../../../main/evidence/zip-writer";
import { round } from "../stats";
import { ratioInTurns } from "./turns";

const TURNS = 5;
const READ_BYTES = 1024 * 1024;
const SMALL_FILES = 2_000;
/** Larger files are handed over as a stream, as frozen bytes are. */
const WHOLE_BYTES = 256 * 1024;

/** Packing the same files, beside `zip -6`: one long journal, and the many short files that its contents are. */
export async function benchPacking(dir: string, journal: { headers: string; bodies: readonly string[] }) {
  const [large, small] = ["large", "small"].map((name) => join(dir, name)) as [string, string];
  mkdirSync(large);
  mkdirSync(small);
  writeFileSync(join(large, "events.jsonl"), journal.headers);
  for (const [index, body] of journal.bodies.slice(0, SMALL_FILES).entries())
    writeFileSync(join(small, `${index}.json`), body);
  return { oneLargeFile: await packedBeside(dir, large), manyShortFiles: await packedBeside(dir, small) };
}

async function packedBeside(dir: string, folder: string) {
  const [ours, theirs] = [join(dir, "ours.zip"), join(dir, "theirs.zip")];
  const names = readdirSync(folder).sort();
  let bytes = 0;
  const speed = await ratioInTurns(
    {
      ours: async () => {
        bytes = await pack(folder, names, ours);
      },
      theirs: () => {
        rmSync(theirs, { force: true });
        execFileSync("zip", ["-6", "-q", "-r", theirs, "."], { cwd: folder });
      },
    },
    TURNS,
  );
  return { ...speed, sizeRatio: round(bytes / statSync(theirs).size) };
}

/** As a bundle is packed, hashed on the way like one. */
async function pack(folder: string, names: readonly string[], out: string): Promise<number> {
  const file = await PendingFile.create(out);
  const zip = new ZipWriter(file, 0);
  for (const name of names) {
    const path = join(folder, name);
    const { size } = statSync(path);
    if (size <= WHOLE_BYTES) await zip.add(name, readFileSync(path));
    else await zip.addStream(name, size, createReadStream(path, { highWaterMark: READ_BYTES }));
  }
  await zip.finish();
  file.digest();
  await file.discard();
  return file.bytes;
}
