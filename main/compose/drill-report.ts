import { z } from "zod";
import { DrillFacts, DrillQuestion, DrillStep } from "../../preload/contract";

/** What the child program is told first: which scenario to play, where, and whether a person plays it. */
export const DrillOrder = z.object({
  scenario: z.string(),
  dir: z.string(),
  samplesDir: z.string(),
  led: z.boolean().optional(),
});

/** What it is told afterwards, where a person plays: their answer to the question that it stands still at. */
export const DrillReply = z.object({ number: z.number().int(), choice: z.string() });
export type DrillReply = z.infer<typeof DrillReply>;

/** What the child program tells. It is a program of its own: everything is parsed on arrival. */
export const DrillReport = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("steps"), steps: z.array(DrillStep).max(500) }),
  /** `right`: which of the choices the scenario expects. Whoever plays it is told afterwards. */
  z.object({ kind: z.literal("asks"), question: DrillQuestion, right: z.array(z.string()).max(60) }),
  z.object({ kind: z.literal("played"), facts: DrillFacts }),
  z.object({ kind: z.literal("failed"), reason: z.string() }),
]);
export type DrillReport = z.infer<typeof DrillReport>;
