import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../main/domain/hashing";
import { Bug, type OperationId, type Sha256 } from "../main/domain/ids";
import { connectInspector, connectWriter, type Durability, pragmaFaults, type Sqlite } from "./connect";
import { type CustomersCrypto, customerSubject, KEY_BYTES, mailSubject, makeCustomersCrypto } from "./customers-crypto";
import {
  type AddressSeal,
  type AudienceRow,
  applyAudience,
  type ImportResult,
  previewAudience,
} from "./customers-import";
import { type FileCalls, probeFolder, syncDirectory } from "./folder";
import { quickCheckDamage } from "./inspect";
import { type Migration, migrate, readStamp, refusalOf, toMigrations } from "./migrate";
import { type Problem, problemOf } from "./problem";

export { SealBroken } from "./customers-crypto";
export type { AudienceChange, AudienceRow, ImportResult } from "./customers-import";

export const CUSTOMERS_NAME = "customers.db";
/** "Icus" in ASCII. */
const APPLICATION_ID = 0x49637573;

const files = import.meta.glob<string>("./migrations/customers/*.sql", {
  query: "?raw",
  import: "default",
  eager: true,
});
const MIGRATIONS: readonly Migration[] = toMigrations(files);

export interface Recipient {
  recipientId: string;
  group: string;
  /** Keyed digest of the canonical address: what goes into the audience hash (domain 1). */
  digest: string;
}

/** The bytes were kept before under this operation, and these are others. Both hashes are named; the kept ones stand. */
export interface MailRefused {
  kind: "refused";
  operationId: OperationId;
  keptSha256: Sha256;
  refusedSha256: Sha256;
}
export type PutMailResult = { kind: "kept"; sha256: Sha256 } | MailRefused;

/** Addresses and exact mails, encrypted; the journal knows them by id and hash only. */
export interface Customers {
  /** All or nothing: afterwards the audience is exactly these rows, or what it was before. */
  importAudience(rows: readonly AudienceRow[]): ImportResult;
  /** What an import of these rows would do now; nothing is written. */
  previewAudience(rows: readonly AudienceRow[]): ImportResult;
  /** Rises with every import that changed something. */
  importVersion(): number;
  /** Who is in the audience now, ordered by id. */
  recipients(): Recipient[];
  /** @throws SealBroken when a row was tampered with. Unknown and departed ids are left out. */
  addressesFor(recipientIds: readonly string[]): Map<string, string>;
  digestOf(address: string): string;
  putMailRequest(operationId: OperationId, bytes: Uint8Array): PutMailResult;
  /** One commit for all: either every mail is kept or none, and a mailing costs one wait for the disk. */
  putMailRequests(requests: readonly { operationId: OperationId; bytes: Uint8Array }[]): { kind: "kept" } | MailRefused;
  /** The bytes as they were kept, or null. @throws SealBroken when they are not those bytes any more. */
  getMailRequest(operationId: OperationId): Uint8Array | null;
  mailRequestIds(): OperationId[];
  close(): void;
}

export type CustomersProblem = { code: Problem["code"] | "wrong_key"; path: string; detail: string };
export type OpenCustomersResult =
  | { kind: "opened"; customers: Customers }
  | { kind: "problem"; problem: CustomersProblem };

export interface CustomersOptions {
  dir: string;
  /** 32 bytes, or where to get them. It is only used to derive keys and is never kept or logged. */
  key: Uint8Array | (() => Uint8Array);
  durability?: Durability;
  busyTimeoutMs?: number;
  files?: FileCalls;
}

/** Opens the customers' database of a workspace, or says why not. A wrong key is told from the check value, before any write. */
export function openCustomers(options: CustomersOptions): OpenCustomersResult {
  const { dir, durability = "full", busyTimeoutMs } = options;
  const path = join(dir, CUSTOMERS_NAME);
  const key = typeof options.key === "function" ? options.key() : options.key;
  if (key.length !== KEY_BYTES)
    return problem("wrong_key", path, `the key has ${key.length} bytes and should have ${KEY_BYTES}`);
  const crypto = makeCustomersCrypto(key);
  const refused = probeFolder(dir, durability === "full", options.files);
  if (refused) return { kind: "problem", problem: refused };
  let sqlite: Sqlite | null = null;
  try {
    const found = existsSync(path) ? inspect(path, crypto, busyTimeoutMs) : null;
    if (found) return { kind: "problem", problem: found };
    closeSync(openSync(path, "a", 0o600));
    syncDirectory(dir);
    sqlite = connectWriter(path, durability, busyTimeoutMs);
    const faults = pragmaFaults(sqlite, durability);
    if (faults.length > 0) throw new Error(faults.join("; "));
    migrate(sqlite, APPLICATION_ID, MIGRATIONS);
    sqlite
      .prepare("INSERT INTO customers_state SELECT 1, ?, 0 WHERE NOT EXISTS (SELECT 1 FROM customers_state)")
      .run(crypto.keyCheck);
    return { kind: "opened", customers: makeCustomers(sqlite, crypto) };
  } catch (error) {
    sqlite?.close();
    return { kind: "problem", problem: problemOf(error, path) };
  }
}

function problem(code: CustomersProblem["code"], path: string, detail: string): OpenCustomersResult {
  return { kind: "problem", problem: { code, path, detail } };
}

/** Looks through a read-only connection first: a file that is refused stays as it is. */
function inspect(path: string, crypto: CustomersCrypto, busyTimeoutMs?: number): CustomersProblem | null {
  const sqlite = connectInspector(path, busyTimeoutMs);
  try {
    const stamp = readStamp(sqlite);
    const refusal = refusalOf(stamp, APPLICATION_ID, MIGRATIONS);
    if (refusal) {
      const code = refusal.reason === "newer_file" ? "newer_file" : "unknown";
      return { code, path, detail: `${refusal.reason}: version ${stamp.userVersion}` };
    }
    const damage = quickCheckDamage(sqlite);
    if (damage !== null) return { code: "damaged", path, detail: damage };
    if (stamp.isEmpty) return null;
    const check = sqlite.prepare("SELECT key_check FROM customers_state").pluck().get();
    if (typeof check === "string" && !crypto.isKeyCheck(check))
      return { code: "wrong_key", path, detail: "the customers' database was made with another key" };
    return null;
  } finally {
    sqlite.close();
  }
}

/** One person has one canonical address: NFC, no blanks around it, lower case (B9). The import has done the rest. */
const canonical = (address: string): string => address.normalize("NFC").trim().toLowerCase();

function makeCustomers(sqlite: Sqlite, crypto: CustomersCrypto): Customers {
  const digestOf = (address: string) => crypto.digest(canonical(address));
  const addressSeal: AddressSeal = {
    digest: digestOf,
    seal: (recipientId, address) => crypto.seal(customerSubject(recipientId), Buffer.from(canonical(address), "utf8")),
  };
  const statements = {
    recipients: sqlite.prepare<[], Recipient>(
      `SELECT recipient_id AS recipientId, "group", address_digest AS digest FROM customer WHERE active = 1 ORDER BY recipient_id`,
    ),
    address: sqlite
      .prepare<[string], Uint8Array>("SELECT sealed_address FROM customer WHERE recipient_id = ? AND active = 1")
      .pluck(),
    mail: sqlite.prepare<[string], { sha256: Sha256; sealed: Uint8Array }>(
      "SELECT sha256, sealed_bytes AS sealed FROM mail_request WHERE operation_id = ?",
    ),
    insertMail: sqlite.prepare("INSERT INTO mail_request (operation_id, sha256, sealed_bytes) VALUES (?, ?, ?)"),
    mailIds: sqlite.prepare<[], OperationId>("SELECT operation_id FROM mail_request ORDER BY operation_id").pluck(),
    version: sqlite.prepare<[], number>("SELECT import_version FROM customers_state").pluck(),
  };

  const putOne = (operationId: OperationId, bytes: Uint8Array): PutMailResult => {
    const hash = sha256(bytes);
    const kept = statements.mail.get(operationId);
    if (kept && kept.sha256 !== hash)
      return { kind: "refused", operationId, keptSha256: kept.sha256, refusedSha256: hash };
    if (!kept) statements.insertMail.run(operationId, hash, crypto.seal(mailSubject(operationId), bytes));
    return { kind: "kept", sha256: hash };
  };
  const putAll = sqlite.transaction((requests: readonly { operationId: OperationId; bytes: Uint8Array }[]) => {
    for (const { operationId, bytes } of requests) {
      const result = putOne(operationId, bytes);
      if (result.kind === "refused") throw new RefusedMail(result);
    }
  });

  return {
    importAudience: (rows) => applyAudience(sqlite, rows, addressSeal),
    previewAudience: (rows) => previewAudience(sqlite, rows, addressSeal),
    importVersion: () => statements.version.get() ?? 0,
    recipients: () => statements.recipients.all(),
    addressesFor: (ids) => {
      const found = new Map<string, string>();
      for (const id of ids) {
        const sealed = statements.address.get(id);
        if (sealed) found.set(id, Buffer.from(crypto.open(customerSubject(id), sealed)).toString("utf8"));
      }
      return found;
    },
    digestOf,
    putMailRequest: (operationId, bytes) => sqlite.transaction(putOne).immediate(operationId, bytes),
    putMailRequests: (requests) => {
      try {
        putAll.immediate(requests);
        return { kind: "kept" };
      } catch (error) {
        if (error instanceof RefusedMail) return error.refusal;
        throw error;
      }
    },
    getMailRequest: (operationId) => {
      const row = statements.mail.get(operationId);
      if (!row) return null;
      const bytes = crypto.open(mailSubject(operationId), row.sealed);
      if (sha256(bytes) !== row.sha256) throw new Bug(`the kept mail of ${operationId} is not the one it was kept as`);
      return bytes;
    },
    mailRequestIds: () => statements.mailIds.all(),
    close: () => sqlite.close(),
  };
}

/** Only to leave a transaction so that it rolls back; it is caught right outside. */
class RefusedMail extends Error {
  constructor(readonly refusal: MailRefused) {
    super("refused");
  }
}
