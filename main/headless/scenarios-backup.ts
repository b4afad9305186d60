import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const FILES = ["journal.db", "journal.db-wal", "journal.db-shm"];

/** Keeps a copy of the journal's files, as a backup program would, while nobody has them open. */
export function keepCopy(dir: string): void {
  mkdirSync(join(dir, "backup"), { recursive: true });
  for (const name of FILES) if (existsSync(join(dir, name))) copyFileSync(join(dir, name), join(dir, "backup", name));
}

/** Puts the copy in the place of the journal: what happened since is forgotten here, and nowhere else. */
export function putBack(dir: string): void {
  for (const name of FILES) {
    rmSync(join(dir, name), { force: true });
    if (existsSync(join(dir, "backup", name))) copyFileSync(join(dir, "backup", name), join(dir, name));
  }
}
