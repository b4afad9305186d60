import { z } from "zod";

/** The form of a workflow's package (domain 13). Strict: a field that nobody reads would be a wish that nobody keeps. */

const name = z.string().min(1).max(80);
const code = z.string().regex(/^[A-Za-z@=][\w-]{0,79}$|^=$/, "letters, digits, - and _ only");
const text = z.string().min(1).max(2000);
const count = z.int().min(0);
const ms = z.int().min(0);
const words = z.strictObject({ en: text, "zh-CN": text });
const causer = z.enum(["executor", "person", "system"]);
const scope = z.enum(["publish", "send", "correct"]);

const transition = z.strictObject({
  from: z.array(code).min(1),
  event: code,
  to: code,
  by: z.array(causer).min(1),
  guards: z.array(code),
  ends: z.array(scope).optional(),
  reasons: z.array(code).optional(),
});

const wayOut = z.strictObject({
  to: code,
  blockedIn: z.array(code).optional(),
  guards: z.array(code),
  keepsCheckpoint: z.boolean().optional(),
});

const blocked = z.strictObject({
  owner: z.string().max(80),
  evidenceNeeded: z.array(code),
  expiresAfterMs: ms,
  waysOut: z.array(wayOut),
});

const policy = z.strictObject({
  version: z.int().min(1),
  callTimeoutMs: ms.min(1),
  maxCalls: z.int().min(1).max(20),
  waitsMs: z.array(ms),
  jitterPercent: count.max(100),
  maxWaitMs: ms,
  stepMs: ms.min(1),
  parallel: z.int().min(1).max(20),
});

const deadlines = z.strictObject({
  dueLocal: z.string().max(5),
  zone: name,
  humanWindowMs: ms,
  approvalTtlMs: ms,
  observationMs: ms,
  observeEveryMs: ms.min(1),
});

export const definitionSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{1,59}$/, "small letters, digits and - only: it becomes part of keys"),
  version: z.int().min(1),
  states: z.array(code).min(2),
  initialState: code,
  workStages: z.array(code),
  outsideStates: z.array(code),
  transitions: z.array(transition).min(1),
  blocked: z.record(code, blocked),
  policies: z.record(code, policy),
  deadlines,
  cancelsPreparedOnLeaving: z.array(code),
  releasesLease: z.array(code),
  gates: z.record(code, scope),
  humanStates: z.array(code),
  fullDeadlineStates: z.array(code),
  startCompensation: z.enum(["by_person", "automatic"]),
  undoFailuresPerDay: count.max(1000),
  owner: z.string().max(80),
  backupOwner: z.string().max(80),
});

const phase = z.enum(["create", "update", "publish", "trigger", "deliver", "undo"]);
const grade = z.enum(["A", "B", "C", "D"]);

const answers = z.strictObject({
  key: z.strictObject({ where: text, unique: z.boolean() }).nullable(),
  query: z
    .strictObject({
      reliable: z.boolean(),
      visibilityDelayMs: ms,
      horizonMs: ms,
      keyRetentionMs: ms.nullable(),
      lookBudget: count,
    })
    .nullable(),
  retry: z
    .strictObject({ resendAfterNotSent: z.boolean(), resendAfterProvenAbsent: z.boolean(), maxAttempts: count })
    .nullable(),
  approvalBinds: z.array(z.enum(["contentHash", "pageUrl", "bodyHash", "audienceHash"])).nullable(),
  compensation: z.strictObject({ action: text, grade }).nullable(),
});

const action = z.strictObject({
  name: code,
  step: code,
  adapter: name,
  phase,
  grade,
  segment: code.nullable(),
  answers,
});

const undo = z.strictObject({
  by: z.enum(["program", "person"]),
  action: code,
  targetState: code,
  precondition: code,
  verification: code,
});

const chain = z.strictObject({
  stage: code,
  begins: z.strictObject({
    service: name,
    place: code,
    requires: code,
    event: code,
    blockedEvent: code,
    blockedReason: code,
  }),
  heldEvent: code,
  doneEvent: code,
  actions: z
    .array(
      z.strictObject({
        name: code,
        place: code,
        service: name,
        phase: z.enum(["update", "deliver"]),
        state: code.nullable(),
        heedsRevision: z.boolean(),
        message: words.nullable(),
        undo,
      }),
    )
    .min(1),
});

export const actionsSchema = z.strictObject({ actions: z.array(action).min(1), chain: chain.nullable() });

export const workflowSchema = z.strictObject({
  format: z.literal(1),
  /** The hash of definition.json as it is meant; null as long as it is being written. */
  definitionHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  subject: z.strictObject({ title: words, pattern: z.string().min(1).max(200) }),
  runbooks: z.array(z.strictObject({ kind: code, version: z.int().min(1) })),
  faults: z.array(z.string().regex(/^S\d\d$/)),
});
