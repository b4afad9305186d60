import { existsSync, linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { z } from "zod";
import { backupDatabase } from "../../db/backup";
import { BlobDamaged, blobPath, openBlobReader, openBlobs } from "../../db/blobs";
import { connectInspector, type Sqlite } from "../../db/connect";
import { CUSTOMERS_NAME } from "../../db/customers";
import { syncDirectory, syncFile } from "../../db/folder";
import { type FsckReport, fsck } from "../../db/fsck";
import { JOURNAL_NAME } from "../../db/open";
import { type Problem, problemOf } from "../../db/problem";
import type { BackupRecord } from "../../preload/contract";
import { openKeyFile } from "../adapters/secrets";
import { Bug, type Sha256 } from "../domain/ids";
import {
  type BackupManifest,
  backupName,
  buildingName,
  bytesOf,
  listBackups,
  MANIFEST_NAME,
  NOT_HELD,
  objectionToTarget,
  pruneBackups,
  sweepBegun,
} from "./backup-folder";
import type { BackupOrder, BackupReport } from "./backup-report";
import { isAlive } from "./evidence-file";

type Record = z.infer<typeof BackupRecord>;
type Failure = Extract<Record, { result: "failed" }>["code"];
type Tell = (progress: Extract<BackupReport, { kind: "progress" }>) => void;

/** Ends a backup with its reason; caught where the backup began. */
class NotMade extends Error {
  constructor(
    readonly code: Failure,
    readonly path: string,
    detail: string,
  ) {
    super(detail);
  }
}

/**
 * Makes a backup of a workspace that may be open: the journal and the customers by SQLite's own backup, then the frozen bytes, in
 * a folder of its own that gets its name only once everything in it was verified. In this order, since whatever the journal names
 * was written before it. Keys stay out (see `NOT_HELD`); so does the note beside the journal, so that a journal put back is known
 * for one. Slow by nature: run it in a program of its own.
 */
export async function backupWorkspace(order: BackupOrder, tell: Tell = () => undefined): Promise<Record> {
  const { dir, into, at } = order;
  const failed = (code: Failure, path: string, detail: string): Record => ({
    ...{ result: "failed", at, code, path, detail: detail.slice(0, 500) },
  });
  let building: string | null = null;
  try {
    const objection = objectionToTarget(dir, into);
    if (objection !== null) return failed(objection, into, "");
    const journal = connectInspector(join(dir, JOURNAL_NAME));
    try {
      const { workspaceId } = stateOf(journal);
      sweepBegun(into, workspaceId, isAlive);
      const path = join(into, backupName(workspaceId, at));
      if (existsSync(path)) return failed("exists", path, "");
      building = buildingName(path, process.pid);
      mkdirSync(building, { mode: 0o700 });
      const blobs = await copyAll({ ...order, workspaceId, journal, building }, tell);
      const report = verify({ dir, journal, building }, tell);
      const manifest: BackupManifest = {
        ...{ format: 1, workspaceId, at, events: report.events, head: report.head, epoch: report.epoch, blobs },
        ...{ bytes: bytesOf(building), notHeld: [...NOT_HELD] },
      };
      giveName(building, path, manifest);
      building = null;
      const removed = order.keep === null ? 0 : pruneBackups(into, { path, manifest }, order.keep);
      const count = listBackups(into, workspaceId).length;
      return { ...{ result: "made", at, path, bytes: manifest.bytes, events: manifest.events }, blobs, removed, count };
    } finally {
      journal.close();
    }
  } catch (error) {
    if (error instanceof NotMade) return failed(error.code, error.path, error.message);
    if (error instanceof BlobDamaged) return failed("damaged", error.path, error.message);
    if (error instanceof Bug) throw error;
    const { code, path, detail } = problemOf(error, into);
    return failed(code, path, detail);
  } finally {
    if (building !== null) rmSync(building, { recursive: true, force: true });
  }
}

function stateOf(journal: Sqlite): { workspaceId: string } {
  const state = journal
    .prepare<[], { workspaceId: string }>("SELECT workspace_id AS workspaceId FROM journal_state")
    .get();
  if (state === undefined) throw new NotMade("damaged", journal.name, "journal_state has no row");
  return state;
}

interface Copying extends BackupOrder {
  workspaceId: string;
  journal: Sqlite;
  building: string;
}

/** @returns how many frozen files the backup holds */
async function copyAll({ dir, into, workspaceId, journal, building }: Copying, tell: Tell): Promise<number> {
  tell({ kind: "progress", step: "journal", done: 0, of: 1 });
  await copyDatabase(journal, join(building, JOURNAL_NAME));
  const customersPath = join(dir, CUSTOMERS_NAME);
  if (existsSync(customersPath)) {
    tell({ kind: "progress", step: "customers", done: 0, of: 1 });
    const customers = connectInspector(customersPath);
    try {
      await copyDatabase(customers, join(building, CUSTOMERS_NAME));
    } finally {
      customers.close();
    }
  }
  const [previous] = listBackups(into, workspaceId);
  return copyBlobs({ dir, building, previous: previous?.path ?? null }, tell);
}

async function copyDatabase(from: Sqlite, target: string): Promise<void> {
  const copied = await backupDatabase(from, target);
  if (copied.kind === "problem") throw notMade(copied.problem);
}

const notMade = ({ code, path, detail }: Problem): NotMade => new NotMade(code, path, detail);

/** What the previous backup holds gets a second name there; only what is new is copied. The workspace's own files are never shared. */
function copyBlobs(
  { dir, building, previous }: { dir: string; building: string; previous: string | null },
  tell: Tell,
): number {
  const from = openBlobReader(dir);
  const to = openBlobs(building);
  const hashes = from.list();
  for (const [done, hash] of hashes.entries()) {
    tell({ kind: "progress", step: "blobs", done, of: hashes.length });
    const isLinked =
      previous !== null && isWhole(previous, hash) && link(blobPath(previous, hash), blobPath(building, hash));
    if (!isLinked) to.put(from.get(hash));
  }
  for (const folder of new Set(hashes.map((hash) => dirname(blobPath(building, hash))))) syncDirectory(folder);
  return hashes.length;
}

/** A file that rotted in the previous backup must not go on into every later one. */
function isWhole(backup: string, hash: Sha256): boolean {
  try {
    openBlobReader(backup).get(hash);
    return true;
  } catch (error) {
    if (error instanceof BlobDamaged) return false;
    throw error;
  }
}

function link(from: string, to: string): boolean {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  try {
    linkSync(from, to);
    return true;
  } catch {
    // A file system without second names: the bytes are copied.
    return false;
  }
}

/** The whole check on the copy itself, and its head is one that the journal had: then it is a backup of this journal and sound. */
function verify(
  { dir, journal, building }: { dir: string; journal: Sqlite; building: string },
  tell: Tell,
): FsckReport {
  const key = openKeyFile(join(dir, "customers.key"), { create: false });
  const report = fsck(building, {
    ...(key.kind === "ready" ? { customersKey: key.key } : {}),
    onProgress: ({ done, total }) => tell({ kind: "progress", step: "verify", done, of: total }),
  });
  const fault = report.checks.find((check) => !check.ok);
  if (fault !== undefined) throw new NotMade("not_in_order", dir, `${fault.name}: ${fault.detail}`);
  const { seq, hash } = report.head;
  const had = journal.prepare<[number], string>("SELECT hash FROM event WHERE seq = ?").pluck().get(seq);
  if (seq > 0 && had !== hash) throw new NotMade("head_differs", dir, `event ${seq}`);
  return report;
}

/** Everything down to the disk, and then the name: by it the backup is there. */
function giveName(building: string, path: string, manifest: BackupManifest): void {
  const file = join(building, MANIFEST_NAME);
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  syncFile(file);
  syncDirectory(building);
  renameSync(building, path);
  syncDirectory(dirname(path));
}
