import { createHash, sign } from "node:crypto";
import { SECURITY_KEY_TYPE, sshPublicKey, sshString } from "../../main/domain/ssh-wire";
import { armouredSignature, signedRecord } from "../../main/domain/sshsig";
import { keyOfSeed } from "../../main/evidence/signing-key";

const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest();

/** What a hardware key does, done by a program: there is no hardware where tests run. */
export interface SecurityKey {
  publicKey: Buffer;
  /** The wrapped signature of a record. @param flags 1: somebody touched it */
  sign(record: Uint8Array, flags?: number): Buffer;
  /** The armoured signature of a message. */
  signMessage(message: string, namespace: string, flags?: number): string;
}

export function securityKey(number: number, application = "ssh:"): SecurityKey {
  const key = keyOfSeed(Buffer.alloc(32, number));
  const publicKey = Buffer.concat([
    ...[sshString(SECURITY_KEY_TYPE), sshString(sshPublicKey(key).subarray(-32)), sshString(application)],
  ]);
  const signRecord = (record: Uint8Array, flags = 1) => {
    const touch = Buffer.from([flags, 0, 0, 0, 9]);
    const raw = sign(null, Buffer.concat([sha256(application), touch, sha256(record)]), key);
    return Buffer.concat([sshString(SECURITY_KEY_TYPE), sshString(raw), touch]);
  };
  return {
    publicKey,
    sign: signRecord,
    signMessage: (message, namespace, flags) =>
      armouredSignature(publicKey, namespace, signRecord(signedRecord(Buffer.from(message), namespace), flags)),
  };
}
