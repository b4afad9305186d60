import type { Sqlite } from "./connect";

/** One row of a customers' list: an id of the customer's own, a canonical address, a group. */
export interface AudienceRow {
  id: string;
  address: string;
  group: string;
}

export interface AudienceChange {
  recipientId: string;
  change: "added" | "removed" | "returned" | "new_address" | "new_group";
}

export type ImportResult =
  | {
      kind: "imported";
      count: number;
      importVersion: number;
      changes: readonly AudienceChange[];
      /** Rows whose address another row, or an earlier import, has under another id: one person, one id, one mail. */
      merged: readonly { id: string; recipientId: string }[];
    }
  /** Nothing was changed. `rows` are indexes into the list given. */
  | { kind: "refused"; faults: readonly { row: number; code: "id_missing" | "address_missing" | "id_conflict" }[] };

interface Known {
  recipientId: string;
  group: string;
  digest: string;
  active: 0 | 1;
}

export interface AddressSeal {
  digest(address: string): string;
  seal(recipientId: string, address: string): Uint8Array;
}

/**
 * Brings the audience to exactly these rows, in one transaction.
 *
 * An address keeps the id it first came with, whatever id a later list gives it: the slot of a mail is made of the id, so a
 * second id for one person would be a second mail of the same edition.
 */
export function applyAudience(sqlite: Sqlite, rows: readonly AudienceRow[], address: AddressSeal): ImportResult {
  const run = sqlite.transaction((): ImportResult => {
    const plan = planImport(rows, readKnown(sqlite), address);
    if (plan.faults.length > 0) return { kind: "refused", faults: plan.faults };
    write(sqlite, plan, address);
    if (plan.changes.length > 0) sqlite.exec("UPDATE customers_state SET import_version = import_version + 1");
    return imported(sqlite, plan);
  });
  return run.immediate();
}

/** What {@link applyAudience} would do with these rows now. Nothing is written, and the version is the one that stands. */
export function previewAudience(sqlite: Sqlite, rows: readonly AudienceRow[], address: AddressSeal): ImportResult {
  const run = sqlite.transaction((): ImportResult => {
    const plan = planImport(rows, readKnown(sqlite), address);
    return plan.faults.length > 0 ? { kind: "refused", faults: plan.faults } : imported(sqlite, plan);
  });
  return run.deferred();
}

const readKnown = (sqlite: Sqlite): Known[] =>
  sqlite
    .prepare<[], Known>(`SELECT recipient_id AS recipientId, "group", address_digest AS digest, active FROM customer`)
    .all();

function imported(sqlite: Sqlite, { wanted, changes, merged }: ImportPlan): ImportResult {
  const importVersion = Number(sqlite.prepare("SELECT import_version FROM customers_state").pluck().get());
  return { kind: "imported", count: wanted.size, importVersion, changes, merged };
}

interface Wanted {
  group: string;
  address: string;
  digest: string;
}

interface ImportPlan {
  wanted: ReadonlyMap<string, Wanted>;
  changes: readonly AudienceChange[];
  merged: readonly { id: string; recipientId: string }[];
  faults: Extract<ImportResult, { kind: "refused" }>["faults"];
}

function planImport(rows: readonly AudienceRow[], known: readonly Known[], address: AddressSeal): ImportPlan {
  const idOfDigest = new Map(known.map(({ digest, recipientId }) => [digest, recipientId]));
  const wanted = new Map<string, Wanted>();
  const merged: { id: string; recipientId: string }[] = [];
  const faults: { row: number; code: "id_missing" | "address_missing" | "id_conflict" }[] = [];
  for (const [index, row] of rows.entries()) {
    const missing = row.id === "" ? "id_missing" : row.address.trim() === "" ? "address_missing" : null;
    if (missing !== null) {
      faults.push({ row: index, code: missing });
      continue;
    }
    const digest = address.digest(row.address);
    const recipientId = idOfDigest.get(digest) ?? row.id;
    const before = wanted.get(recipientId);
    // One id for two addresses would give two people one account in the ledger.
    if (before && before.digest !== digest) {
      faults.push({ row: index, code: "id_conflict" });
      continue;
    }
    if (before || recipientId !== row.id) merged.push({ id: row.id, recipientId });
    idOfDigest.set(digest, recipientId);
    if (!before) wanted.set(recipientId, { group: row.group, address: row.address, digest });
  }
  return { wanted, merged, faults, changes: changesOf(wanted, known) };
}

/** Who leaves and who comes or changes; those who stay as they are, are none of it. */
function changesOf(wanted: ReadonlyMap<string, Wanted>, known: readonly Known[]): AudienceChange[] {
  const knownById = new Map(known.map((row) => [row.recipientId, row]));
  const left = known
    .filter(({ recipientId, active }) => active === 1 && !wanted.has(recipientId))
    .map(({ recipientId }): AudienceChange => ({ recipientId, change: "removed" }));
  const come = [...wanted].flatMap(([recipientId, want]): AudienceChange[] => {
    const change = changeOf(knownById.get(recipientId), want);
    return change === null ? [] : [{ recipientId, change }];
  });
  return [...left, ...come];
}

function write(sqlite: Sqlite, { wanted, changes }: ImportPlan, address: AddressSeal): void {
  const depart = sqlite.prepare("UPDATE customer SET active = 0, sealed_address = NULL WHERE recipient_id = ?");
  const upsert = sqlite.prepare(
    `INSERT INTO customer (recipient_id, "group", address_digest, sealed_address, active) VALUES (?, ?, ?, ?, 1)
     ON CONFLICT (recipient_id) DO UPDATE SET "group" = excluded."group", address_digest = excluded.address_digest,
       sealed_address = excluded.sealed_address, active = 1`,
  );
  for (const { recipientId } of changes) {
    const want = wanted.get(recipientId);
    if (want === undefined) depart.run(recipientId);
    else upsert.run(recipientId, want.group, want.digest, address.seal(recipientId, want.address));
  }
}

function changeOf(known: Known | undefined, want: Wanted): AudienceChange["change"] | null {
  if (!known) return "added";
  if (known.active === 0) return "returned";
  if (known.digest !== want.digest) return "new_address";
  return known.group === want.group ? null : "new_group";
}
