import { z } from "zod";
import { ClockInfo } from "./app";
import { ForTask, Hash, Instant, Reason, TaskId, Unmet, Version } from "./primitives";

/** What a remote or a public page was seen to have: states, numbers and hashes, no content. Absent fields were not asked for. */
export const UndoSeen = z.object({
  remote: z.string().nullable(),
  remoteId: z.string().nullable(),
  revision: z.number().int().nullable(),
  contentHash: Hash.nullable(),
  /** The content that was ours there, where something else is. */
  expected: Hash.nullable(),
  httpStatus: z.number().int().nullable(),
  pageUrl: z.string().nullable(),
});

/** What the precondition was answered with: still ours · what is wanted is there already · somebody else's work · not to be told yet. */
export const UndoAnswer = z.enum(["holds", "reached", "changed", "wait", "failed"]);

export const UndoStepView = z.object({
  name: z.string(),
  kind: z.enum(["call", "proof", "person"]),
  state: z.enum(["done", "present", "ahead", "failed"]),
  at: Instant.nullable(),
  /** How it came to be done: by its confirmation, because it was there already, or proved by looking. */
  how: z.enum(["confirmed", "already_there", "proved"]).nullable(),
  operationKey: z.string().nullable(),
  operationState: z.string().nullable(),
  code: z.string().nullable(),
  seen: UndoSeen.nullable(),
  evidence: z.array(Hash),
});

export const UndoEntry = z.object({
  id: z.string(),
  /** Its number on the stack, from 1; the highest is undone first. */
  position: z.number().int(),
  service: z.string(),
  action: z.string(),
  slot: z.string().nullable(),
  grade: z.enum(["A", "B", "C", "D"]),
  owner: z.string(),
  precondition: z.string(),
  verification: z.string(),
  status: z.enum(["waiting", "undoing", "done", "failed", "for_person", "closed", "not_needed"]),
  /** What will become of it when it is its turn. */
  prospect: z.enum(["automatic", "person", "irreversible", "not_needed", "after_answer", "after_verdict"]),
  forward: z.array(
    z.object({
      operationKey: z.string(),
      kind: z.string(),
      phase: z.string(),
      state: z.string(),
      remoteId: z.string().nullable(),
      url: z.string().nullable(),
      contentHash: Hash.nullable(),
      sentAt: Instant.nullable(),
    }),
  ),
  attempts: z.number().int(),
  tries: z.number().int(),
  nextAt: Instant.nullable(),
  code: z.string().nullable(),
  /** The last answer about the precondition that is in the journal. */
  answer: z.object({ at: Instant, kind: UndoAnswer, code: z.string().nullable(), seen: UndoSeen }).nullable(),
  /** The precondition can be asked of the remote now, without changing anything. */
  canLook: z.boolean(),
  steps: z.array(UndoStepView),
  /** Until when a person should have seen to it. */
  dueAt: Instant.nullable(),
  waitsFor: z.array(z.string()),
  resume: z.object({ open: z.boolean(), unmet: z.array(Unmet) }),
  close: z.object({ open: z.boolean(), unmet: z.array(Unmet) }),
  closed: z.object({ at: Instant, by: z.string(), note: z.string(), evidence: z.string() }).nullable(),
});

/** The undo of one edition: the plan before it starts, the checklist while it runs, the record afterwards; `over` where it can begin no more. */
export const Compensation = z.object({
  taskId: TaskId,
  edition: z.string(),
  taskVersion: z.number().int(),
  state: z.string(),
  stateVersion: Version,
  phase: z.enum(["before", "running", "ended", "over"]),
  /** Of the plan as shown; goes back with the click that starts it. */
  planHash: Hash,
  /** In the order in which they are undone: last in, first out. */
  entries: z.array(UndoEntry),
  finished: z.number().int(),
  start: z.object({ open: z.boolean(), unmet: z.array(Unmet) }),
  started: z
    .object({ at: Instant, by: z.string(), reason: z.string().nullable(), planHash: Hash.nullable() })
    .nullable(),
  endedAt: Instant.nullable(),
  /** Recipients who have got the mailing, or may have: nothing takes it back. */
  mailed: z.number().int(),
  /** Undos that people had to see to within a day, and how many they can take. */
  failures: z.object({ today: z.number().int(), limit: z.number().int() }),
  clock: ClockInfo,
});

/** One look at the remote, asked for by a person: nothing is changed by it and nothing is decided by it. */
export const UndoLook = z.object({
  compensationId: z.string(),
  at: Instant,
  kind: UndoAnswer,
  code: z.string().nullable(),
  seen: UndoSeen,
});

export const ForUndo = ForTask.extend({ compensationId: z.string().min(1).max(80) });
export const StartCompensation = ForTask.extend({
  expectedVersion: Version,
  planHash: Hash,
  reason: Reason,
  typed: z.string().max(80),
});
export const ResumeCompensation = ForUndo.extend({ expectedVersion: Version, reason: Reason });
export const CloseCompensation = ForUndo.extend({ expectedVersion: Version, note: Reason, evidence: Reason });
