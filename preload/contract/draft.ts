import { z } from "zod";
import { ClockInfo } from "./app";
import { ForTask, Hash, Instant, TaskId, Unmet, Version } from "./primitives";

/** Above what a draft may have (the check says what is too long), and below what could fill a disk. */
const Line = z.string().max(1000);
const Text = z.string().max(8000);
const FACTS_MAX = 50;

/** A span of a frozen source's text. The words are read there by the main process: no quote crosses this way as text. */
export const QuoteSpan = z.strictObject({
  snapshotHash: Hash,
  start: z.number().int().min(0),
  end: z.number().int().min(0),
});

const FactEdit = z.strictObject({
  id: z.string().regex(/^F[1-9][0-9]{0,2}$/),
  headline: Line,
  statement: Text,
  span: QuoteSpan.nullable(),
});

const Words = { title: Line, intro: Text, email: z.strictObject({ subject: Line, intro: Text }) };

export const DraftEdit = z.strictObject({ ...Words, facts: z.array(FactEdit).max(FACTS_MAX) });

/** An edit with what its editor had before them. */
export const EditOfDraft = ForTask.extend({
  seen: z.strictObject({ draftHash: Hash.nullable(), workingHash: Hash.nullable() }),
  edit: DraftEdit,
});

const FactFault = z.enum([
  "span_mismatch",
  "source_missing",
  "outside_item",
  "empty_quote",
  "not_picked",
  "link_broken",
]);

const FieldFault = z.enum(["missing", "too_long", "unsafe", "line_break", "not_allowed"]);

const OpenFact = FactEdit.extend({
  /** The words at the span, exactly; empty where there are none. */
  quote: z.string(),
  url: z.string(),
  sourceId: z.string(),
  sourceTitle: z.string(),
  fault: FactFault.nullable(),
});

const OpenContent = z.object({ ...Words, facts: z.array(OpenFact) });

export const Draft = z.object({
  taskId: TaskId,
  edition: z.string(),
  state: z.string(),
  stateVersion: Version,
  blockedReason: z.string().nullable(),
  /** Whether an edit could be brought in now, and what stands against it. */
  canEdit: z.boolean(),
  unmet: z.array(Unmet),
  /** Null where nothing was drafted: the edition is then written from its sources. */
  draftHash: Hash.nullable(),
  draft: OpenContent,
  sources: z.array(z.object({ id: z.string(), title: z.string(), snapshotHash: Hash })),
  /** The unfinished edit. Where its base is not the draft above, that one replaced it meanwhile. */
  working: z.object({ hash: Hash, base: Hash.nullable(), keptAt: Instant, draft: OpenContent }).nullable(),
  clock: ClockInfo,
});

export const PickedQuote = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("picked"),
    quote: z.string(),
    url: z.string(),
    sourceId: z.string(),
    sourceTitle: z.string(),
  }),
  z.object({ kind: z.literal("fault"), fault: FactFault }),
]);

export const WeighedDraft = z.object({
  open: z.boolean(),
  unmet: z.array(Unmet),
  facts: z.array(z.object({ factId: z.string(), kind: FactFault })),
  fields: z.array(z.object({ factId: z.string().nullable(), field: z.string(), kind: FieldFault })),
  /** Approvals that end with it. */
  ends: z.array(z.object({ scope: z.enum(["publish", "send", "correct"]), approver: z.string(), issuedAt: Instant })),
  /** The state it leads to. */
  to: z.string().nullable(),
  /** The package that can no longer be approved then. */
  packageHash: Hash.nullable(),
  /** Calls that were prepared and will not be made. */
  cancels: z.number().int(),
  /** Null while the edit is not whole. */
  changesPage: z.boolean().nullable(),
  changesBody: z.boolean().nullable(),
});

export const DraftKept = z.discriminatedUnion("result", [
  z.object({ result: z.literal("kept"), hash: Hash, at: Instant }),
  z.object({ result: z.literal("refused"), unmet: z.array(Unmet) }),
  z.object({ result: z.literal("unavailable"), code: z.string() }),
]);
