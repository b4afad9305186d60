import { readdirSync, statSync } from "node:fs";

/**
 * Why a folder cannot be filled by a command, or null: it has to be new or empty, so that nobody's files are taken for the
 * command's own or written over.
 */
export function objectionToFolder(dir: string): string | null {
  const stat = statSync(dir, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  if (!stat.isDirectory()) return `${dir} is a file: name a folder that does not exist yet`;
  if (readdirSync(dir).length === 0) return null;
  return `${dir} is not empty: name a folder that does not exist yet, or empty it`;
}
