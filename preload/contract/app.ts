import { z } from "zod";
import { LedgerView } from "./ledger-view";
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
  /** The workspace that was lived through to be looked at. */
  isSampleLedger: z.boolean(),
  epoch: z.number().int(),
  site: z.string(),
});
export const Preferences = z.object({
  language: z.enum(["zh-CN", "en"]),
  theme: z.enum(["light", "dark", "system"]),
  /** Whether closing the window leaves the program in the tray while an edition is under way; left out: yes. */
  staysInTray: z.boolean().optional(),
  /** The ledger's saved views; left out until there is one. */
  ledgerViews: z.array(LedgerView).max(50).optional(),
});

/** The sample ledger: a workspace with thirty editions, which takes a while to make. */
export const SampleLedger = z.object({
  state: z.enum(["absent", "building", "ready"]),
  /** Weeks lived through so far, of how many; 0 where nothing is being made. */
  done: z.number().int(),
  of: z.number().int(),
  /** Why the last try came to nothing; null where it was not tried, or is being tried again. */
  failed: z.string().max(500).nullable(),
});

export const Bootstrap = z.object({
  version: z.string(),
  runtime: z.string(),
  preferences: Preferences,
  workspace: WorkspaceInfo.nullable(),
  ledger: SampleLedger,
  problem: Problem.nullable(),
});
