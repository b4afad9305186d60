import { describe, expect, test } from "vitest";
import { checkDraft } from "../../main/pipeline/briefing/draft-schema";
import { draftOf, factOf } from "./edition";

const faultsOf = (raw: unknown) => {
  const check = checkDraft(raw);
  return check.kind === "valid" ? [] : check.faults;
};

describe("a draft's structure", () => {
  test("a good one passes as it is", () => {
    const draft = draftOf();
    expect(checkDraft(JSON.parse(JSON.stringify(draft)))).toEqual({ kind: "valid", draft });
  });

  test.each<[string, unknown, string]>([
    ["nothing", null, "draft is missing or of the wrong type"],
    ["a text", "draft", "draft is missing or of the wrong type"],
    ["no facts", draftOf({ facts: [] }), "facts is too short"],
    ["a field too many", { ...draftOf(), extra: 1 }, "draft has unknown fields"],
    ["no title", { ...draftOf(), title: undefined }, "title is missing or of the wrong type"],
    ["a blank title", draftOf({ title: "　 " }), "title is blank"],
    ["a title of two lines", draftOf({ title: "a\nb" }), "title has a line break"],
    [
      "a subject that writes headers",
      draftOf({ email: { subject: "a\r\nBcc: x", intro: "i" } }),
      "email.subject has control",
    ],
    ["a turned-around title", draftOf({ title: "a\u202Eb" }), "title has control or direction-override characters"],
    ["a broken character", draftOf({ intro: "\ud800" }), "intro has a broken character"],
    ["no language", draftOf({ language: "" }), "language is not a language tag"],
    ["an id twice", draftOf({ facts: [factOf(1), factOf(1)] }), "facts have the same id twice"],
    ["a wrong id", draftOf({ facts: [factOf(1, { id: "1" })] }), "facts.0.id is not F and a number"],
    [
      "a running address",
      draftOf({ facts: [factOf(1, { url: "javascript:alert(1)" })] }),
      "facts.0.url is not an absolute",
    ],
    [
      "a password in an address",
      draftOf({ facts: [factOf(1, { url: "https://u:p@a.example/" })] }),
      "facts.0.url is not an absolute",
    ],
    ["a relative address", draftOf({ facts: [factOf(1, { url: "/n/1" })] }), "facts.0.url is not an absolute"],
    [
      "half a character",
      draftOf({ facts: [factOf(1, { start: 1.5 })] }),
      "facts.0.start is missing or of the wrong type",
    ],
    ["a turned-around span", draftOf({ facts: [factOf(1, { start: 9, end: 3 })] }), "facts.0 ends before it starts"],
    ["a thousand facts", draftOf({ facts: Array.from({ length: 100 }, (_, i) => factOf(i + 1)) }), "facts is too long"],
  ])("%s", (_, raw, fault) => {
    expect(faultsOf(raw).join("\n")).toContain(fault);
  });

  test("faults name places and never repeat what the draft said", () => {
    const secret = "customer@example.org";
    const faults = faultsOf({
      ...draftOf({ language: secret }),
      [secret]: 1,
      title: `${secret}\n`,
      facts: [factOf(1, { id: secret, url: secret })],
    });
    expect(faults.length).toBeGreaterThan(3);
    expect(faults.join()).not.toContain(secret);
  });
});
