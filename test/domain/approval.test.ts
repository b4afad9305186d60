import { describe, expect, test } from "vitest";
import { differences, findApproval, isLiving, makeApproval } from "../../main/domain/approval";
import { asTaskId } from "../../main/domain/ids";
import type { ApprovalRow } from "../../main/domain/records";
import {
  AUDIENCE,
  approvalRow,
  BODY,
  CONTENT,
  HOUR,
  NOW,
  otherHash,
  PAGE,
  PUBLISH_INTENT,
  SEND_INTENT,
} from "./fake-view";
import { approvalTerms } from "./furnish";

const publish = { scope: "publish", intentKey: PUBLISH_INTENT, hashRuleVersion: 2, contentHash: CONTENT } as const;
const send = {
  scope: "send",
  intentKey: SEND_INTENT,
  hashRuleVersion: 2,
  pageUrl: PAGE,
  bodyHash: BODY,
  audienceHash: AUDIENCE,
} as const;

const missing = (approvals: readonly ApprovalRow[], demand: Parameters<typeof findApproval>[1] = publish, at = NOW) => {
  const found = findApproval(approvals, demand, at, []);
  return "missing" in found ? found.missing.map((unmet) => unmet.code) : [];
};

describe("an approval lives", () => {
  const approval = approvalRow({ issuedAt: NOW, expiresAt: NOW + HOUR });
  test.each([
    ["from the moment it is given", NOW, true],
    ["not a moment before", NOW - 1, false],
    ["to its last millisecond", NOW + HOUR - 1, true],
    ["and not in the next", NOW + HOUR, false],
  ])("%s", (_name, at, living) => expect(isLiving(approval, at)).toBe(living));

  test.each([{ revokedAt: NOW }, { endedAt: NOW }])("and never again once %j", (end) => {
    expect(isLiving({ ...approval, ...end }, NOW)).toBe(false);
    expect(isLiving({ ...approval, ...end }, NOW + 1)).toBe(false);
  });
});

describe("an approval covers", () => {
  test("exactly what it was given for", () => {
    expect(missing([approvalRow()])).toEqual([]);
    expect(missing([approvalRow({ scope: "send" })], send)).toEqual([]);
  });

  test.each([
    ["other content", approvalRow({ contentHash: otherHash("content") }), publish, "content_hash_differs"],
    ["another page", approvalRow({ scope: "send", pageUrl: "https://other" }), send, "page_url_differs"],
    ["another body", approvalRow({ scope: "send", bodyHash: otherHash("b") }), send, "body_hash_differs"],
    ["another audience", approvalRow({ scope: "send", audienceHash: otherHash("a") }), send, "audience_hash_differs"],
    ["another task's intent", approvalRow({ intentKey: "publish:other" }), publish, "approval_outdated"],
    ["another hash rule", approvalRow({ hashRuleVersion: 1 }), publish, "hash_rule_differs"],
  ] as const)("nothing else: %s", (_name, approval, demand, code) => {
    expect(missing([approval], demand)).toEqual([code]);
  });

  test("hashes of two rules are not even compared", () => {
    expect(differences(approvalRow({ hashRuleVersion: 1, contentHash: otherHash("c") }), publish)).toHaveLength(1);
  });

  test("the content's approval is none for the mailing, and the other way round (D4)", () => {
    expect(missing([approvalRow()], send)).toEqual(["approval_other_gate"]);
    expect(missing([approvalRow({ scope: "send" })], publish)).toEqual(["approval_other_gate"]);
    expect(missing([], publish)).toEqual(["approval_missing"]);
  });

  test("the newest is judged where none fits, and any that fits is enough", () => {
    const old = approvalRow({ contentHash: otherHash("c") });
    expect(missing([old, approvalRow({ revokedAt: NOW })])).toEqual(["approval_revoked"]);
    expect(missing([approvalRow(), old])).toEqual([]);
  });

  test("revoked stays revoked when the content comes back (D15)", () => {
    const first = approvalRow({ revokedAt: NOW - HOUR });
    expect(missing([first])).toEqual(["approval_revoked"]);
    expect(missing([first, approvalRow({ endedAt: NOW })])).toEqual(["approval_outdated"]);
  });
});

describe("the statement", () => {
  const terms = {
    ...approvalTerms("publish"),
    taskId: asTaskId("t1"),
    approver: "editor:lin",
    issuedAt: NOW,
    expiresAt: NOW + 24 * HOUR,
    timeSource: "server",
    zone: "Asia/Shanghai",
  };

  test("holds everything that was agreed to, as canonical JSON", () => {
    const row = makeApproval(terms, 7);
    expect(JSON.parse(row.statement)).toEqual({ format: "imprimatur-approval/1", ...terms });
    const keys = Object.keys(JSON.parse(row.statement));
    expect(keys).toEqual([...keys].sort());
    expect(row).toMatchObject({ revokedAt: null, endedAt: null, signature: null });
  });

  test("given again at the very same moment it is another approval: the first one's revocation does not cover it", () => {
    expect(makeApproval(terms, 7).id).toBe(makeApproval(terms, 7).id);
    expect(makeApproval(terms, 9).id).not.toBe(makeApproval(terms, 7).id);
  });
});
