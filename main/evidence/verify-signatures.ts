import { isSignedBy } from "../domain/approval-signature";
import { approvalSignersFile, type RegisteredKey, readRegisteredKey } from "./approval-signers";
import { BAG } from "./bag-layout";
import { approvalsIn, type PayloadRecord, parseRecord } from "./verify-records";
import type { VerifyRun } from "./verify-run";

/** What the chain says of the events that register keys and give approvals. */
export interface SignedChain {
  /** The number of the event that has this body. */
  seqOfBody: ReadonlyMap<string, number>;
  /** Bodies of events that registered a key. */
  registrations: ReadonlySet<string>;
}

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
export function verifySignatures(run: VerifyRun, records: readonly PayloadRecord[], chain: SignedChain): void {
  const bodies = records.filter(({ name }) => name.startsWith(BAG.bodies));
  const keys = keysOf(bodies, chain);
  const given = givenAt(bodies, chain);
  const files = new Map(records.map((record) => [record.name, record.bytes.toString("utf8")]));
  const rows = records.filter(
    ({ name }) => name.startsWith(BAG.approvals) && name.endsWith(".json") && !name.endsWith(".statement.json"),
  );
  const faults = rows.flatMap((row) => {
    const fault = faultOf(row, files, keys, given);
    return fault === null ? [] : [`${row.name} ${fault}`];
  });
  if ((files.get(BAG.approvalSigners) ?? "") !== approvalSignersFile(keys))
    faults.push(`${BAG.approvalSigners} is not the list of the keys that the journal registered`);
  const missing = [...chain.registrations].filter((hash) => !bodies.some(({ name }) => name === bodyName(hash)));
  if (missing.length > 0) faults.push("the contents of an event that registered a key are not there");
  const signed = rows.filter((row) => files.has(signatureOf(row.name)));
  run.judge("approval_signatures", faults, summary(rows.length, signed.length, keys));
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

function keysOf(bodies: readonly PayloadRecord[], { registrations, seqOfBody }: SignedChain): Key[] {
  const keys = bodies.flatMap(({ name, bytes }) => {
    const hash = hashOf(name);
    const key = registrations.has(hash) ? readRegisteredKey(bytes.toString("utf8")) : null;
    return key === null ? [] : [{ ...key, seq: seqOfBody.get(hash) ?? 0 }];
  });
  return keys.sort((a, b) => a.seq - b.seq);
}

/** By which event an approval was given, as far as the contents of that event are there. */
function givenAt(bodies: readonly PayloadRecord[], { seqOfBody }: SignedChain): Map<string, number> {
  const given = new Map<string, number>();
  for (const body of bodies) for (const id of approvalsIn(body)) given.set(id, seqOfBody.get(hashOf(body.name)) ?? 0);
  return given;
}

function faultOf(
  row: PayloadRecord,
  files: ReadonlyMap<string, string>,
  keys: readonly Key[],
  given: ReadonlyMap<string, number>,
): string | null {
  const { id, signature, signedBy } = parseRecord(row) ?? {};
  const seq = given.get(String(id));
  const before = seq === undefined ? keys : keys.filter((key) => key.seq < seq);
  const newest = before[before.length - 1];
  const armoured = files.get(signatureOf(row.name));
  if ((armoured ?? null) !== signature) return "and the signature beside it differ";
  if (armoured === undefined)
    return newest === undefined ? null : `is not signed, and the key ${newest.fingerprint} was registered before`;
  if (newest === undefined) return "is signed, and no key was registered before";
  // Where the giving event is withheld, nobody can say any more which key was the newest.
  const allowed = seq === undefined ? before : [newest];
  const signer = allowed.find((key) => isSignedBy(files.get(statementOf(row.name)) ?? "", armoured, key));
  if (signer === undefined) return "does not carry a signature of its statement by the key that was registered then";
  return signer.fingerprint === signedBy ? null : `names the key ${String(signedBy)}, but ${signer.fingerprint} signed`;
}
