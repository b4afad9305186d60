import { z } from "zod";

/** What the child program is told: where the sample ledger is to be, and where the samples lie. */
export const LedgerOrder = z.object({ dir: z.string(), samplesDir: z.string() });

/** What the child program tells. It is a program of its own: everything is parsed on arrival. */
export const LedgerReport = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("week"), done: z.int().min(0), of: z.int().min(1) }),
  z.object({ kind: z.literal("built") }),
  z.object({ kind: z.literal("failed"), reason: z.string() }),
]);
export type LedgerReport = z.infer<typeof LedgerReport>;
