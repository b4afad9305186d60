import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const PREFIX = "imprimatur-tests-";

/**
 * Every temporary folder of a run lies in one, which is gone when the run has ended: tests keep workspaces of a megabyte each
 * for the tests after them, and killed processes clear nothing away.
 * @returns what removes it
 */
export default function setUp(): () => void {
  // Asked once for each project of a run: a folder within the other would make a browser's socket a path too long.
  if (basename(tmpdir()).startsWith(PREFIX)) return () => {};
  const dir = mkdtempSync(join(tmpdir(), PREFIX));
  // As the system's own is: some tests act as somebody without rights, who has to get in.
  chmodSync(dir, 0o1777);
  process.env["TMPDIR"] = dir;
  return () => rmSync(dir, { recursive: true, force: true });
}
