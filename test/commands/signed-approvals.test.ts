import { describe, expect, test } from "vitest";
import type { ExecuteResult } from "../../db/journal";
import { loadJournal } from "../../db/load-journal";
import type { ApprovalSigner } from "../../main/commands/sign-approval";
import { checkInvariants } from "../../main/domain/invariants";
import type { ApprovalRow } from "../../main/domain/records";
import { APPROVAL_NAMESPACE, EVIDENCE_NAMESPACE, signSsh, verifySsh } from "../../main/domain/sshsig";
import { fingerprintOfKey, publicKeyOf, SigningWalk, signerWith, testKey } from "../support/signing-walk";
import { EDITOR, World } from "../support/world";
import { worldViews } from "../support/world-views";

/** Approvals as signed statements: what the handler, the database and the checker each say to one that is not. */
const walkTo = (stage: Parameters<SigningWalk["to"]>[0]) => new SigningWalk(new World()).to(stage);
const sqlOf = (walk: SigningWalk) => walk.world.database.sqlite;
const codes = (answer: ExecuteResult) => ("unmet" in answer ? answer.unmet.map(({ code }) => code) : answer.result);
const violations = (walk: SigningWalk) =>
  checkInvariants(loadJournal(sqlOf(walk)))
    .filter(({ subject }) => subject.startsWith("approval "))
    .map(({ invariant, detail }) => `${invariant} ${detail}`);
const approvals = (walk: SigningWalk): readonly ApprovalRow[] => walk.view().approvals();
const newest = (walk: SigningWalk): ApprovalRow => approvals(walk).at(-1) as ApprovalRow;
const signedAs = (make: (statement: string) => string): ApprovalSigner => ({
  open: () => ({ kind: "ready", sign: make }),
});
/** What the approval of the content comes to when it is signed in this way. */
const approveWith = (walk: SigningWalk, signer: ApprovalSigner): string => {
  walk.signer = signer;
  try {
    walk.approveContent();
    return "applied";
  } catch (error) {
    return /"code":"(\w+)"/.exec(String(error))?.[1] ?? String(error);
  }
};

describe("from the first registered key on", () => {
  test("both approvals are signed over their stored statement: scope, hashes, expiry and task", () => {
    const walk = walkTo("awaiting_content_approval");
    walk.register(1);
    walk.to("succeeded");
    const [publish, send] = approvals(walk);
    for (const approval of [publish, send]) {
      const found = verifySsh(Buffer.from(approval?.statement ?? ""), APPROVAL_NAMESPACE, approval?.signature ?? "");
      expect(found).toMatchObject({ kind: "good", fingerprint: fingerprintOfKey(testKey(1)) });
      expect(approval?.signedBy).toBe(fingerprintOfKey(testKey(1)));
      const { taskId, scope, expiresAt, contentHash, bodyHash, audienceHash, pageUrl } = approval ?? {};
      expect(JSON.parse(approval?.statement ?? "")).toMatchObject({
        ...{ taskId, scope, expiresAt, contentHash, bodyHash, audienceHash, pageUrl },
      });
    }
    expect([publish?.contentHash, send?.bodyHash, send?.audienceHash].every((hash) => hash?.length === 64)).toBe(true);
    expect(checkInvariants(loadJournal(sqlOf(walk)))).toEqual([]);
  });

  test.each<[string, ApprovalSigner, string]>([
    ["another key's signature", signedAs((it) => signSsh(Buffer.from(it), APPROVAL_NAMESPACE, testKey(2))), "wrong"],
    ["one made for bundles", signedAs((it) => signSsh(Buffer.from(it), EVIDENCE_NAMESPACE, testKey(1))), "wrong"],
    ["one of other words", signedAs(() => signSsh(Buffer.from("{}"), APPROVAL_NAMESPACE, testKey(1))), "wrong"],
    ["no signature at all", signedAs(() => ""), "wrong"],
  ])("the handler refuses %s", (_, signer, said) => {
    const walk = walkTo("awaiting_content_approval");
    walk.register(1);
    expect(approveWith(walk, signer)).toBe(`approval_signature_${said}`);
    expect(approvals(walk)).toEqual([]);
    expect(approveWith(walk, signerWith(testKey(1)))).toBe("applied");
  });

  test("the handler refuses an unsigned one, and whoever has no key is told so before", () => {
    const walk = walkTo("awaiting_content_approval");
    walk.register(1);
    const { signer } = walk;
    walk.signer = signerWith();
    expect(approveWith(walk, walk.signer)).toBe("signing_key_missing");
    // Around the command that signs: the same click as from a program that knows nothing of keys.
    walk.person = (command) => walk.world.must(command, EDITOR, { expectedVersion: walk.view().task.stateVersion });
    expect(approveWith(walk, signer)).toBe("approval_unsigned");
  });

  test("the database refuses an unsigned row, one by an older key and one without its signature; around it, the checker finds them", () => {
    const walk = walkTo("awaiting_content_approval");
    walk.register(1);
    walk.to("content_approved");
    walk.register(2, "the first was lost");
    const sql = sqlOf(walk);
    const copy = (signature: string, signedBy: string) =>
      sql.exec(`INSERT INTO approval (id, task_id, scope, intent_key, hash_rule_version, content_hash, package_hash, approver,
          issued_at, expires_at, time_source, zone, statement, signature, signed_by)
        SELECT id || '-copy', task_id, scope, intent_key, hash_rule_version, content_hash, package_hash, approver,
          issued_at, expires_at, time_source, zone, statement, ${signature}, ${signedBy} FROM approval`);
    const [first, second] = [1, 2].map((number) => `'${fingerprintOfKey(testKey(number))}'`) as [string, string];
    const refusals: [string, string][] = [
      ["NULL", "NULL"],
      ["signature", first],
      ["NULL", second],
      ["signature", "NULL"],
    ];
    for (const [signature, by] of refusals) expect(() => copy(signature, by), `${signature} ${by}`).toThrow("I02, I04");
    expect(() => sql.exec("UPDATE approval SET signature = NULL")).toThrow("I08");
    expect(() => sql.exec("UPDATE approval SET signed_by = NULL")).toThrow("I08");
    expect(violations(walk)).toEqual([]);
    sql.exec("DROP TRIGGER approval_immutable; UPDATE approval SET signature = NULL");
    expect(violations(walk)).toEqual([`I02 it is not signed, and ${fingerprintOfKey(testKey(1))} was registered`]);
  });

  test("before a request leaves the signature is verified again over the stored bytes", () => {
    const tampered: [string, string][] = [
      ["another signature", `signature = '${signSsh(Buffer.from("{}"), APPROVAL_NAMESPACE, testKey(1))}'`],
      ["other words", "statement = replace(statement, 'zh-CN', 'en')"],
      ["a row that says more than its statement", "expires_at = expires_at + 1"],
      ["no signature", "signature = NULL, signed_by = NULL"],
    ];
    for (const [what, change] of tampered) {
      const walk = walkTo("awaiting_content_approval");
      walk.register(1);
      walk.to("publishing");
      const operation = walk.operation("publish");
      sqlOf(walk).exec(`DROP TRIGGER approval_immutable; DROP TRIGGER approval_signer_immutable;
        UPDATE approval SET ${change}`);
      expect(() => walk.markSent(operation), what).toThrow(/approval_signature_wrong|approval_unsigned/);
      expect(walk.operation("publish").state).toBe("prepared");
    }
  });

  test("a signature that was changed is a broken promise of its gate", () => {
    const walk = walkTo("awaiting_content_approval");
    walk.register(1);
    walk.to("succeeded");
    sqlOf(walk).exec(`DROP TRIGGER approval_immutable;
      UPDATE approval SET signature = (SELECT signature FROM approval WHERE scope = 'publish') WHERE scope = 'send'`);
    expect(violations(walk)).toEqual(["I04 its signature is not one of its words by the key that was registered then"]);
  });
});

describe("the screens", () => {
  const review = async (walk: SigningWalk, signer?: ApprovalSigner) => {
    const views = worldViews(walk.world, signer === undefined ? {} : { signer });
    const { taskId } = walk;
    const [content, run] = [await views.contentReview({ taskId }), await views.run({ taskId })];
    return { content, run };
  };

  test("say before the click that the key cannot be had, sign nothing by being looked at, and let it be clicked when it can", async () => {
    const walk = walkTo("awaiting_content_approval");
    expect((await review(walk)).content).toMatchObject({ canApprove: true, unmet: [] });
    walk.register(1);
    expect((await review(walk)).content).toMatchObject({ canApprove: false, unmet: [{ code: "signing_key_missing" }] });
    const counted = { times: 0 };
    const signer = signedAs(() => {
      counted.times += 1;
      return "";
    });
    const { content, run } = await review(walk, signer);
    expect(content).toMatchObject({ canApprove: true, unmet: [] });
    expect(run?.ways.find(({ event }) => event === "ContentApproved")).toMatchObject({ open: true });
    expect(counted.times).toBe(0);
  });

  test("show by which key an approval was signed, verified anew, and that an old one was not", async () => {
    const walk = walkTo("content_approved");
    walk.register(1);
    walk.to("succeeded");
    const [publish, send] = (await review(walk)).run?.approvals ?? [];
    expect(publish).toMatchObject({ signature: "none", signedBy: null });
    expect(send).toMatchObject({ signature: "good", signedBy: fingerprintOfKey(testKey(1)) });
    sqlOf(walk).exec("DROP TRIGGER approval_immutable; UPDATE approval SET statement = replace(statement, 'zh', 'en')");
    expect((await review(walk)).run?.approvals[1]).toMatchObject({ signature: "wrong" });
  });
});

describe("an approval from before the first key", () => {
  test("stays unsigned and valid, and the next one is signed", () => {
    const walk = walkTo("content_approved");
    expect(newest(walk)).toMatchObject({ scope: "publish", signature: null, signedBy: null });
    walk.register(1);
    walk.to("succeeded");
    expect(approvals(walk).map(({ signedBy }) => signedBy)).toEqual([null, fingerprintOfKey(testKey(1))]);
    expect(checkInvariants(loadJournal(sqlOf(walk)))).toEqual([]);
  });

  test("carries no signature: nobody could say by whose key", () => {
    const walk = walkTo("awaiting_content_approval");
    const signature = signSsh(Buffer.from("{}"), APPROVAL_NAMESPACE, testKey(1));
    const { person } = walk;
    walk.person = (command) =>
      person.call(walk, command.type === "transition" ? { ...command, approvalSignature: signature } : command);
    expect(approveWith(walk, walk.signer)).toBe("approval_signature_wrong");
  });
});

describe("a lost key", () => {
  test("loses no history: what it signed goes on, and a new key signs from then on", () => {
    const walk = walkTo("awaiting_content_approval");
    walk.register(1);
    walk.to("content_approved");
    walk.register(2, "the keychain was reset");
    walk.signer = signerWith(testKey(2));
    walk.to("succeeded");
    expect(approvals(walk).map(({ signedBy }) => signedBy)).toEqual([1, 2].map((n) => fingerprintOfKey(testKey(n))));
    expect(walk.view().signers()).toMatchObject([
      { position: 1, publicKey: publicKeyOf(testKey(1)) },
      { position: 2, publicKey: publicKeyOf(testKey(2)), reason: "the keychain was reset", registeredBy: EDITOR },
    ]);
    expect(checkInvariants(loadJournal(sqlOf(walk)))).toEqual([]);
  });

  test("signs nothing any more", () => {
    const walk = walkTo("awaiting_content_approval");
    walk.register(1);
    walk.register(2, "somebody else has the first");
    const old = signedAs((statement) => signSsh(Buffer.from(statement), APPROVAL_NAMESPACE, testKey(1)));
    expect(approveWith(walk, old)).toBe("approval_signature_wrong");
  });

  test("is replaced by a person with a reason, by a key that was not registered, and is never taken out", () => {
    const walk = walkTo("awaiting_content_approval");
    expect(codes(walk.register(1, "first start", "system"))).toBe("applied");
    expect(codes(walk.register(2, "by itself", "system"))).toEqual(["person_required"]);
    expect(codes(walk.register(2, " "))).toEqual(["reason_missing"]);
    expect(codes(walk.register(1, "again"))).toEqual(["signer_registered_already"]);
    const unreadable = { type: "register_signer", identity: "editor@world", reason: "no key" } as const;
    for (const publicKey of ["", "AAAA", `${publicKeyOf(testKey(3))}\n`])
      expect(codes(walk.world.execute({ ...unreadable, publicKey }, EDITOR))).toEqual(["signer_key_unreadable"]);
    for (const change of ["DELETE FROM signer", "UPDATE signer SET reason = ''", "UPDATE signer SET position = 9"])
      expect(() => sqlOf(walk).exec(change), change).toThrow("I08");
  });
});
