import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { JOURNAL_NAME } from "../../db/open";

/**
 * The workspace whose folder a file would lie in; null: none. What a person has written for them (a bundle, a key) goes anywhere
 * but there: under the name of the journal, the customers or the signing key it would take their place.
 */
export function workspaceAround(file: string): string | null {
  for (let folder = dirname(resolve(file)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, JOURNAL_NAME))) return folder;
    if (folder === dirname(folder)) return null;
  }
}
