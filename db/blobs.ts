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
  readonly code = "BLOB_DAMAGED";

  constructor(
    readonly path: string,
    readonly hash: Sha256,
    readonly reason: "missing" | "differs",
  ) {
    super(`${reason}: ${path}`);
  }
}

export interface BlobReader extends Pick<BlobStore, "get" | "has"> {
  /** Every address there is, in order. */
  list(): Sha256[];
}

export interface Blobs extends BlobReader, BlobStore {
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

const rootOf = (workspaceDir: string): string => join(workspaceDir, "blobs");
const pathIn = (root: string, hash: Sha256): string => join(root, hash.slice(0, 2), hash.slice(2));

/** Where the bytes of a hash lie, or would: for reading a file of any size piece by piece. Whoever reads it checks the hash. */
export const blobPath = (workspaceDir: string, hash: Sha256): string => pathIn(rootOf(workspaceDir), asSha256(hash));

/** Reads the store below a workspace's folder, and creates nothing. */
export function openBlobReader(workspaceDir: string): BlobReader {
  const root = rootOf(workspaceDir);
  return {
    get: (hash) => {
      const path = pathIn(root, asSha256(hash));
      const bytes = readIfThere(path);
      if (bytes === null) throw new BlobDamaged(path, hash, "missing");
      if (sha256(bytes) !== hash) throw new BlobDamaged(path, hash, "differs");
      return bytes;
    },
    has: (hash) => existsSync(pathIn(root, asSha256(hash))),
    list: () => namesBelow(root, (name) => /^[0-9a-f]{62}$/.test(name)).map(({ dir, name }) => asSha256(dir + name)),
  };
}

/**
 * Opens the content-addressed store below a workspace's folder: `blobs/ab/cdef…`, named by the SHA-256 of the bytes alone, so
 * that any tool can check any file. Bytes are never overwritten and never trusted unread.
 */
export function openBlobs(workspaceDir: string, options: BlobOptions = {}): Blobs {
  const { durability = "full", files = nodeFiles } = options;
  const isDurable = durability === "full";
  const root = rootOf(workspaceDir);
  files.mkdir(root);
  const reader = openBlobReader(workspaceDir);

  const put = (bytes: Uint8Array): Sha256 => {
    const hash = sha256(bytes);
    const path = pathIn(root, hash);
    const dir = dirname(path);
    if (existsSync(path)) {
      // Same address is only same bytes if the file still has them: a damaged one is a finding, not a place to write over.
      reader.get(hash);
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
    ...reader,
    put,
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
  if (!existsSync(root)) return [];
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
