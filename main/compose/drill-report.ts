import { z } from "zod";
import { DrillFacts, DrillStep } from "../../preload/contract";

/** What the child program is told: which scenario to play, and where. */
export const DrillOrder = z.object({ scenario: z.string(), dir: z.string(), samplesDir: z.string() });

/** What the child program tells. It is a program of its own: everything is parsed on arrival. */
export const DrillReport = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("steps"), steps: z.array(DrillStep).max(500) }),
  z.object({ kind: z.literal("played"), facts: DrillFacts }),
  z.object({ kind: z.literal("failed"), reason: z.string() }),
]);
export type DrillReport = z.infer<typeof DrillReport>;
