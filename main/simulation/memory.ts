import { connectWriter, type Durability } from "../../db/connect";
import { migrate } from "../../db/migrate";
import type { Sqlite } from "../../db/open";
import { sha256 } from "../domain/hashing";
import { Bug, type Instant, type OperationId, type Sha256 } from "../domain/ids";
import type { BlobStore } from "../domain/ports";
import type { CustomerPort } from "../pipeline/briefing/ports";

const DURABILITY: Durability = "simulation";

/** The real journal's tables, constraints and triggers, in memory: it outlives the processes of a world, not the world. */
export function openMemoryJournal(now: Instant): Sqlite {
  const sqlite = connectWriter(":memory:", DURABILITY);
  migrate(sqlite);
  keepStatements(sqlite);
  sqlite
    .prepare(
      `INSERT INTO journal_state (id, workspace_id, kind, epoch, epoch_reconciled, created_at)
       VALUES (1, 'simulation', 'sandbox', 1, 1, ?)`,
    )
    .run(now);
  return sqlite;
}

/**
 * Processes of a world share its connection, and each start would prepare the same statements again. One text is always used in
 * one way (`pluck`, `raw`) in this program, so that the statement may be the same, too.
 */
function keepStatements(sqlite: Sqlite): void {
  const kept = new Map<string, ReturnType<Sqlite["prepare"]>>();
  const prepare = sqlite.prepare.bind(sqlite);
  const keeping = (source: string) => {
    const known = kept.get(source) ?? prepare(source);
    kept.set(source, known);
    return known;
  };
  sqlite.prepare = keeping as Sqlite["prepare"];
}

export interface MemoryBlobs extends BlobStore {
  readonly kept: ReadonlyMap<Sha256, Uint8Array>;
}

export function createMemoryBlobs(): MemoryBlobs {
  const kept = new Map<Sha256, Uint8Array>();
  return {
    kept,
    put: (bytes) => {
      const hash = sha256(bytes);
      if (!kept.has(hash)) kept.set(hash, bytes);
      return hash;
    },
    get: (hash) => {
      const bytes = kept.get(hash);
      if (bytes === undefined) throw new Bug(`no bytes under ${hash}`);
      return bytes;
    },
    has: (hash) => kept.has(hash),
  };
}

/** Customers of a world: a handful, since what counts is that nobody gets anything twice. */
export interface MemoryCustomers extends CustomerPort {
  /** An import: another list from now on. */
  importList(ids: readonly string[]): void;
  readonly requests: ReadonlyMap<OperationId, Uint8Array>;
}

export function createMemoryCustomers(first: readonly string[]): MemoryCustomers {
  let ids = first;
  let version = 1;
  const requests = new Map<OperationId, Uint8Array>();
  return {
    requests,
    importList: (next) => {
      ids = next;
      version += 1;
    },
    members: () => ids.map((recipientId) => ({ recipientId, group: "paying", digest: `digest-of-${recipientId}` })),
    importVersion: () => version,
    addressesFor: (wanted) => new Map(wanted.map((id) => [id, `${id}@customers.example`])),
    keepRequest: (operationId, bytes) => {
      const hash = sha256(bytes);
      const kept = requests.get(operationId);
      if (kept !== undefined) return sha256(kept) === hash ? hash : null;
      requests.set(operationId, bytes);
      return hash;
    },
    keptRequest: (operationId) => requests.get(operationId) ?? null,
  };
}
