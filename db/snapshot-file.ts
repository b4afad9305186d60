import { accessSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { connectInspector, type Sqlite } from "./connect";

/** A database opened for looking only. `close` also removes what was made elsewhere for it. */
export interface SnapshotFile {
  sqlite: Sqlite;
  isCopy: boolean;
  close(): void;
}

/**
 * Opens a database file so that nothing in its folder is written, wherever it lies.
 *
 * SQLite needs an index file beside a WAL database even for reading. Where another process has the file open, that index is
 * there and can be shared. Where nobody has (a restored copy, a read-only medium), the file and its WAL are copied to the
 * system's temporary folder and read there.
 */
export function openSnapshot(path: string): SnapshotFile {
  if (existsSync(`${path}-shm`) && isWritable(dirname(path))) {
    const sqlite = connectInspector(path);
    return { sqlite, isCopy: false, close: () => void sqlite.close() };
  }
  const dir = mkdtempSync(join(tmpdir(), "imprimatur-fsck-"));
  const remove = () => rmSync(dir, { recursive: true, force: true });
  try {
    const copy = join(dir, basename(path));
    // A clone costs nothing where the file system can make one.
    copyFileSync(path, copy, constants.COPYFILE_FICLONE);
    if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
    const sqlite = connectInspector(copy);
    const close = () => {
      sqlite.close();
      remove();
    };
    return { sqlite, isCopy: true, close };
  } catch (error) {
    remove();
    throw error;
  }
}

function isWritable(dir: string): boolean {
  try {
    accessSync(dir, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
