import { existsSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { z } from "zod";
import type { Instant } from "../domain/ids";
import { workspaceAround } from "./workspace-folder";

/** Tells our own folders from anybody else's, and says what is in one. */
export const MANIFEST_NAME = "backup.json";

/** Never in a backup: whoever finds it could read the addresses, or sign in the editor's name. */
export const NOT_HELD = ["customers.key", "signer.key"] as const;

export const BackupManifest = z.object({
  format: z.literal(1),
  workspaceId: z.string().min(1),
  /** By the workspace's clock. */
  at: z.int(),
  events: z.int().min(0),
  head: z.object({ seq: z.int().min(0), hash: z.string() }),
  epoch: z.int(),
  blobs: z.int().min(0),
  bytes: z.int().min(0),
  notHeld: z.array(z.string()),
});
export type BackupManifest = z.infer<typeof BackupManifest>;

/** A backup that is whole: its folder and what it says of itself. */
export interface MadeBackup {
  path: string;
  manifest: BackupManifest;
}

const BUILDING = ".building-";
const REMOVING = ".removing-";

const beginningOf = (workspaceId: string): string => `imprimatur-backup-${workspaceId.replace(/[^\w-]/g, "_")}-`;

/** The folder's name: whose, and when by the workspace's clock. */
export const backupName = (workspaceId: string, at: Instant): string =>
  `${beginningOf(workspaceId)}${new Date(at).toISOString().replace(/:/g, "").replace(/\..*$/, "Z")}`;

/** What a backup is called until it is whole. */
export const buildingName = (name: string, owner: number): string => `${name}${BUILDING}${owner}`;

/** The whole backups of one workspace in a folder, newest first. What does not say of itself what it is, is not ours. */
export function listBackups(into: string, workspaceId: string): MadeBackup[] {
  return readdirSync(into)
    .filter((name) => name.startsWith(beginningOf(workspaceId)) && !name.includes(BUILDING) && !name.includes(REMOVING))
    .flatMap((name) => {
      const path = join(into, name);
      const manifest = readManifest(path);
      return manifest?.workspaceId === workspaceId ? [{ path, manifest }] : [];
    })
    .sort((a, b) => b.manifest.at - a.manifest.at || (a.path < b.path ? 1 : -1));
}

function readManifest(path: string): BackupManifest | null {
  try {
    return BackupManifest.parse(JSON.parse(readFileSync(join(path, MANIFEST_NAME), "utf8")));
  } catch {
    // Not there, or of somebody else: then it is no backup of ours, and is left alone.
    return null;
  }
}

/** Removes what a process that no longer lives had begun to build or to remove. */
export function sweepBegun(into: string, workspaceId: string, isAlive: (owner: number) => boolean): void {
  for (const name of readdirSync(into)) {
    const [, owner] = /\.(?:building|removing)-(\d+)$/.exec(name) ?? [];
    if (owner === undefined || !name.startsWith(beginningOf(workspaceId)) || isAlive(Number(owner))) continue;
    rmSync(join(into, name), { recursive: true, force: true });
  }
}

/**
 * Removes the oldest backups of a workspace beyond the newest `keep`, never the one just made. Called only once that one is
 * verified. Each gets another name first: half of a backup must not look like one.
 * @returns how many
 */
export function pruneBackups(into: string, made: MadeBackup, keep: number): number {
  const others = listBackups(into, made.manifest.workspaceId).filter(({ path }) => path !== made.path);
  const old = others.slice(Math.max(0, keep - 1));
  for (const { path } of old) {
    const leaving = `${path}${REMOVING}${process.pid}`;
    renameSync(path, leaving);
    rmSync(leaving, { recursive: true, force: true });
  }
  return old.length;
}

/** Why a folder cannot take backups of this workspace, or null. It is never made here: a drive that is not plugged in has none. */
export function objectionToTarget(dir: string, into: string): "folder_missing" | "inside_workspace" | null {
  if (!isAbsolute(into) || statSync(into, { throwIfNoEntry: false })?.isDirectory() !== true) return "folder_missing";
  const target = realpathSync(into);
  const inside = relative(realpathSync(dir), target);
  const isInside = inside === "" || (!inside.startsWith("..") && !isAbsolute(inside));
  return isInside || workspaceAround(join(target, "backup")) !== null ? "inside_workspace" : null;
}

/** What a folder and all in it take up, in bytes. */
export function bytesOf(dir: string): number {
  if (!existsSync(dir)) return 0;
  // Folder by folder: the Node of older Electrons neither goes down by itself nor says where an entry lies.
  return readdirSync(dir, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return sum + bytesOf(path);
    return entry.isFile() ? sum + statSync(path).size : sum;
  }, 0);
}
