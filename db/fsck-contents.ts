import { existsSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../main/domain/hashing";
import type { Sha256 } from "../main/domain/ids";
import type { BlobStore } from "../main/domain/ports";
import { BlobDamaged, openBlobReader } from "./blobs";
import type { Sqlite } from "./connect";
import { CUSTOMERS_NAME } from "./customers";
import { mailSubject, makeCustomersCrypto, SealBroken } from "./customers-crypto";
import { readStamp } from "./migrate";
import { openSnapshot } from "./snapshot-file";

interface Frozen {
  hash: Sha256;
  /** The sizes that the artifacts' rows give it; null where only an audience names it. */
  least: number | null;
  most: number | null;
}

/** Every frozen byte an artifact or an audience names is there and has its hash, and as many as the artifact's row says. */
export function checkBlobs(sqlite: Sqlite, dir: string): { faults: string[]; fine: string } {
  const frozen = sqlite
    .prepare<[], Frozen>(
      `SELECT hash, min(bytes) AS least, max(bytes) AS most FROM (SELECT hash, bytes FROM artifact
       UNION ALL SELECT artifact_hash, NULL FROM audience_snapshot) GROUP BY hash ORDER BY hash`,
    )
    .all();
  const blobs = openBlobReader(dir);
  const faults = frozen.flatMap(({ hash, least, most }) => {
    try {
      const { length } = blobs.get(hash);
      const isSame = least === null || (least === length && most === length);
      return isSame ? [] : [`${hash} has ${length} bytes, its row says ${least === length ? most : least}`];
    } catch (error) {
      if (error instanceof BlobDamaged) return [`${error.reason} ${hash}`];
      throw error;
    }
  });
  return { faults, fine: `${frozen.length} verified` };
}

interface Sent {
  id: string;
  hash: Sha256;
}

/**
 * The bytes of every request that ever left are kept: as frozen bytes under their hash, or as a sealed mail of the operation.
 * @param key with it the mails are opened and hashed; without it only their noted hash is compared.
 */
export function checkRequests(sqlite: Sqlite, dir: string, key?: Uint8Array): { faults: string[]; fine: string } {
  const sent = sqlite
    .prepare<[], Sent>(
      "SELECT id, request_bytes_hash AS hash FROM operation WHERE request_bytes_hash IS NOT NULL ORDER BY id",
    )
    .all();
  const blobs = openBlobReader(dir);
  const mails = readMails(join(dir, CUSTOMERS_NAME), key);
  const faults = sent.flatMap(({ id, hash }) => {
    const mail = mails.get(id);
    if (mail === undefined) return requestDamage(blobs, id, hash);
    return mail === hash ? [] : [`the kept mail of ${id} is not what was sent`];
  });
  return { faults, fine: `${sent.length} kept${key ? ", mails opened" : ""}` };
}

function requestDamage(blobs: Pick<BlobStore, "get" | "has">, id: string, hash: Sha256): string[] {
  if (!blobs.has(hash)) return [`the bytes of ${id} were not kept`];
  try {
    blobs.get(hash);
    return [];
  } catch (error) {
    if (error instanceof BlobDamaged) return [`the kept bytes of ${id} are ${error.reason}`];
    throw error;
  }
}

/** The hash of each kept mail; a broken one has none that could be equal to anything. */
function readMails(path: string, key: Uint8Array | undefined): Map<string, string> {
  if (!existsSync(path)) return new Map();
  const file = openSnapshot(path);
  try {
    // Killed in its first moment: the file is there, and its tables are not yet.
    if (readStamp(file.sqlite).isEmpty) return new Map();
    const rows = file.sqlite.prepare<[], [string, string, Uint8Array]>(
      "SELECT operation_id, sha256, sealed_bytes FROM mail_request",
    );
    const crypto = key ? makeCustomersCrypto(key) : null;
    const found = new Map<string, string>();
    for (const [id, noted, sealed] of rows.raw().iterate()) {
      if (crypto === null) {
        found.set(id, noted);
        continue;
      }
      try {
        found.set(id, sha256(crypto.open(mailSubject(id), sealed)));
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error;
        found.set(id, "broken");
      }
    }
    return found;
  } finally {
    file.close();
  }
}
