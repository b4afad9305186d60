import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { Bug } from "../main/domain/ids";

/** Raised when stored bytes do not open: changed on disk, or moved to another row. Names the row, never the content. */
export class SealBroken extends Error {
  override readonly name = "SealBroken";

  constructor(readonly subject: string) {
    super(`the sealed bytes of ${subject} do not open`);
  }
}

/** What the customers' database does with its key. The key itself is not kept: only what is derived from it. */
export interface CustomersCrypto {
  /** A value that is the same for the same key and says nothing about it. */
  keyCheck: string;
  isKeyCheck(value: string): boolean;
  seal(subject: string, plain: Uint8Array): Uint8Array;
  /** @throws SealBroken */
  open(subject: string, sealed: Uint8Array): Uint8Array;
  /** Keyed digest: the same address has the same one, and nobody without the key can try addresses against it. */
  digest(text: string): string;
}

/** Names a row to the cipher: sealed bytes moved to another row, or from customers to mails, do not open. */
export const customerSubject = (recipientId: string): string => `customer:${recipientId}`;
export const mailSubject = (operationId: string): string => `mail:${operationId}`;

export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Derives separate keys for encrypting, for nonces, for digests and for the check value (HKDF-SHA-256), so that none of them
 * reveals anything about another.
 *
 * AES-256-GCM breaks when one nonce serves two texts. The nonce is therefore derived, by its own key, from subject and text
 * (a synthetic nonce): another text has another nonce, whatever a restored backup, a copied workspace or a weak source of
 * chance would have done to a counter or a random one. All it shows is that a row was written twice with the same content.
 *
 * @throws Bug when the key is not 32 bytes.
 */
export function makeCustomersCrypto(key: Uint8Array): CustomersCrypto {
  if (key.length !== KEY_BYTES) throw new Bug(`the customers' key has ${key.length} bytes, not ${KEY_BYTES}`);
  const derive = (use: string) =>
    Buffer.from(hkdfSync("sha256", key, new Uint8Array(0), `imprimatur/customers/1/${use}`, KEY_BYTES));
  const [encryptKey, nonceKey, digestKey, checkKey] = [
    derive("encrypt"),
    derive("nonce"),
    derive("digest"),
    derive("check"),
  ];
  const keyCheck = createHmac("sha256", checkKey).update("customers.db").digest("hex");
  return {
    keyCheck,
    isKeyCheck: (value) =>
      value.length === keyCheck.length && timingSafeEqual(Buffer.from(value), Buffer.from(keyCheck)),
    seal: (subject, plain) => {
      const aad = Buffer.from(subject, "utf8");
      const length = Buffer.alloc(8);
      length.writeBigUInt64BE(BigInt(aad.length));
      const nonce = createHmac("sha256", nonceKey)
        .update(length)
        .update(aad)
        .update(plain)
        .digest()
        .subarray(0, NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", encryptKey, nonce).setAAD(aad);
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    open: (subject, sealed) => {
      if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new SealBroken(subject);
      const tagAt = sealed.length - TAG_BYTES;
      try {
        const cipher = createDecipheriv("aes-256-gcm", encryptKey, sealed.subarray(0, NONCE_BYTES))
          .setAAD(Buffer.from(subject, "utf8"))
          .setAuthTag(sealed.subarray(tagAt));
        return Buffer.concat([cipher.update(sealed.subarray(NONCE_BYTES, tagAt)), cipher.final()]);
      } catch {
        // The library's error says no more than this.
        throw new SealBroken(subject);
      }
    },
    digest: (text) => createHmac("sha256", digestKey).update(text, "utf8").digest("hex"),
  };
}
