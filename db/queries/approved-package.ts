import type { Sha256 } from "../../main/domain/ids";
import type { Sqlite } from "../connect";

/**
 * The package under which somebody approved a content of this edition, in whichever version of its task: the frozen bytes that
 * may be put back when a later version is undone. What was taken back once is not put there again by a program.
 * @returns null where nobody did, or where it was withdrawn
 */
export function approvedPackage(sqlite: Sqlite, taskKey: string, contentHash: Sha256): Sha256 | null {
  const hash = sqlite
    .prepare<[string, string], Sha256>(
      `SELECT a.package_hash FROM task t JOIN approval a ON a.task_id = t.id
       WHERE t.task_key = ? AND t.state NOT IN ('compensating', 'compensated') AND a.scope = 'publish' AND a.content_hash = ? AND a.package_hash IS NOT NULL
       ORDER BY a.issued_at DESC LIMIT 1`,
    )
    .pluck()
    .get(taskKey, contentHash);
  return hash ?? null;
}
