import type { Sqlite } from "../connect";

/** What an edition builds on: what its predecessor had read, published and mailed. */
export interface PreviousEdition {
  taskId: string;
  edition: string;
  /** Source id to the hash of its frozen snapshot: what is not new any more. */
  sources: Record<string, string>;
  packageHash: string | null;
  audienceArtifactHash: string | null;
}

interface Row {
  id: string;
  edition: string;
  packageHash: string | null;
  audienceArtifactHash: string | null;
  checkpoint: string | null;
}

/**
 * A task key begins with the pipeline and the edition, so a range of keys is the editions before this one, newest first, on
 * the key's own index. An edition that was taken back (compensated, or on its way there) is no predecessor: its readers are
 * to be told again. The newest version of an edition comes first.
 */
const PREVIOUS = `
  SELECT t.id, t.edition,
    json_extract(t.context, '$.packageHash') AS packageHash,
    json_extract(t.context, '$.audienceArtifactHash') AS audienceArtifactHash,
    (SELECT s.checkpoint FROM step s WHERE s.task_id = t.id AND s.name = 'collecting' ORDER BY s.round DESC LIMIT 1) AS checkpoint
  FROM task t
  WHERE t.task_key > ? AND t.task_key < ? AND t.language = ? AND t.edition < ? AND t.pipeline = ?
    AND t.state NOT IN ('compensating', 'compensated')
    AND EXISTS (SELECT 1 FROM event e WHERE e.task_id = t.id AND e.type = 'Published')
  ORDER BY t.task_key DESC, t.task_version DESC
  LIMIT 1`;

/**
 * The newest earlier edition of the same pipeline and language whose page was published and still stands.
 * @returns null for the first edition.
 */
export function previousEdition(
  sqlite: Sqlite,
  task: { pipeline: string; language: string; edition: string },
): PreviousEdition | null {
  const { pipeline, language, edition } = task;
  const row = sqlite
    .prepare<string[], Row>(PREVIOUS)
    .get(`${pipeline}:`, `${pipeline}:${edition}:`, language, edition, pipeline);
  if (!row) return null;
  const { id, packageHash, audienceArtifactHash } = row;
  return {
    taskId: id,
    edition: row.edition,
    sources: frozenSources(row.checkpoint),
    packageHash,
    audienceArtifactHash,
  };
}

function frozenSources(checkpoint: string | null): Record<string, string> {
  const { sources } = JSON.parse(checkpoint ?? "{}") as { sources?: Record<string, { hash?: string | null }> };
  const frozen: Record<string, string> = {};
  for (const [id, source] of Object.entries(sources ?? {})) if (source.hash) frozen[id] = source.hash;
  return frozen;
}

/** How many events of a type the journal has: for example one `CheckPassed` per receipt given so far. */
export function countEvents(sqlite: Sqlite, type: string): number {
  return sqlite.prepare<[string], number>("SELECT count(*) FROM event WHERE type = ?").pluck().get(type) ?? 0;
}
