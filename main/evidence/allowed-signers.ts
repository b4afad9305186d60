/** The file that says whose key is whose, as `ssh-keygen -Y verify -f` reads it. It comes from outside the bundle, always. */

export interface AllowedSigner {
  principals: readonly string[];
  /** Which purposes the key may sign for; null: any. */
  namespaces: readonly string[] | null;
  publicKey: Buffer;
}

export type SignersRead = { kind: "read"; signers: readonly AllowedSigner[] } | { kind: "refused"; detail: string };

/** principals, options, key type, key; a quoted option may hold blanks. */
const LINE =
  /^(\S+)\s+(?:((?:[a-z-]+(?:="[^"]*")?)(?:,[a-z-]+(?:="[^"]*")?)*)\s+)?(?:ssh-ed25519|sk-ssh-ed25519@openssh\.com)\s+([A-Za-z0-9+/]+=*)(?:\s.*)?$/;

/**
 * Reads an allowed-signers file. Other kinds of keys are passed over. An option that is not understood is refused: reading
 * past a limit would trust more than was granted.
 */
export function readAllowedSigners(text: string): SignersRead {
  const signers: AllowedSigner[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const match = LINE.exec(line.trim());
    if (match === null) {
      if (/\s(ssh-rsa|ecdsa-\S+|sk-ecdsa-\S+|ssh-dss)\s/.test(line)) continue;
      return { kind: "refused", detail: `line ${index + 1} is not: NAME [namespaces="…"] ssh-ed25519 KEY` };
    }
    const [, principals = "", options, key = ""] = match;
    const namespaces = options === undefined ? null : /^namespaces="([^"]*)"$/.exec(options)?.[1]?.split(",");
    if (namespaces === undefined)
      return { kind: "refused", detail: `line ${index + 1}: of the options only namespaces="…" is understood here` };
    signers.push({ principals: principals.split(","), namespaces, publicKey: Buffer.from(key, "base64") });
  }
  return { kind: "read", signers };
}

/** Whether the file lets this name sign with this key for this purpose; if not, why. */
export function judgeSigner(
  signers: readonly AllowedSigner[],
  asked: { identity: string; namespace: string; publicKey: Uint8Array },
): { ok: boolean; detail: string } {
  const ofKey = signers.filter(({ publicKey }) => publicKey.equals(asked.publicKey));
  if (ofKey.length === 0) return { ok: false, detail: "the key that signed is not in the file of allowed signers" };
  const named = ofKey.filter(({ principals }) => principals.includes(asked.identity));
  if (named.length === 0)
    return { ok: false, detail: `the key is allowed for ${ofKey[0]?.principals.join(",")}, not for ${asked.identity}` };
  const isAllowed = named.some(({ namespaces }) => namespaces === null || namespaces.includes(asked.namespace));
  return isAllowed
    ? { ok: true, detail: `${asked.identity}, by the file of allowed signers` }
    : { ok: false, detail: `${asked.identity} may not sign for ${asked.namespace}` };
}
