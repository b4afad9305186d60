import { canonicalJson } from "../main/domain/hashing";
import type { Sqlite } from "./connect";

interface KeyRow {
  fingerprint: string;
  identity: string;
  position: number;
  publicKey: string;
}

/**
 * The keys that approvals are verified with are what the chained events registered, one for one: a key that was only written
 * into the table could sign for anybody.
 */
export function signerFaults(sqlite: Sqlite): string[] {
  const told = sqlite
    .prepare<[], [number, string | null]>(
      "SELECT seq, payload FROM event WHERE task_id IS NULL AND type = 'SignerRegistered' ORDER BY seq",
    )
    .raw()
    .all();
  const rows = sqlite
    .prepare<[], KeyRow>(
      "SELECT fingerprint, identity, position, public_key AS publicKey FROM signer ORDER BY position",
    )
    .all();
  const faults = told.flatMap(([seq, payload], index) => {
    const row = rows[index];
    if (row === undefined) return [`event ${seq} registered a signing key, no row has it`];
    return payload === null || payload === canonicalJson(row)
      ? []
      : [`the signing key ${row.fingerprint} is not the one that event ${seq} registered`];
  });
  const untold = rows.slice(told.length).map((row) => `no event registered the signing key ${row.fingerprint}`);
  return [...faults, ...untold];
}
