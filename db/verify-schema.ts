import Database from "better-sqlite3";
import { canonicalJson, sha256 } from "../main/domain/hashing";
import type { Sqlite } from "./connect";
import { MIGRATIONS } from "./migrate";

interface Thing {
  type: string;
  name: string;
  sql: string | null;
}

const THINGS = "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name";

/**
 * Holds a file's tables, indexes and triggers against what the migrations make: an invariant that SQLite itself is to hold is
 * held only while its constraint is there, word for word.
 */
export function schemaFaults(sqlite: Sqlite): string[] {
  const fresh = new Database(":memory:");
  try {
    for (const migration of MIGRATIONS) fresh.exec(migration.sql);
    const wanted = new Map(
      fresh
        .prepare<[], Thing>(THINGS)
        .all()
        .map((thing) => [`${thing.type} ${thing.name}`, thing.sql]),
    );
    const found = new Map(
      sqlite
        .prepare<[], Thing>(THINGS)
        .all()
        .map((thing) => [`${thing.type} ${thing.name}`, thing.sql]),
    );
    const missing = [...wanted].flatMap(([name, sql]) =>
      found.get(name) === sql ? [] : [found.has(name) ? `${name} was changed` : `${name} is missing`],
    );
    return [...missing, ...[...found.keys()].filter((name) => !wanted.has(name)).map((name) => `${name} is not ours`)];
  } finally {
    fresh.close();
  }
}

interface Signed {
  id: string;
  approver: string;
  contentHash: string | null;
  intentKey: string;
  issuedAt: number;
  expiresAt: number;
  statement: string;
}

/** Rows that say the same thing twice must agree: approvals with their statements, definitions with their hashes. */
export function doubledFaults(sqlite: Sqlite): string[] {
  const approvals = sqlite
    .prepare<[], Signed>(
      `SELECT id, approver, content_hash AS contentHash, intent_key AS intentKey, issued_at AS issuedAt,
       expires_at AS expiresAt, statement FROM approval`,
    )
    .all()
    .filter(({ id: _, statement, ...row }) => {
      const said = parse(statement);
      return said === null || Object.entries(row).some(([field, value]) => said[field] !== value);
    })
    .map((row) => `approval ${row.id} differs from its statement`);
  const definitions = sqlite
    .prepare<[], { hash: string; body: string }>("SELECT hash, body FROM pipeline_definition")
    .all()
    .filter((row) => sha256(row.body) !== row.hash)
    .map((row) => `the definition ${row.hash.slice(0, 12)} does not have its hash`);
  return [...approvals, ...definitions];
}

function parse(statement: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(statement) as Record<string, unknown>;
    // The statement was stored in canonical form; any other writing of it is not what was agreed to.
    return canonicalJson(value) === statement ? value : null;
  } catch {
    return null;
  }
}
