import { createHash } from "node:crypto";
import { BAG } from "./bag-layout";
import { LineSplitter } from "./line-splitter";
import { readManifest } from "./manifest";
import type { ZipEntry } from "./zip-directory";
import { ZipFault } from "./zip-fault";
import { ZipArchive } from "./zip-reader";

const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;

/** An entry's path in the bag: its name without the bag's own folder. */
export const pathOf = ({ name }: ZipEntry): string => name.slice(name.indexOf("/") + 1);

/**
 * The digest of every file of a bag that was verified, by path; that of the tag manifest is the bag's own name.
 * @param bag as the verification found it
 */
export async function readDigests(archive: ZipArchive, bag: string | null): Promise<Map<string, string>> {
  const digests = new Map([[BAG.tagManifest as string, bag ?? ""]]);
  for (const name of [BAG.tagManifest, BAG.manifest]) {
    const entry = archive.entries.find((candidate) => pathOf(candidate) === name);
    const text = entry ? (await archive.readWhole(entry, MAX_MANIFEST_BYTES)).toString("utf8") : "";
    const listed = readManifest(text);
    if ("digests" in listed) for (const [path, digest] of listed.digests) digests.set(path, digest);
  }
  return digests;
}

/** A bag to read from after it was verified. Each file is hashed again: what was verified may have been exchanged since. */
export class VerifiedBag {
  private constructor(
    private readonly archive: ZipArchive,
    private readonly digests: ReadonlyMap<string, string>,
  ) {}

  /** @throws ZipFault where the file is another one by now. */
  static async open(path: string, bag: string | null): Promise<VerifiedBag> {
    const archive = await ZipArchive.open(path);
    const opened = new VerifiedBag(archive, await readDigests(archive, bag));
    await opened.readText(BAG.tagManifest, MAX_MANIFEST_BYTES);
    await opened.readText(BAG.manifest, MAX_MANIFEST_BYTES);
    return opened;
  }

  close(): Promise<void> {
    return this.archive.close();
  }

  /** The paths in a folder of the bag, in the order of their names. */
  pathsIn(folder: string): string[] {
    return this.archive.entries
      .map(pathOf)
      .filter((path) => path.startsWith(folder) && path !== folder)
      .sort();
  }

  /** @throws ZipFault where it is missing, longer than `maxBytes` or no longer what was verified. */
  async readText(path: string, maxBytes: number): Promise<string> {
    const entry = this.entryOf(path);
    if (entry.bytes > maxBytes) throw new ZipFault(`${path} is longer than ${maxBytes} bytes`);
    const pieces: Uint8Array[] = [];
    await this.readEntry(entry, path, (piece) => void pieces.push(Buffer.from(piece)));
    return Buffer.concat(pieces).toString("utf8");
  }

  /** Hands over a file line by line. @throws ZipFault at the end, where it is no longer what was verified. */
  async readLines(path: string, take: (line: string) => void): Promise<void> {
    const lines = new LineSplitter(take);
    await this.readEntry(this.entryOf(path), path, (piece) => lines.push(piece));
    lines.end();
  }

  private entryOf(path: string): ZipEntry {
    const entry = this.archive.entries.find((candidate) => pathOf(candidate) === path);
    if (entry === undefined) throw new ZipFault(`${path} is missing`);
    return entry;
  }

  private async readEntry(entry: ZipEntry, path: string, take: (piece: Uint8Array) => void): Promise<void> {
    const hash = createHash("sha256");
    await this.archive.read(entry, (piece) => {
      hash.update(piece);
      take(piece);
    });
    if (this.digests.get(path) !== hash.digest("hex")) throw new ZipFault(`${path} changed after it was verified`);
  }
}
