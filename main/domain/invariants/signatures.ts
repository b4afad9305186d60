import { isSignedBy } from "../approval-signature";
import type { ApprovalRow, EventRow, SignerRow } from "../records";
import { contextOf, type Evidence, type Told, tell, type Violation } from "./snapshot";

/** A key as its own event tells it: rows may say anything. */
interface Registered extends Pick<SignerRow, "publicKey" | "fingerprint"> {
  seq: number;
}

/**
 * I02 and I04, judged from what was signed: every approval that was given after a key was registered carries the signature of
 * the key that was the newest then, over its very words; one from before the first key carries none.
 */
export function checkSignatures(evidence: Evidence): Violation[] {
  const { approvals, registrations, events } = evidence.snapshot;
  const keys = registeredKeys(registrations ?? events);
  return approvals.flatMap((approval) => {
    const detail = faultOf(approval, keys, givingEvent(evidence, approval));
    const invariant = approval.scope === "publish" ? "I02" : "I04";
    return detail === null ? [] : [{ invariant, subject: `approval ${approval.id}`, detail }];
  });
}

function registeredKeys(events: readonly EventRow[]): Registered[] {
  return events.flatMap((event) => {
    if (event.type !== "SignerRegistered") return [];
    const { publicKey, fingerprint } = tell(event).payload;
    return [{ seq: event.seq, publicKey: String(publicKey ?? ""), fingerprint: String(fingerprint ?? "") }];
  });
}

/** The event that gave it. Null where none names it: that nobody gave it is found by another checker. */
const givingEvent = (evidence: Evidence, { id, taskId, scope }: ApprovalRow): Told | null =>
  evidence.ofTask(taskId).find((event) => contextOf(event)[`${scope}ApprovalId`] === id) ?? null;

function faultOf(approval: ApprovalRow, keys: readonly Registered[], given: Told | null): string | null {
  const { statement, signature } = approval;
  const before = given === null ? keys : keys.filter(({ seq }) => seq < given.seq);
  const newest = before[before.length - 1];
  if (newest === undefined) return signature === null ? null : "it is signed, and no key had been registered";
  if (signature === null) return given === null ? null : `it is not signed, and ${newest.fingerprint} was registered`;
  // Where the giving event is withheld, nobody can say any more which key was the newest.
  const allowed = given === null ? before : [newest];
  const signer = allowed.find((key) => isSignedBy(statement, signature, key));
  if (signer === undefined) return "its signature is not one of its words by the key that was registered then";
  return approval.signedBy === signer.fingerprint ? null : "it names another key than the one that signed it";
}
