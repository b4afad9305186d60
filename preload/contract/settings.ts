import { z } from "zod";
import { ClockInfo } from "./app";
import { Instant, Reason } from "./primitives";

/** Settings: who is mailed and who is not, when editions begin, and the policies that are in force. */

const Count = z.number().int().min(0);
/** A customer's own id. It goes into the journal, so it never looks like an address. */
const RecipientId = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u);

export const Schedule = z.object({
  name: z.string(),
  pattern: z.string(),
  zone: z.string(),
  /** The next five, soonest first. */
  next: z.array(Instant).max(5),
  lastFiredAt: Instant.nullable(),
  /** Since when it waits for a person to look at the clock; null where it runs. */
  pausedSince: Instant.nullable(),
  /** When the clocks of its zone change next, within a year: by how much, and the first occurrence from then on. */
  clockChange: z.object({ at: Instant, byMs: z.number().int(), next: Instant }).nullable(),
});

export const ResumeSchedule = z.object({ name: z.string().min(1).max(80) });
export const ScheduleResumed = z.object({ result: z.enum(["resumed", "not_paused"]) });

/** What one backup came to. `code`: why there is none, by which words are found. */
const MadeBackup = z.object({
  result: z.literal("made"),
  at: Instant,
  /** The backup's own folder. */
  path: z.string(),
  bytes: Count,
  events: Count,
  /** Files of frozen bytes. */
  blobs: Count,
  /** Older ones that went after it was verified, and how many of this workspace are in the folder now. */
  removed: Count,
  count: Count,
});
export const BackupRecord = z.discriminatedUnion("result", [
  MadeBackup,
  z.object({
    result: z.literal("failed"),
    at: Instant,
    code: z.enum([
      ...["disk_full", "read_only", "not_writable", "folder_missing", "inside_workspace", "exists", "locked"],
      ...["damaged", "not_in_order", "head_differs", "newer_file", "chain_broken", "ended_early", "unknown"],
    ] as const),
    path: z.string(),
    detail: z.string(),
  }),
]);

const KeptBackups = z.number().int().min(1).max(365);
const BackupResults = { last: BackupRecord.nullable(), made: MadeBackup.nullable() };

/** What is remembered of backups beside the workspaces. Without a folder none is made. */
export const BackupSettings = z.object({
  folder: z.string().nullable(),
  keep: KeptBackups,
  results: z.array(z.object({ workspaceId: z.string(), ...BackupResults })),
});

/** The backups of the open workspace: what the last try came to, and the last one that was made. */
export const Backups = z.object({
  folder: z.string().nullable(),
  keep: KeptBackups,
  running: z.object({ step: z.enum(["journal", "customers", "blobs", "verify"]), done: Count, of: Count }).nullable(),
  ...BackupResults,
});
export const BackupChosen = z.object({
  result: z.enum(["chosen", "nothing_chosen", "folder_missing", "inside_workspace", "not_saved"]),
});
export const KeepBackups = z.object({ keep: KeptBackups });

export const Settings = z.object({
  clock: ClockInfo,
  audience: z.object({
    members: Count,
    /** Rises with every import that changed something. */
    importVersion: Count,
    groups: z.array(z.object({ group: z.string(), count: Count })),
  }),
  /** By id. `isMember`: in the audience, and left out of every mailing. */
  suppressions: z.array(z.object({ recipientId: z.string(), reason: z.string(), at: Instant, isMember: z.boolean() })),
  schedules: z.array(Schedule),
  deadlines: z.object({
    dueLocal: z.string(),
    zone: z.string(),
    humanWindowMs: Count,
    approvalTtlMs: Count,
    observationMs: Count,
  }),
  policies: z.array(
    z.object({
      tool: z.string(),
      version: Count,
      maxCalls: Count,
      callTimeoutMs: Count,
      stepMs: Count,
      waitsMs: z.array(Count),
      longestWaitMs: Count,
    }),
  ),
});

const Column = z.number().int().min(0).max(200);
/** Which column of the chosen file holds what, counted from 0. */
export const AudienceColumns = z.object({ id: Column, address: Column, group: Column.nullable() });

const RowFault = z.object({ line: Count, reason: z.string() });

/** A list that the person chose; its bytes stay in the main process. Nothing is imported yet. */
export const AudienceChosen = z.discriminatedUnion("result", [
  z.object({
    result: z.literal("chosen"),
    name: z.string(),
    columns: z.array(z.string()),
    sample: z.array(z.array(z.string())),
    rows: Count,
    /** Where the columns' names say what they hold. */
    usual: AudienceColumns.nullable(),
  }),
  z.object({ result: z.literal("refused"), name: z.string(), line: Count, reason: z.string() }),
  z.object({ result: z.literal("nothing_chosen") }),
]);

const BadRows = z.object({
  result: z.literal("bad_rows"),
  rows: Count,
  /** The first of them; `badCount` is how many there are. */
  bad: z.array(RowFault),
  badCount: Count,
});

export const AudiencePreview = z.discriminatedUnion("result", [
  z.object({
    result: z.literal("ready"),
    rows: Count,
    /** How many would be in the audience. */
    count: Count,
    /** Those of now who would stay as they are. */
    kept: Count,
    changes: z.array(
      z.object({
        change: z.enum(["added", "returned", "new_address", "new_group", "removed"]),
        count: Count,
        /** The first of them. */
        recipientIds: z.array(z.string()),
      }),
    ),
    /** Rows that repeat an address of the file: the first one stands. */
    duplicates: z.array(z.object({ line: Count, id: z.string(), repeatsLine: Count })),
    duplicateCount: Count,
    /** Ids of the file for people who are known by another id, which they keep. */
    merged: z.array(z.object({ id: z.string(), recipientId: z.string() })),
    mergedCount: Count,
    /** What the audience was when this was worked out. */
    importVersion: Count,
  }),
  BadRows,
  /** No file is chosen any more: the workspace was opened anew. */
  z.object({ result: z.literal("no_file") }),
]);
export const AskPreview = z.object({ columns: AudienceColumns });

export const ImportAudience = z.object({ columns: AudienceColumns, importVersion: Count });
export const AudienceImported = z.discriminatedUnion("result", [
  z.object({ result: z.literal("imported"), count: Count, importVersion: Count }),
  /** The audience is another one than the preview was of. Nothing was imported. */
  z.object({ result: z.literal("stale") }),
  BadRows,
  z.object({ result: z.literal("no_file") }),
]);

export const SuppressRecipient = z.object({ recipientId: RecipientId, reason: Reason });
/** Whoever is on the list may be taken off it, whatever the id looks like. */
export const ReleaseRecipient = z.object({ recipientId: z.string().min(1).max(200), reason: Reason });
