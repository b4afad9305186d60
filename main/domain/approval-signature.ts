import type { ApprovalRow, SignerRow } from "./records";
import { APPROVAL_NAMESPACE, verifySsh } from "./sshsig";
import { type Unmet, unmet } from "./unmet";

/** The row's fields that its statement says as well: what is compared and shown must be what was signed. */
const STATED = [
  "taskId",
  "scope",
  "intentKey",
  "hashRuleVersion",
  "contentHash",
  "packageHash",
  "pageUrl",
  "bodyHash",
  "audienceHash",
  "checkReceiptId",
  "approver",
  "issuedAt",
  "expiresAt",
  "timeSource",
  "zone",
] as const satisfies readonly (keyof ApprovalRow)[];

/** Whether the armoured text is this key's signature of exactly these bytes, made for approvals and nothing else. */
export function isSignedBy(statement: string, signature: string, { publicKey }: Pick<SignerRow, "publicKey">): boolean {
  const found = verifySsh(Buffer.from(statement, "utf8"), APPROVAL_NAMESPACE, signature);
  return found.kind === "good" && found.publicKey.toString("base64") === publicKey;
}

/** The first field in which an approval's row is not what its statement says; null where they agree. */
export function differsFromStatement(approval: ApprovalRow): string | null {
  let said: Readonly<Record<string, unknown>>;
  try {
    said = JSON.parse(approval.statement) as typeof said;
  } catch (error) {
    if (error instanceof SyntaxError) return "statement";
    throw error;
  }
  return STATED.find((field) => said[field] !== approval[field]) ?? null;
}

const wrong = (approval: ApprovalRow): Unmet =>
  unmet("approval_signature_wrong", { fingerprint: approval.signedBy ?? "—" });

/**
 * What a stored approval's signature lacks (I02, I04), verified over the stored statement with the key that was registered.
 * An approval from before the first key stays what it is: unsigned and valid.
 * @param signers every registered key, oldest first
 */
export function signatureMissing(approval: ApprovalRow, signers: readonly SignerRow[]): Unmet[] {
  const { signature, signedBy, statement } = approval;
  if (signature === null) {
    const [first] = signers;
    const isOlder = first === undefined || (signedBy === null && approval.issuedAt <= first.registeredAt);
    return isOlder ? [] : [unmet("approval_unsigned", { fingerprint: signers.at(-1)?.fingerprint ?? "—" })];
  }
  const signer = signers.find(({ fingerprint }) => fingerprint === signedBy);
  const isGood = signer !== undefined && isSignedBy(statement, signature, signer);
  return isGood && differsFromStatement(approval) === null ? [] : [wrong(approval)];
}

/** What an approval that is about to be given lacks: from the first registered key on, the signature of the newest. */
export function newSignatureMissing(approval: ApprovalRow, signers: readonly SignerRow[]): Unmet[] {
  const newest = signers.at(-1);
  if (newest === undefined) return approval.signature === null ? [] : [wrong(approval)];
  if (approval.signature === null) return [unmet("approval_unsigned", { fingerprint: newest.fingerprint })];
  return isSignedBy(approval.statement, approval.signature, newest) ? [] : [wrong(approval)];
}
