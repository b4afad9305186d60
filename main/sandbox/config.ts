import { z } from "zod";

/** What can be switched on the sandbox while it runs. Kept in its records, so a restart goes on as it was. */
export const sandboxConfigSchema = z.strictObject({
  /** First post id given out; later ones count up from the highest in use. */
  firstPostId: z.int().min(1),
  firstCampaignId: z.int().min(1),
  /** How far every query lags behind the writes, as behind a read replica. */
  visibilityDelayMs: z.int().min(0),
  /** How many public reads after a change still show what was there before. */
  staleProbes: z.int().min(0),
  /** How many recipients bounce: the last ones by id order. */
  bounces: z.int().min(0),
  /** How many recipients complain: the ones just before the bouncing ones. */
  complaints: z.int().min(0),
  /** From the trigger to the final word about a recipient. */
  deliveryDelayMs: z.int().min(0),
  /** How many recipients never get past `accepted`: the first ones by id order. */
  pendingForever: z.int().min(0),
  /** Off by default: no real system tested refuses a second create with the same key. */
  uniqueKeys: z.boolean(),
  /** Off by default, so that a client that triggers twice is seen to mail twice. */
  uniqueTriggers: z.boolean(),
  token: z.string().min(1),
});

export type SandboxConfig = z.infer<typeof sandboxConfigSchema>;

export const DEFAULT_SANDBOX_CONFIG: SandboxConfig = {
  firstPostId: 18427,
  firstCampaignId: 930,
  visibilityDelayMs: 2000,
  staleProbes: 0,
  bounces: 0,
  complaints: 0,
  // Long enough that "accepted, not yet delivered" is seen by whoever looks at once.
  deliveryDelayMs: 5000,
  pendingForever: 0,
  uniqueKeys: false,
  uniqueTriggers: false,
  token: "sandbox",
};
