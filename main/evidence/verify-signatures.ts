import { isSignedBy } from "../domain/approval-signature";
import { approvalSignersFile, type RegisteredKey, readRegisteredKey } from "./approval-signers";
import { BAG } from "./bag-layout";
import type { BodyOwner, ChainNotes } from "./chain-notes";
import { approvalRows, type PayloadRecord, parseRecord } from "./verify-records";
import type { VerifyRun } from "./verify-run";

interface Key extends RegisteredKey {
  seq: number;
}

/** Bodies that name a key or an approval; the others are not held in memory. */
export const isAboutSigning = (body: Buffer): boolean =>
  body.includes('"publicKey":') || body.includes('ApprovalId":"');

/**
 * Each approval that was given after a key was registered is signed, over the statement beside it, with the key that was the
 * newest then. Which keys those are is said by the chain, not by a file of the bundle.
 */
export function verifySignatures(
  run: VerifyRun,
  records: readonly PayloadRecord[],
  chain: Pick<ChainNotes, "bodies" | "registrations">,
  given: ReadonlyMap<string, BodyOwner>,
): void {
  const bodies = records.filter(({ name }) => name.startsWith(BAG.bodies));
  const keys = keysOf(bodies, chain);
  const files = new Map(records.map((record) => [record.name, record.bytes.toString("utf8")]));
  const rows = approvalRows(records);
  const missing = [...chain.registrations].filter((hash) => !bodies.some(({ name }) => name === bodyName(hash)));
  // A key that is not known may have been the newest: then nobody can say which one an approval had to be signed with.
  const known = missing.length === 0 ? keys : null;
  const judged = rows.map((row) => ({ name: row.name, found: judge(row, files, known, given) }));
  const faults = judged.flatMap(({ name, found }) => (typeof found === "string" ? [`${name} ${found}`] : []));
  if (known !== null && (files.get(BAG.approvalSigners) ?? "") !== approvalSignersFile(known))
    faults.push(`${BAG.approvalSigners} is not the list of the keys that the journal registered`);
  const signed = rows.filter((row) => files.has(signatureOf(row.name)));
  const unjudged = judged.filter(({ found }) => found === OPEN).length;
  const what = `${unjudged} signatures, since the contents of`;
  const open =
    known === null
      ? "the signatures, since the contents of an event that registered a key are withheld"
      : unjudged === 0
        ? null
        : `${what} the events that gave those approvals are withheld`;
  run.judge("approval_signatures", faults, summary(rows.length, signed.length, keys), open);
}

const bodyName = (hash: string): string => `${BAG.bodies}${hash}.json`;
const hashOf = (name: string): string => name.slice(BAG.bodies.length, -".json".length);
const statementOf = (rowName: string): string => rowName.replace(/\.json$/, ".statement.json");
const signatureOf = (rowName: string): string => `${statementOf(rowName)}.sig`;

function summary(approvals: number, signed: number, keys: readonly Key[]): string {
  const unsigned = approvals - signed;
  const old =
    unsigned === 0 ? "" : `${unsigned} not signed, because no signing key was registered when they were given`;
  const by = `${signed} signed with ${keys.map(({ fingerprint }) => fingerprint).join(", ")}`;
  return [signed === 0 ? "" : by, old].filter((part) => part !== "").join("; ") || "there are none";
}

function keysOf(
  bodies: readonly PayloadRecord[],
  { registrations, bodies: owners }: Pick<ChainNotes, "bodies" | "registrations">,
): Key[] {
  const keys = bodies.flatMap(({ name, bytes }) => {
    const hash = hashOf(name);
    const key = registrations.has(hash) ? readRegisteredKey(bytes.toString("utf8")) : null;
    return key === null ? [] : [{ ...key, seq: owners.get(hash)?.seq ?? 0 }];
  });
  return keys.sort((a, b) => a.seq - b.seq);
}

/** What is withheld leaves it open. */
const OPEN = Symbol("open");

/**
 * @param keys oldest first; null: one of them is not known
 * @returns what is wrong, or that nobody can say; null where it is as it has to be
 */
function judge(
  row: PayloadRecord,
  files: ReadonlyMap<string, string>,
  keys: readonly Key[] | null,
  given: ReadonlyMap<string, BodyOwner>,
): string | null | typeof OPEN {
  const { id, signature, signedBy } = parseRecord(row) ?? {};
  const armoured = files.get(signatureOf(row.name));
  if ((armoured ?? null) !== signature) return "and the signature beside it differ";
  const seq = given.get(String(id))?.seq;
  if (keys === null) return OPEN;
  const before = seq === undefined ? keys : keys.filter((key) => key.seq < seq);
  const newest = before[before.length - 1];
  if (armoured === undefined) {
    if (newest === undefined) return null;
    return seq === undefined ? OPEN : `is not signed, and the key ${newest.fingerprint} was registered before`;
  }
  if (newest === undefined) return "is signed, and no key was registered before";
  const signer = before.find((key) => isSignedBy(files.get(statementOf(row.name)) ?? "", armoured, key));
  // An older key could sign as well as the newest, so which one it had to be is asked even where a signature is good.
  if (signer === undefined || (seq !== undefined && signer.fingerprint !== newest.fingerprint))
    return "does not carry a signature of its statement by the key that was registered then";
  if (signer.fingerprint !== signedBy) return `names the key ${String(signedBy)}, but ${signer.fingerprint} signed`;
  return seq === undefined && keys.length > 1 ? OPEN : null;
}
