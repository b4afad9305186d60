import type { Command, CommandContext } from "../commands";
import { type Decision, draftEvent, refuse } from "../plan";
import type { SignerRow } from "../records";
import { readPublicKey } from "../ssh-wire";
import { fingerprintOf, isIdentity } from "../sshsig";
import { type Unmet, unmet } from "../unmet";
import { causerOf } from "./actor";

type RegisterSigner = Extract<Command, { type: "register_signer" }>;

/**
 * Registers the public side of the key that approvals are signed with from now on. The first one may be registered by the
 * program; another one in its place is a person's deliberate act with a reason. None is taken out: what it signed stays.
 * @param signers every registered key, oldest first
 */
export function decideRegisterSigner(
  signers: readonly SignerRow[],
  command: RegisterSigner,
  context: CommandContext,
): Decision {
  const { publicKey, identity, reason } = command;
  const bytes = Buffer.from(publicKey, "base64");
  if (readPublicKey(bytes) === null || bytes.toString("base64") !== publicKey || !isIdentity(identity))
    return refuse("guard_failed", unmet("signer_key_unreadable", { identity }));
  const fingerprint = fingerprintOf(bytes);
  const missing = replacementMissing(signers, fingerprint, reason, context);
  if (missing.length > 0) return refuse("guard_failed", ...missing);
  const position = signers.length + 1;
  // Trusted time, which the event's own is not.
  const key = { fingerprint, identity, position, publicKey, registeredAt: context.trusted.at };
  const row: SignerRow = { ...key, reason, registeredBy: context.actor };
  const event = draftEvent("SignerRegistered", { reason, payload: key });
  return { ok: true, plan: { task: {}, events: [event], writes: [{ table: "signer", insert: row }] } };
}

function replacementMissing(
  signers: readonly SignerRow[],
  fingerprint: string,
  reason: string,
  context: CommandContext,
): Unmet[] {
  const missing: Unmet[] = [];
  const causer = causerOf(context.actor);
  if (causer === "executor" || (signers.length > 0 && causer !== "person"))
    missing.push(unmet("person_required", { event: "SignerRegistered" }));
  if (signers.some((signer) => signer.fingerprint === fingerprint))
    missing.push(unmet("signer_registered_already", { fingerprint }));
  if (reason.trim() === "") missing.push(unmet("reason_missing"));
  return missing;
}
