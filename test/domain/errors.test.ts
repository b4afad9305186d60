import { describe, expect, test } from "vitest";
import { cmsSandboxManifest } from "../../main/adapters/cms/sandbox";
import { mailSandboxManifest } from "../../main/adapters/mail/sandbox";
import { classify, ERROR_RULES, type ErrorTable, type RawError, toClassifiedError } from "../../main/domain/errors";

const raw = (phase: RawError["phase"], code: string): RawError => ({
  phase,
  code,
  httpStatus: null,
  reference: "req-1",
  retryAfterMs: null,
});

// Domain section 7, copied out by reading it.
test.each([
  ["transient", "executor", "retry_in_budget"],
  ["permanent_input", "content_owner", "stop_and_correct_input"],
  ["auth", "account_owner", "stop_and_sign_in"],
  ["business_conflict", "editor", "stop_for_editor"],
  ["unknown_outcome", "executor", "query_first"],
  ["partial", "executor", "reconcile_then_decide"],
  ["invariant_violation", "incident_owner", "freeze_and_open_incident"],
  ["unclassified", "incident_owner", "query_first"],
] as const)("%s belongs to %s, who first: %s", (cls, owner, nextAction) => {
  expect(ERROR_RULES[cls]).toEqual({ owner, nextAction });
});

describe("an error table", () => {
  const table: ErrorTable = {
    version: 3,
    rules: [
      { phase: "read", code: "http_500", class: "transient" },
      { phase: "after_send", code: "http_500", class: "unknown_outcome" },
      { phase: "after_send", code: "*", class: "partial" },
      { phase: "after_send", code: "http_409", class: "auth" },
    ],
  };
  test("judges the same code by the phase it came in", () => {
    expect(classify(table, raw("read", "http_500"))).toBe("transient");
    expect(classify(table, raw("after_send", "http_500"))).toBe("unknown_outcome");
  });
  test("decides by the first row that fits", () =>
    expect(classify(table, raw("after_send", "http_409"))).toBe("partial"));
  test("never guesses what it does not name", () =>
    expect(classify(table, raw("query", "http_500"))).toBe("unclassified"));
});

test("an error is stored as a record with who acts and how", () => {
  const where = { tool: "cms", operationId: null, attempt: 2, at: 5 };
  const record = toClassifiedError({ version: 1, rules: [] }, raw("after_send", "odd"), where);
  expect(record).toEqual({
    ...raw("after_send", "odd"),
    ...where,
    class: "unclassified",
    owner: "incident_owner",
    nextAction: "query_first",
  });
});

describe.each([cmsSandboxManifest, mailSandboxManifest])("the table of $name", ({ errors }) => {
  test("calls nothing a failure that may have happened", () => {
    const doubtful = "timeout reset unparsable http_500 http_502 http_503 http_504 http_409 http_429 interrupted odd";
    for (const code of doubtful.split(" "))
      expect(["unknown_outcome", "unclassified"], code).toContain(classify(errors, raw("after_send", code)));
  });
  test("knows that a 429 on a query says nothing about what was accepted (S39)", () => {
    expect(classify(errors, raw("query", "http_429"))).toBe("transient");
  });
});
