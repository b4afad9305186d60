import { z } from "zod";

/** Small shapes that several channels share. */
export const Hash = z.string().regex(/^[0-9a-f]{64}$/);
/** ms UTC of workspace time. */
export const Instant = z.number().int();
export const TaskId = z.string().min(1).max(80);
export const OperationId = z.string().min(1).max(80);
export const Version = z.number().int().min(0);
export const Reason = z.string().trim().min(1).max(2000);

export const ForTask = z.object({ taskId: TaskId });
export const Nothing = z.object({});

/** A condition that is not met: a stable code that the renderer words (`unmet.<code>`), and values to put into the sentence. */
export const Unmet = z.object({ code: z.string(), values: z.record(z.string(), z.union([z.string(), z.number()])) });

/** What a command came to. `applied` is only ever sent after the commit is on disk. */
export const CommandReply = z.discriminatedUnion("result", [
  z.object({ result: z.literal("applied"), state: z.string(), stateVersion: Version }),
  z.object({
    result: z.enum([
      "stale_version",
      "stale_token",
      "illegal_transition",
      "guard_failed",
      "intent_mismatch",
      "not_found",
    ]),
    unmet: z.array(Unmet),
  }),
  z.object({ result: z.literal("unavailable"), code: z.string(), path: z.string().nullable() }),
]);
