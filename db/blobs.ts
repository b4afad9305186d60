import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "../main/domain/hashing";
import { asSha256, type Instant, type Sha256 } from "../main/domain/ids";
import type { BlobStore } from "../main/domain/ports";
import { type FileCalls, nodeFiles, syncDirectory, TEMP_SUFFIX, writeTemp } from "./folder";
import { codeOf } from "./problem";

/** Frozen bytes are gone or no longer what they were. Nothing may go on as if it had them. */
export class BlobDamaged extends Error {
  override readonly name = "BlobDamaged";

  constructor(
    readonly path: string,
    readonly hash: Sha256,
    readonly reason: "missing" | "differs",
  ) {
    super(`${reason}: ${path}`);
  }
}

export interface Blobs extends BlobStore {
  /** Every address there is, in order. */
  list(): Sha256[];
  /**
   * Removes temporary files that a crash left, older than a day. Returns how many.
   * @param now wall time, as the file system dates its files; not the workspace's clock, which a sandbox may move.
   */
  sweep(now: Instant): number;
}

/** A write takes milliseconds; what is a day old belongs to a process that no longer lives. */
const TORN_AFTER_MS = 24 * 60 * 60 * 1000;

export interface BlobOptions {
  durability?: "full" | "simulation";
  files?: FileCalls;
}

/**
 * Opens the content-addressed store below a workspace's folder: `blobs/ab/cdef…`, named by the SHA-256 of the bytes alone, so
 * that any tool can check any file. Bytes are never overwritten and never trusted unread.
 */
export function openBlobs(workspaceDir: string, options: BlobOptions = {}): Blobs {
  const { durability = "full", files = nodeFiles } = options;
  const isDurable = durability === "full";
  const root = join(workspaceDir, "blobs");
  files.mkdir(root);
  const pathOf = (hash: Sha256) => join(root, hash.slice(0, 2), hash.slice(2));

  const get = (hash: Sha256): Uint8Array => {
    const path = pathOf(asSha256(hash));
    const bytes = readIfThere(path);
    if (bytes === null) throw new BlobDamaged(path, hash, "missing");
    if (sha256(bytes) !== hash) throw new BlobDamaged(path, hash, "differs");
    return bytes;
  };

  const put = (bytes: Uint8Array): Sha256 => {
    const hash = sha256(bytes);
    const path = pathOf(hash);
    const dir = dirname(path);
    if (existsSync(path)) {
      // Same address is only same bytes if the file still has them: a damaged one is a finding, not a place to write over.
      get(hash);
      // Whoever put it there may have crashed before its name was on disk.
      if (isDurable) syncDirectory(dir);
      return hash;
    }
    if (mkdirSync(dir, { recursive: true, mode: 0o700 }) !== undefined && isDurable) syncDirectory(root);
    const temp = writeTemp(dir, bytes, isDurable, files);
    giveName(temp, path, files);
    if (isDurable) syncDirectory(dir);
    return hash;
  };

  return {
    put,
    get,
    has: (hash) => existsSync(pathOf(asSha256(hash))),
    list: () => namesBelow(root, (name) => /^[0-9a-f]{62}$/.test(name)).map(({ dir, name }) => asSha256(dir + name)),
    sweep: (now) => {
      const torn = namesBelow(root, (name) => name.endsWith(TEMP_SUFFIX))
        .map(({ dir, name }) => join(root, dir, name))
        .filter((path) => now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > TORN_AFTER_MS);
      for (const path of torn) files.unlink(path);
      return torn.length;
    },
  };
}

/** A second name and the loss of the first, instead of a rename: a rename would silently replace what is already there. */
function giveName(temp: string, path: string, files: FileCalls): void {
  try {
    files.link(temp, path);
    files.unlink(temp);
  } catch (error) {
    const code = codeOf(error);
    if (code === "EEXIST") {
      // Another process froze the same bytes a moment ago.
      files.unlink(temp);
      return;
    }
    // exFAT and some network folders have no second names; there the rename is still atomic.
    if (code === "EPERM" || code === "ENOTSUP" || code === "ENOSYS" || code === "EOPNOTSUPP") files.rename(temp, path);
    else {
      files.unlink(temp);
      throw error;
    }
  }
}

function readIfThere(path: string): Uint8Array | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

function namesBelow(root: string, isWanted: (name: string) => boolean): { dir: string; name: string }[] {
  return readdirSync(root)
    .filter((dir) => /^[0-9a-f]{2}$/.test(dir))
    .sort()
    .flatMap((dir) =>
      readdirSync(join(root, dir))
        .filter(isWanted)
        .sort()
        .map((name) => ({ dir, name })),
    );
}
