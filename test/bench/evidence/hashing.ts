import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { hashFile } from "../../../main/evidence/hash-file";
import { ratioInTurns } from "./turns";

const FILE_BYTES = 256 * 1024 * 1024;
const PIECE_BYTES = 16 * 1024 * 1024;
const TURNS = 9;

/** Hashing a file as a bundle is hashed, beside `openssl dgst -sha256` on the same file. */
export async function benchHashing(dir: string) {
  const path = join(dir, "to-hash");
  const file = openSync(path, "w");
  const piece = randomBytes(PIECE_BYTES);
  for (let bytes = 0; bytes < FILE_BYTES; bytes += PIECE_BYTES) writeSync(file, piece);
  closeSync(file);
  return ratioInTurns(
    {
      ours: async () => void (await hashFile(path)),
      theirs: () => void execFileSync("openssl", ["dgst", "-sha256", path]),
    },
    TURNS,
  );
}
