import { z } from "zod";
import { ClockInfo } from "./app";
import { Instant, TaskId, Version } from "./primitives";

/** Which version of the edition it is; left out where it is the first. */
const LaterVersion = z.number().int().min(2).optional();

/** What waits for the editor. `kind` decides the screen that opens. */
export const WaitingItem = z.object({
  taskId: TaskId,
  edition: z.string(),
  version: LaterVersion,
  kind: z.enum([
    "content_approval",
    "send_approval",
    "blocked",
    "unknown_outcome",
    "observation",
    "ready_to_start",
    "undo_failed",
    "undo_by_person",
    "incident",
  ]),
  blockedReason: z.string().nullable(),
  /** Which undo waits for a person, and what it failed with. */
  undo: z.object({ action: z.string(), code: z.string().nullable() }).optional(),
  /** By which rule the incident was opened. */
  rule: z.string().optional(),
  incidentId: z.string().optional(),
  since: Instant,
  until: Instant.nullable(),
});

export const LiveTask = z.object({
  taskId: TaskId,
  edition: z.string(),
  version: LaterVersion,
  state: z.string(),
  stateVersion: Version,
  since: Instant,
  deadlineAt: Instant,
  /** The next moment at which something happens by itself, if any. */
  nextAt: Instant.nullable(),
  detail: z.string().nullable(),
});

export const Today = z.object({
  clock: ClockInfo,
  waiting: z.array(WaitingItem),
  /** Open incidents that are about no edition: they freeze everything. */
  journalIncidents: z.array(z.object({ incidentId: z.string(), kind: z.string(), since: Instant })).optional(),
  live: z.array(LiveTask),
  ended: z.array(
    z.object({ taskId: TaskId, edition: z.string(), version: LaterVersion, state: z.string(), at: Instant }),
  ),
  /** The edition that may be started by hand now, or null when one is under way. */
  startable: z.object({ edition: z.string(), dueAt: Instant.nullable() }).nullable(),
  health: z.object({
    journalEvents: z.number().int(),
    chainVerifiedAt: Instant.nullable(),
    unknownOutcomes: z.number().int(),
    unknownsReconciled: z.number().int(),
    duplicateObjects: z.number().int(),
    openBreakers: z.array(z.string()),
    /** Recovery items that are not closed, and how many of them are past their due time. */
    recoveryOpen: z.number().int(),
    recoveryOverdue: z.number().int(),
    invariantViolations: z.number().int().nullable(),
    backupAt: Instant.nullable(),
    backupFault: z.string().nullable(),
    backupsOn: z.boolean(),
  }),
});
