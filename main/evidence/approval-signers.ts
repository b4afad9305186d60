import type { EventRow, SignerRow } from "../domain/records";
import { keyTypeOf } from "../domain/ssh-wire";
import { APPROVAL_NAMESPACE } from "../domain/sshsig";

/** A key as the event tells it that registered it. */
export type RegisteredKey = Pick<SignerRow, "fingerprint" | "identity" | "publicKey">;

/** Reads the contents of a `SignerRegistered` event; null where they are nothing of the kind. */
export function readRegisteredKey(payload: string): RegisteredKey | null {
  const { fingerprint, identity, publicKey } = parse(payload);
  const isKey = typeof fingerprint === "string" && typeof identity === "string" && typeof publicKey === "string";
  return isKey ? { fingerprint, identity, publicKey } : null;
}

function parse(payload: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(payload);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** The keys that a journal registered, oldest first. */
export const registeredKeys = (registrations: readonly EventRow[]): RegisteredKey[] =>
  registrations.flatMap(({ payload }) => readRegisteredKey(payload ?? "") ?? []);

/** The keys as `ssh-keygen -Y verify -f` reads them, for approvals alone. */
export const approvalSignersFile = (keys: readonly RegisteredKey[]): string =>
  keys
    .map(({ identity, publicKey }) => {
      const type = keyTypeOf(Buffer.from(publicKey, "base64"));
      return `${identity} namespaces="${APPROVAL_NAMESPACE}" ${type} ${publicKey}\n`;
    })
    .join("");
