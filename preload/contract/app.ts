import { z } from "zod";
import { Instant } from "./primitives";

/** A start-up problem that has a page of its own: what, which file, what can be done. Nothing leaves while it stands. */
export const Problem = z.object({
  code: z.enum([
    "newer_file",
    "damaged",
    "locked",
    "read_only",
    "disk_full",
    "chain_broken",
    "not_writable",
    "unknown",
  ]),
  path: z.string(),
  detail: z.string(),
});

export const ClockInfo = z.object({
  now: Instant,
  zone: z.string(),
  /** True where this is the sandbox's workspace clock and not the wall clock. */
  simulated: z.boolean(),
  /** In the sandbox: waits are skipped by moving the clock to the next due moment. */
  skipsWaiting: z.boolean(),
  source: z.string(),
  trusted: z.boolean(),
});

export const WorkspaceInfo = z.object({
  kind: z.enum(["sandbox", "real"]),
  path: z.string(),
  epoch: z.number().int(),
  site: z.string(),
});
export const Preferences = z.object({ language: z.enum(["zh-CN", "en"]), theme: z.enum(["light", "dark", "system"]) });

export const Bootstrap = z.object({
  version: z.string(),
  runtime: z.string(),
  preferences: Preferences,
  workspace: WorkspaceInfo.nullable(),
  problem: Problem.nullable(),
});
