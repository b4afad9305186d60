import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openBlobs } from "../../db/blobs";
import { JOURNAL_NAME, type Sqlite } from "../../db/open";

/** Keeps a world's journal and every frozen byte as a workspace's folder, so that `fsck` can judge it by itself. */
export function keepWorkspace(dir: string, sqlite: Sqlite, bytes: Iterable<Uint8Array>): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  // Never over something that is there: it may be somebody's journal.
  writeFileSync(join(dir, JOURNAL_NAME), sqlite.serialize(), { flag: "wx", mode: 0o600 });
  const blobs = openBlobs(dir, { durability: "simulation" });
  for (const one of bytes) blobs.put(one);
}
