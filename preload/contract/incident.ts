import { z } from "zod";
import { ClockInfo } from "./app";
import { ForTask, Instant, Reason, TaskId, Version } from "./primitives";

const IncidentId = z.string().min(1).max(80);

/** An open incident that freezes an edition's writes: what is affected, since when, and which objects are known. */
export const IncidentView = z.object({
  id: z.string(),
  rule: z.string(),
  kind: z.string(),
  scope: z.string(),
  scopeValue: z.string(),
  openedAt: Instant,
  openedBy: z.string(),
  objects: z.array(z.object({ remoteId: z.string(), url: z.string().nullable(), state: z.string() })),
  /** Under which key the edition after this one will be. */
  nextTaskKey: z.string(),
});

/**
 * What only a person can bring to the closing of an incident; what can be observed is looked up at that moment. Blank fields are
 * let through: the answer names every piece that is missing.
 */
export const CloseIncident = ForTask.extend({
  expectedVersion: Version,
  incidentId: IncidentId,
  canonicalId: z.string().max(200).nullable(),
  schedulerReleased: z.string().max(2000),
  drafterReleased: z.string().max(2000),
  nextTaskKey: z.string().max(200),
  /** Where both mailings went out: who got two, and what they were told. */
  mailedTwice: z.string().max(2000).optional(),
  reason: z.string().max(2000),
});

/** Which incident it is, and what it froze. */
const Head = {
  id: z.string(),
  kind: z.string(),
  rule: z.string(),
  scope: z.string(),
  scopeValue: z.string(),
  taskId: TaskId.nullable(),
  edition: z.string().nullable(),
  openedAt: Instant,
  openedBy: z.string(),
  closedAt: Instant.nullable(),
};

/** Everything that went wrong, or may have: open ones first. */
export const Incidents = z.object({
  clock: ClockInfo,
  incidents: z.array(z.object(Head)),
  /** What may be named when one is opened by hand: editions with their places and adapters. */
  places: z.array(
    z.object({
      taskId: TaskId,
      edition: z.string(),
      slots: z.array(z.string()),
      adapters: z.array(z.string()),
      operations: z.array(z.object({ id: z.string(), key: z.string(), state: z.string() })),
    }),
  ),
});

/** The same in both languages, live facts filled in. Plain text: some of it comes from remotes. */
const Words = z.object({ en: z.string(), "zh-CN": z.string() });

const RunbookStepView = z.object({
  id: z.string(),
  phase: z.string(),
  who: z.string(),
  withinMinutes: z.number().int(),
  needsNetwork: z.boolean(),
  words: Words,
  branches: z.array(z.object({ id: z.string(), words: Words, to: z.string() })),
  passed: z
    .object({
      how: z.enum(["done", "skipped", "branch"]),
      branch: z.string().nullable(),
      by: z.string(),
      at: Instant,
      note: z.string().nullable(),
    })
    .nullable(),
  startedAt: Instant.nullable(),
  dueAt: Instant.nullable(),
  tookMs: z.number().int().nullable(),
});

export const Incident = z.object({
  ...Head,
  taskState: z.string().nullable(),
  stateVersion: Version.nullable(),
  finding: z.string().nullable(),
  /** The objects that a look found in one place; none for every other kind. */
  objects: z.array(z.object({ remoteId: z.string(), url: z.string().nullable(), state: z.string() })),
  isMailing: z.boolean(),
  nextTaskKey: z.string().nullable(),
  runbook: z.object({
    version: z.number().int(),
    parts: z.record(z.string(), Words),
    drafts: z.object({ customerNote: Words, correction: Words }),
    steps: z.array(RunbookStepView),
    next: z.string().nullable(),
  }),
  /** What waits for the network: looks that are made by themselves, and when. */
  queued: z.array(z.object({ operationId: z.string(), key: z.string(), state: z.string(), at: Instant.nullable() })),
  evidence: z.array(z.object({ id: z.string(), by: z.enum(["journal", "person", "look"]), isThere: z.boolean() })),
  timeline: z.array(
    z.object({
      seq: z.number().int(),
      type: z.string(),
      actor: z.string(),
      at: Instant,
      text: z.string().nullable(),
      step: z.string().nullable(),
      isPinned: z.boolean(),
    }),
  ),
  clock: ClockInfo,
});

export const ForIncident = z.object({ incidentId: IncidentId });
/** By whose events it is told: its task's, or the journal's own. */
const AtIncident = ForIncident.extend({ taskId: TaskId.nullable() });
const Note = z.string().trim().max(2000);

export const OpenIncident = z.object({
  taskId: TaskId.nullable(),
  kind: z.enum([
    ...["unknown_publish", "duplicate_remote", "unknown_send", "wrong_audience", "wrong_page_live", "source_missing"],
    ...["restored_backup", "damaged_journal", "clock_jump", "approval_bypass", "other"],
  ] as const),
  scope: z.enum(["slot", "task", "adapter", "all"]),
  scopeValue: z.string().min(1).max(500),
  operationId: z.string().min(1).max(80).nullable(),
  reason: Reason,
});
export const PassStep = AtIncident.extend({
  runbookVersion: z.number().int(),
  step: z.string().min(1).max(80),
  how: z.enum(["done", "skipped", "branch"]),
  branch: z.string().max(80).nullable(),
  note: Note,
});
export const NoteIncident = AtIncident.extend({ note: Note });
export const PinEvent = AtIncident.extend({ seq: z.number().int().min(1), isPinned: z.boolean() });
/** Blank proofs are let through: the answer names every piece that is missing. */
export const SettleIncident = AtIncident.extend({
  proofs: z.record(z.string().max(40), z.string().max(2000)),
  reason: z.string().max(2000),
});
