import { z } from "zod";
import { asSha256 } from "../../domain/ids";
import type { Fact } from "../../domain/ports";

/**
 * The shape of a draft, whoever wrote it: the embedded extractive drafter, a model behind an API, or the editor.
 * Only structure is judged here; whether a quote is true is `check-quotes.ts`, because a false quote goes to a person
 * (`fact_evidence`) while a broken structure is repaired once by machine (domain 3, 8).
 */

/** Far above any real edition; keeps a runaway answer from filling the disk. */
const FACTS_MAX = 40;

/** C0 and C1 controls except tab and line feed, and the bidi overrides that can make a text read otherwise than it is. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is the point.
const UNSAFE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/u;
/** Lone surrogates have no UTF-8 form, so no hash and no byte could stand for them. */
const LONE_SURROGATE = /\p{Surrogate}/u;

const safeText = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((text) => text.trim() !== "", "is blank")
    .refine((text) => !UNSAFE.test(text), "has control or direction-override characters")
    .refine((text) => !LONE_SURROGATE.test(text), "has a broken character");

/** A subject with a line break would let a draft write mail headers. */
const oneLine = (max: number) => safeText(max).refine((text) => !/[\n\r\u2028\u2029]/u.test(text), "has a line break");

const isWebUrl = (value: string): boolean => {
  try {
    const url = new URL(value);
    return (url.protocol === "https:" || url.protocol === "http:") && url.username === "" && url.password === "";
  } catch {
    return false;
  }
};

const offset = z.number().int().min(0);

const factSchema = z
  .strictObject({
    id: z.string().regex(/^F[1-9][0-9]{0,2}$/, "is not F and a number"),
    headline: oneLine(300),
    statement: safeText(2000),
    sourceId: z.string().min(1).max(100),
    snapshotHash: z
      .string()
      .regex(/^[0-9a-f]{64}$/, "is not a SHA-256 in lower-case hex")
      .transform((value) => asSha256(value)),
    start: offset,
    end: offset,
    // Not `safeText`: a quote is compared with the source character by character, an empty one is a fault of evidence.
    quote: z.string().max(2000),
    url: z.string().max(2000).refine(isWebUrl, "is not an absolute http(s) address"),
  })
  .refine((fact) => fact.end >= fact.start, "ends before it starts");

const draftSchema = z.strictObject({
  language: z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, "is not a language tag"),
  title: oneLine(200),
  intro: safeText(2000),
  facts: z
    .array(factSchema)
    .min(1)
    .max(FACTS_MAX)
    .refine((facts) => new Set(facts.map((fact) => fact.id)).size === facts.length, "have the same id twice"),
  email: z.strictObject({ subject: oneLine(200), intro: safeText(2000) }),
});

/** A draft that has the right structure. Facts may be fewer than wanted: see {@link countShortfall}. */
export interface DraftDocument {
  /** BCP 47 tag, for example `zh-CN`. */
  language: string;
  title: string;
  intro: string;
  facts: readonly Fact[];
  email: { subject: string; intro: string };
}

export type DraftCheck = { kind: "valid"; draft: DraftDocument } | { kind: "invalid"; faults: readonly string[] };

/**
 * Judges the structure of a draft.
 * @param raw anything, as a drafter returned it or as the editor's command carried it.
 * @returns the draft, or what is wrong as `path message` lines. Faults name places, never values: they go to the journal.
 */
export function checkDraft(raw: unknown): DraftCheck {
  const parsed = draftSchema.safeParse(raw);
  if (parsed.success) return { kind: "valid", draft: parsed.data };
  const faults = parsed.error.issues.map((issue) => `${nameOf(issue.path)} ${faultOf(issue)}`);
  return { kind: "invalid", faults };
}

function nameOf(path: readonly PropertyKey[]): string {
  return path.length === 0 ? "draft" : path.map(String).join(".");
}

/** Reduces an issue to words of our own: some of zod's messages repeat the key names they did not expect. */
function faultOf(issue: { code: string; message: string }): string {
  if (issue.code === "custom" || issue.code === "invalid_format") return issue.message;
  if (issue.code === "unrecognized_keys") return "has unknown fields";
  if (issue.code === "invalid_type") return "is missing or of the wrong type";
  if (issue.code === "too_small") return "is too short";
  if (issue.code === "too_big") return "is too long";
  return "is not allowed";
}

/**
 * How many facts a draft lacks.
 * @param wanted facts per edition (nine for the weekly briefing).
 * @returns 0 when there are enough; the pipeline decides what a shortfall means and says so to the editor.
 */
export function countShortfall(draft: DraftDocument, wanted: number): number {
  return Math.max(0, wanted - draft.facts.length);
}
