import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Customers, type CustomersOptions, openCustomers, SealBroken } from "../../db/customers";
import { makeCustomersCrypto } from "../../db/customers-crypto";
import { nodeFiles } from "../../db/folder";
import { sha256 } from "../../main/domain/hashing";
import { asOperationId, Bug } from "../../main/domain/ids";
import { filesOf, freshDir } from "./fixture";

const key = new Uint8Array(32).fill(7);

function open(dir: string, more: Partial<CustomersOptions> = {}): Customers {
  const result = openCustomers({ dir, key, ...more });
  if (result.kind === "problem") throw new Error(JSON.stringify(result.problem));
  onTestFinished(() => result.customers.close());
  return result.customers;
}

const row = (id: string, address = `${id}@example.org`, group = "paid") => ({ id, address, group });
const ids = (customers: Customers) => customers.recipients().map(({ recipientId }) => recipientId);

describe("the audience", () => {
  test("is exactly what was imported last; ids, groups and keyed digests, addresses only on demand", () => {
    const customers = open(freshDir());
    expect(customers.importAudience([row("b"), row("a", "a@example.org", "trial")])).toMatchObject({
      kind: "imported",
      count: 2,
      importVersion: 1,
    });
    expect(customers.recipients()).toEqual([
      { recipientId: "a", group: "trial", digest: customers.digestOf("a@example.org") },
      { recipientId: "b", group: "paid", digest: customers.digestOf("b@example.org") },
    ]);
    expect([...customers.addressesFor(["b", "nobody", "a"])]).toEqual([
      ["b", "b@example.org"],
      ["a", "a@example.org"],
    ]);
  });

  test("each change is named, and an import that changes nothing is none", () => {
    const customers = open(freshDir());
    customers.importAudience([row("a"), row("b"), row("c"), row("d")]);
    const next = [row("a"), row("b", "new@example.org"), row("c", "c@example.org", "trial"), row("e")];
    const changes = [
      { recipientId: "d", change: "removed" },
      { recipientId: "b", change: "new_address" },
      { recipientId: "c", change: "new_group" },
      { recipientId: "e", change: "added" },
    ];
    expect(customers.importAudience(next)).toEqual({
      kind: "imported",
      count: 4,
      importVersion: 2,
      changes,
      merged: [],
    });
    expect(customers.importAudience(next)).toMatchObject({ importVersion: 2, changes: [] });
    expect(customers.importVersion()).toBe(2);
    expect(customers.addressesFor(["d"]).size).toBe(0);
  });

  test("B9: 64 rows with 63 distinct addresses are an audience of 63, whatever letter case, blanks and Unicode form", () => {
    const customers = open(freshDir());
    const rows = Array.from({ length: 63 }, (_, at) => row(`r${at}`, `Étienne${at}@Example.org`));
    const result = customers.importAudience([...rows, row("r63", "  e\u0301TIENNE5@EXAMPLE.ORG ")]);
    expect(result).toMatchObject({ kind: "imported", count: 63, merged: [{ id: "r63", recipientId: "r5" }] });
    expect(customers.recipients()).toHaveLength(63);
  });

  test("an address keeps its first id for good, so that one person has one slot", () => {
    const customers = open(freshDir());
    customers.importAudience([row("a"), row("b")]);
    expect(customers.importAudience([row("x9", "A@example.org"), row("b")])).toMatchObject({
      count: 2,
      changes: [],
      merged: [{ id: "x9", recipientId: "a" }],
    });
    customers.importAudience([row("b")]);
    expect(ids(customers)).toEqual(["b"]);
    expect(customers.importAudience([row("b"), row("y", "a@example.org")])).toMatchObject({
      changes: [{ recipientId: "a", change: "returned" }],
    });
    expect(ids(customers)).toEqual(["a", "b"]);
  });

  test("a preview tells what an import would do, and changes nothing", () => {
    const customers = open(freshDir());
    customers.importAudience([row("a"), row("b"), row("c")]);
    const next = [row("a"), row("b", "new@example.org"), row("d"), row("x9", "A@example.org")];
    const seen = customers.previewAudience(next);
    expect(seen).toMatchObject({
      kind: "imported",
      count: 3,
      importVersion: 1,
      merged: [{ id: "x9", recipientId: "a" }],
    });
    expect(ids(customers)).toEqual(["a", "b", "c"]);
    expect(customers.importVersion()).toBe(1);
    expect(customers.importAudience(next)).toEqual({ ...seen, importVersion: 2 });
    expect(customers.previewAudience([row("", "e@example.org")])).toMatchObject({ kind: "refused" });
  });

  test("one bad row and nothing is imported: missing id, missing address, one id for two people", () => {
    const customers = open(freshDir());
    customers.importAudience([row("a")]);
    const bad = [row("", "x@example.org"), row("b", " "), row("c"), row("c", "other@example.org"), row("d")];
    expect(customers.importAudience(bad)).toEqual({
      kind: "refused",
      faults: [
        { row: 0, code: "id_missing" },
        { row: 1, code: "address_missing" },
        { row: 3, code: "id_conflict" },
      ],
    });
    expect(ids(customers)).toEqual(["a"]);
    expect(customers.importVersion()).toBe(1);
  });
});

describe("mails as they were sent", () => {
  const op = asOperationId("op-1");
  const mail = Buffer.from("To: a@example.org\r\n\r\n你好");

  test("are kept exactly, and never replaced", () => {
    const customers = open(freshDir());
    expect(customers.getMailRequest(op)).toBeNull();
    expect(customers.putMailRequest(op, mail)).toEqual({ kind: "kept", sha256: sha256(mail) });
    expect(customers.putMailRequest(op, mail)).toEqual({ kind: "kept", sha256: sha256(mail) });
    const other = Buffer.from("another");
    const refused = { kind: "refused", operationId: op, keptSha256: sha256(mail), refusedSha256: sha256(other) };
    expect(customers.putMailRequest(op, other)).toEqual(refused);
    expect(Buffer.from(customers.getMailRequest(op) ?? []).equals(mail)).toBe(true);
    expect(customers.mailRequestIds()).toEqual([op]);
  });

  test("many in one commit: all or none", () => {
    const customers = open(freshDir());
    customers.putMailRequest(op, mail);
    const two = { operationId: asOperationId("op-2"), bytes: mail };
    expect(customers.putMailRequests([two, { operationId: op, bytes: Buffer.from("other") }])).toMatchObject({
      kind: "refused",
      operationId: op,
    });
    expect(customers.mailRequestIds()).toEqual([op]);
    expect(customers.putMailRequests([two, { operationId: op, bytes: mail }])).toEqual({ kind: "kept" });
    expect(customers.mailRequestIds()).toEqual([op, "op-2"]);
  });

  test("are neither changed nor deleted by a statement around this file", () => {
    const dir = freshDir();
    open(dir).putMailRequest(op, mail);
    const raw = new Database(join(dir, "customers.db"));
    expect(() => raw.exec("UPDATE mail_request SET sha256 = ''")).toThrow(/I03/);
    expect(() => raw.exec("DELETE FROM mail_request")).toThrow(/I08/);
    raw.close();
  });
});

describe("secrecy", () => {
  test("neither addresses nor mails nor the key stand in the files, also not in the WAL", () => {
    const dir = freshDir();
    const customers = open(dir);
    customers.importAudience([row("a", "very.secret@example.org")]);
    customers.putMailRequest(asOperationId("op-1"), Buffer.from("Dear very.secret@example.org, unmistakable words"));
    const all = Object.values(filesOf(dir)).join();
    expect(all).toContain("customer");
    for (const secret of ["very.secret", "example.org", "unmistakable", Buffer.from(key).toString("latin1")])
      expect(all).not.toContain(secret);
    expect(statSync(join(dir, "customers.db")).mode & 0o777).toBe(0o600);
  });

  test("sealed bytes changed by one bit, or moved to another row, do not open", () => {
    const dir = freshDir();
    const customers = open(dir);
    customers.importAudience([row("a"), row("b")]);
    customers.putMailRequest(asOperationId("op-1"), Buffer.from("one"));
    const raw = new Database(join(dir, "customers.db"));
    raw.exec(
      "UPDATE customer SET sealed_address = (SELECT sealed_address FROM customer WHERE recipient_id = 'a') WHERE recipient_id = 'b'",
    );
    expect(customers.addressesFor(["a"]).size).toBe(1);
    expect(() => customers.addressesFor(["b"])).toThrow(SealBroken);
    const sealed = raw.prepare<[], Buffer>("SELECT sealed_bytes FROM mail_request").pluck().get() ?? Buffer.alloc(0);
    sealed[20] = (sealed[20] ?? 0) ^ 1;
    raw.exec("DROP TRIGGER mail_request_immutable");
    raw.prepare("UPDATE mail_request SET sealed_bytes = ?").run(sealed);
    raw.close();
    expect(() => customers.getMailRequest(asOperationId("op-1"))).toThrow(
      expect.objectContaining({ name: "SealBroken", subject: "mail:op-1" }),
    );
  });

  test("keys are apart by use, nonces by subject and text, and a digest needs the key", () => {
    const crypto = makeCustomersCrypto(key);
    const other = makeCustomersCrypto(new Uint8Array(32).fill(8));
    const text = Buffer.from("a@example.org");
    const nonce = (subject: string, plain: Buffer) =>
      Buffer.from(crypto.seal(subject, plain)).subarray(0, 12).toString("hex");
    const nonces = [nonce("a", text), nonce("b", text), nonce("a", Buffer.from("b")), nonce("aa", text.subarray(1))];
    expect(new Set(nonces).size).toBe(4);
    expect(Buffer.from(crypto.open("a", crypto.seal("a", text))).equals(text)).toBe(true);
    expect(() => other.open("a", crypto.seal("a", text))).toThrow(SealBroken);
    expect(() => crypto.open("a", new Uint8Array(5))).toThrow(SealBroken);
    expect(crypto.digest("x")).not.toBe(other.digest("x"));
    expect(crypto.digest("customers.db")).not.toBe(crypto.keyCheck);
    expect(() => makeCustomersCrypto(new Uint8Array(16))).toThrow(Bug);
  });
});

describe("opening", () => {
  const problem = (dir: string, more: Partial<CustomersOptions> = {}) => {
    const before = filesOf(dir);
    const result = openCustomers({ dir, key, ...more });
    if (result.kind === "opened") throw new Error("it opened");
    expect(filesOf(dir)).toEqual(before);
    return result.problem;
  };

  test("with the right key, from a function too, everything is there again", () => {
    const dir = freshDir();
    open(dir).importAudience([row("a")]);
    expect(
      open(dir, { key: () => new Uint8Array(32).fill(7) })
        .addressesFor(["a"])
        .get("a"),
    ).toBe("a@example.org");
  });

  test("a wrong key is told at once, and nothing is written under it", () => {
    const dir = freshDir();
    open(dir).importAudience([row("a")]);
    expect(problem(dir, { key: new Uint8Array(32).fill(8) })).toMatchObject({
      code: "wrong_key",
      path: join(dir, "customers.db"),
    });
    expect(problem(freshDir(), { key: new Uint8Array(31) })).toMatchObject({ code: "wrong_key" });
  });

  test("damaged, another program's or newer: named and left alone", () => {
    const made = (spoil: (path: string) => void) => {
      const dir = freshDir();
      const customers = openCustomers({ dir, key });
      if (customers.kind === "opened") customers.customers.close();
      spoil(join(dir, "customers.db"));
      return problem(dir).code;
    };
    expect(made((path) => writeFileSync(path, "not a database"))).toBe("damaged");
    expect(made((path) => writeFileSync(path, readFileSync(path).subarray(0, 9_000)))).toBe("damaged");
    const stamp = (sql: string) => (path: string) => void new Database(path).exec(sql).close();
    expect(made(stamp("PRAGMA journal_mode = delete; PRAGMA application_id = 5"))).toBe("unknown");
    expect(made(stamp("PRAGMA journal_mode = delete; PRAGMA user_version = 9990"))).toBe("newer_file");
  });

  test("a full disk is found before anything is made", () => {
    const write = () => {
      throw Object.assign(new Error("full"), { code: "ENOSPC" });
    };
    expect(problem(freshDir(), { files: { ...nodeFiles, write } })).toMatchObject({ code: "disk_full" });
  });
});
