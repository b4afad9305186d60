import { canonicalJson } from "../main/domain/hashing";
import { compareFacts } from "../main/domain/invariants/compare-fact";
import type { SignerRow } from "../main/domain/records";
import type { Sqlite } from "./connect";

/** What an event says of the key that it registered. */
interface Told {
  seq: number;
  actor: string;
  reason: string | null;
  payload: string | null;
  /** Null where the event does not tell it: the first ones did not. */
  registeredAt: number | null;
}

/**
 * The keys that approvals are verified with are what the chained events registered, one for one, by whom, why and when: a key
 * that was only written into the table could sign for anybody, and one of a later date would excuse an approval without a
 * signature.
 */
export function signerFaults(sqlite: Sqlite): string[] {
  const told = sqlite
    .prepare<[], Told>(
      `SELECT seq, actor, reason, payload,
              CASE WHEN json_valid(payload) THEN json_extract(payload, '$.registeredAt') END AS registeredAt
       FROM event WHERE task_id IS NULL AND type = 'SignerRegistered' ORDER BY seq`,
    )
    .all();
  const rows = sqlite
    .prepare<[], SignerRow>(
      `SELECT fingerprint, identity, position, public_key AS publicKey, registered_at AS registeredAt,
              registered_by AS registeredBy, reason FROM signer ORDER BY position`,
    )
    .all();
  const faults = told.flatMap((event, index) => {
    const row = rows[index];
    return row === undefined ? [`event ${event.seq} registered a signing key, no row has it`] : differences(row, event);
  });
  const untold = rows.slice(told.length).map((row) => `no event registered the signing key ${row.fingerprint}`);
  return [...faults, ...untold];
}

function differences(row: SignerRow, event: Told): string[] {
  const { fingerprint, identity, position, publicKey } = row;
  const when = event.registeredAt === null ? {} : { registeredAt: event.registeredAt };
  const isKey =
    event.payload === null || event.payload === canonicalJson({ fingerprint, identity, position, publicKey, ...when });
  const facts = compareFacts("I08", `signing key ${fingerprint}`, [
    ["registeredBy", row.registeredBy, event.actor],
    ["reason", row.reason, event.reason],
    ["registeredAt", row.registeredAt, event.registeredAt ?? undefined],
  ]);
  return [
    ...(isKey ? [] : [`the signing key ${fingerprint} is not the one that event ${event.seq} registered`]),
    ...facts.map(({ subject, detail }) => `${subject} ${detail}`),
  ];
}
