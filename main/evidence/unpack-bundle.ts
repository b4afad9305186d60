import { createHash } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Bug } from "../domain/ids";
import { UNLISTED_FILES } from "./bag-layout";
import { pathOf, readDigests } from "./verified-bag";
import { type BundleVerdict, type VerifyOptions, verifyBundle } from "./verify-bundle";
import type { ZipEntry } from "./zip-directory";
import { ZipArchive } from "./zip-reader";

/**
 * Verifies a bundle and unpacks it into a folder that does not exist yet: all of it, or, where anything is wrong, nothing.
 * @param dir the folder to make; its parent exists
 * @param part the name beside it under which it grows; made and removed here
 * @throws what the file system throws; then nothing is left either.
 */
export async function unpackBundle(
  path: string,
  dir: string,
  part: string,
  options: VerifyOptions,
): Promise<BundleVerdict> {
  const verdict = await verifyBundle(path, options);
  if (!verdict.valid) return verdict;
  const archive = await ZipArchive.open(path);
  try {
    await mkdir(part);
    await unpackAll(archive, part, verdict.bag);
    await rename(part, dir);
    return verdict;
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    throw error;
  } finally {
    await archive.close();
  }
}

/** Every file is hashed again while it is written: what was verified a moment ago may have been exchanged since. */
async function unpackAll(archive: ZipArchive, root: string, bag: string | null): Promise<void> {
  const files = archive.entries.filter(({ name }) => !name.endsWith("/"));
  const digests = await readDigests(archive, bag);
  for (const entry of files) {
    const path = pathOf(entry);
    const digest = await writeEntry(archive, entry, join(root, path));
    // These cannot be in a list; they were verified with the tag manifest they belong to.
    if (!UNLISTED_FILES.includes(path) && digests.get(path) !== digest)
      throw new Bug(`${path} changed while it was unpacked`);
  }
}

async function writeEntry(archive: ZipArchive, entry: ZipEntry, path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, "wx", 0o644);
  const hash = createHash("sha256");
  try {
    await archive.read(entry, async (piece) => {
      hash.update(piece);
      await file.writeFile(piece);
    });
  } finally {
    await file.close();
  }
  return hash.digest("hex");
}
