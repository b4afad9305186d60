import type { TaskRow } from "../../main/domain/records";
import type { Queries } from "./open-queries";

/** A package to compare with, and the edition it belongs to. */
export interface ComparedPackage {
  packageHash: string;
  edition: string;
}

/**
 * Editions up to this one, newest first, on the key's own index. Later versions of the same edition are left out: what is
 * compared with was there before.
 */
const UP_TO_THIS = `
  t.task_key > :first AND t.task_key < :last AND t.pipeline = :pipeline AND t.language = :language
    AND (t.edition < :edition OR (t.edition = :edition AND t.task_version <= :version))`;

const LAST_APPROVED = `
  SELECT a.package_hash AS packageHash, t.edition FROM task t CROSS JOIN approval a ON a.task_id = t.id
  WHERE ${UP_TO_THIS} AND a.scope = 'publish' AND a.package_hash IS NOT NULL AND a.package_hash <> :present
  ORDER BY t.task_key DESC, t.task_version DESC, a.issued_at DESC LIMIT 1`;

const LAST_PUBLISHED = `
  SELECT json_extract(t.context, '$.packageHash') AS packageHash, t.edition FROM task t
  WHERE ${UP_TO_THIS} AND t.id <> :id AND t.state NOT IN ('compensating', 'compensated')
    AND EXISTS (SELECT 1 FROM event e WHERE e.task_id = t.id AND e.type = 'Published')
  ORDER BY t.task_key DESC, t.task_version DESC LIMIT 1`;

function bound(task: TaskRow) {
  const { pipeline, language, edition, taskVersion: version } = task;
  // The character after the colon: a range that ends behind every key of this edition.
  return { first: `${pipeline}:`, last: `${pipeline}:${edition};`, pipeline, language, edition, version };
}

/** The package that was approved last before the present one, of this edition or an earlier one. Revoked ones were approved too. */
export function lastApprovedPackage(queries: Queries, task: TaskRow, present: string): ComparedPackage | null {
  return queries.named<ComparedPackage>(LAST_APPROVED, { ...bound(task), present });
}

/** The package that readers see today: of the newest earlier task whose page was proved and still stands. */
export function lastPublishedPackage(queries: Queries, task: TaskRow): ComparedPackage | null {
  return queries.named<ComparedPackage>(LAST_PUBLISHED, { ...bound(task), id: task.id });
}
