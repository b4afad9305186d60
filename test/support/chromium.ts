import { existsSync } from "node:fs";
import path from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** Where a Chromium is looked for, in words. */
export const CHROMIUM_PLACES = `${NAMES.join(", ")} on the PATH, or the file that IMPRIMATUR_CHROMIUM names`;

/**
 * The Chromium of this machine, for tests of screens in a real browser. `IMPRIMATUR_CHROMIUM` names another one, or `none`.
 * @returns its file, or undefined where there is none. @throws Error when the file that was named is not there.
 */
export function findChromium(): string | undefined {
  const named = process.env["IMPRIMATUR_CHROMIUM"];
  if (named === "none") return undefined;
  if (named) {
    if (!existsSync(named))
      throw new Error(`IMPRIMATUR_CHROMIUM names ${named}, which is not there; name a file, or none`);
    return named;
  }
  const folders = (process.env["PATH"] ?? "").split(path.delimiter).filter((folder) => folder !== "");
  return NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))).find((file) => existsSync(file));
}
