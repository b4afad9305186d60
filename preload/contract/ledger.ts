import { z } from "zod";
import { ClockInfo } from "./app";
import { LedgerFilter, LedgerSort } from "./ledger-view";
import { Hash, Instant, TaskId } from "./primitives";

/** The ledger: every version of every edition, chosen by filters, in an order, and exported exactly as it is shown. */

const Count = z.number().int().min(0);
export const AskLedger = z.object({ filter: LedgerFilter, sort: LedgerSort });

/** Which editions, in which order; their rows are asked for as far as they are seen. */
export const Ledger = z.object({
  clock: ClockInfo,
  taskIds: z.array(TaskId),
  /** With no filter. */
  total: Count,
});

/** More than fit on any screen. */
export const AskLedgerRows = z.object({ taskIds: z.array(TaskId).max(200) });

export const LedgerRow = z.object({
  taskId: TaskId,
  edition: z.string(),
  version: Count,
  state: z.string(),
  startedAt: Instant,
  endedAt: Instant.nullable(),
  /** Failed reads that were made good, unknown outcomes that were settled, blocks that were left. */
  recovered: Count,
  unknowns: Count,
  blocks: Count,
  compensations: Count,
  /** Places on a remote in which one object more was found than was asked for. */
  duplicates: Count,
  /** Waits for approvals and minutes written down at recovery items. */
  humanMs: z.number().int(),
  articleId: z.string().nullable(),
  campaignId: z.string().nullable(),
  calls: Count,
  facts: Count.nullable(),
  links: Count.nullable(),
  recipients: Count.nullable(),
  packageHash: Hash.nullable(),
  contentHash: Hash.nullable(),
  bodyHash: Hash.nullable(),
  audienceHash: Hash.nullable(),
  /** Of its last event. */
  headHash: Hash,
});

export const LedgerRows = z.object({ rows: z.array(LedgerRow) });

/** What the frozen package of an edition says; null where none is frozen. */
export const LedgerFacts = z
  .object({ title: z.string(), facts: z.array(z.object({ headline: z.string(), statement: z.string() })) })
  .nullable();

export const ExportLedger = AskLedger.extend({ format: z.enum(["csv", "json"]) });
export const LedgerExported = z.discriminatedUnion("result", [
  z.object({ result: z.literal("saved"), file: z.string(), rows: Count }),
  z.object({ result: z.enum(["nothing_chosen", "failed"]) }),
]);
