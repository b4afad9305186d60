import { z } from "zod";

/** A new external action, as a person describes it by the five questions. An answer that nobody has is null. */
export const FIVE_QUESTIONS = ["key", "query", "retry", "approvalBinds", "compensation"] as const;

const Seconds = z.number().int().min(0).max(604_800);
const Name = z.string().regex(/^[a-z][a-z0-9_-]{0,59}$/);

export const NewAction = z.object({
  name: Name,
  adapter: Name,
  phase: z.enum(["create", "update", "publish", "trigger", "deliver"]),
  /** A person decides right before it. */
  isDecided: z.boolean(),
  answers: z.object({
    key: z.object({ where: z.string().trim().min(1).max(200), unique: z.boolean() }).nullable(),
    query: z
      .object({
        reliable: z.boolean(),
        visibilitySeconds: Seconds,
        horizonSeconds: Seconds,
        looks: z.number().int().min(0).max(100),
      })
      .nullable(),
    retry: z
      .object({
        resendAfterNotSent: z.boolean(),
        resendAfterProvenAbsent: z.boolean(),
        maxAttempts: z.number().int().min(1).max(20),
      })
      .nullable(),
    approvalBinds: z.array(z.enum(["contentHash", "pageUrl", "bodyHash", "audienceHash"])).nullable(),
    compensation: z
      .object({ action: z.string().trim().min(1).max(300), grade: z.enum(["A", "B", "C", "D"]) })
      .nullable(),
  }),
});

/** What may be done with it, and why not more. */
export const JudgedAction = z.object({
  verdict: z.enum(["automatic", "in_parts", "draft_and_manual"]),
  reasons: z.array(
    z.object({
      code: z.enum(["answers_missing", "adapter_missing", "answers_differ", "not_covered", "grade_d", "order"]),
      answers: z.array(z.enum(FIVE_QUESTIONS)),
    }),
  ),
});

export const NewWorkflow = z.object({
  name: z.string().regex(/^[a-z][a-z0-9-]{1,59}$/),
  owner: z.string().trim().min(1).max(80),
  backupOwner: z.string().trim().min(1).max(80),
  action: NewAction,
});

export const WorkflowWritten = z.discriminatedUnion("result", [
  z.object({ result: z.literal("written"), folder: z.string() }),
  z.object({ result: z.literal("nothing_chosen") }),
  /** The folder has something in it, or cannot be written. */
  z.object({ result: z.enum(["not_empty", "failed"]), folder: z.string() }),
  z.object({
    result: z.literal("refused"),
    faults: z.array(z.object({ file: z.string(), field: z.string(), wrong: z.string() })),
  }),
]);
