import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { readAhead } from "./read-ahead";

/** SHA-256 of a file's bytes, in hexadecimal. @throws what the file system throws. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  const file = await open(path, "r");
  try {
    for await (const piece of readAhead(file, 0, Number.MAX_SAFE_INTEGER)) hash.update(piece);
  } finally {
    await file.close();
  }
  return hash.digest("hex");
}
