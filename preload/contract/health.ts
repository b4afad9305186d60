import { z } from "zod";
import { ClockInfo } from "./app";
import { Instant, TaskId } from "./primitives";

const Count = z.number().int().min(0);
/** Null stands for "no data": nothing to divide by, or nothing that came to its end. */
const Measured = z.number().min(0).nullable();

export const MetricPeriod = z.union([z.literal(7), z.literal(30), z.literal(90)]);

export const Metric = z.object({
  id: z.enum([
    "retry_rate",
    "retry_tasks",
    "unknown_duration",
    "approval_wait_content",
    "approval_wait_send",
    "recovery_success",
    "duplicate_rate",
    "mttr",
    "backlog",
    "dead_letters_untouched",
    "recurrence",
    "human_minutes",
  ]),
  /** What `value` is: a share from 0 to 1, milliseconds, or how many there are. */
  kind: z.enum(["percent", "permille", "duration", "backlog"]),
  numerator: Count,
  denominator: Count,
  value: Measured,
  p50Ms: Measured,
  p95Ms: Measured,
  longestMs: Measured,
  /** By week, oldest first, whatever the period. */
  trend: z.array(z.object({ from: Instant, numerator: Count, denominator: Count, value: Measured })),
  /** The editions it rests on: what counts in the numerator first, then the newest; and how many there are in all. */
  rows: z.array(z.object({ taskId: TaskId, edition: z.string(), at: Instant, hits: Count, of: Count, ms: Measured })),
  rowCount: Count,
});

const PREFLIGHT_QUESTION_IDS = [
  "keys_and_constraints",
  "conditional_updates",
  "retries_and_dead_letters",
  "unknown_path",
  "next_day_round",
  "one_history",
  "runbooks",
  "owners",
  "verified_results",
] as const;

const Coverage = { covered: Count, of: Count, share: z.number().min(0).max(1).nullable() };

/** Which of a pipeline's external writes cannot happen twice unseen, and whether what was proven absent is sent anew by itself. */
export const PipelineCoverage = z.object({
  pipeline: z.string(),
  version: Count,
  ...Coverage,
  retriesByItself: z.boolean(),
  /** How many undos people had to see to within a day, of those that they can take; past it the next is theirs from the beginning. */
  undo: z.object({ failures: Count, limit: Count, owner: z.string(), isWithheld: z.boolean() }),
  steps: z.array(z.object({ step: z.string(), ...Coverage, uncovered: z.array(z.string()) })),
});

/** The nine questions before a pipeline may run by itself, each answered with what proves it and what is missing. */
export const PreflightAnswer = z.object({
  question: z.enum(PREFLIGHT_QUESTION_IDS),
  isProved: z.boolean(),
  proofs: z.array(
    z.discriminatedUnion("kind", [
      z.object({ kind: z.enum(["constraint", "write", "rule", "owner"]), name: z.string() }),
      z.object({ kind: z.enum(["policy", "runbook"]), name: z.string(), version: Count }),
      z.object({ kind: z.literal("round"), at: Instant }),
      z.object({ kind: z.literal("task"), taskId: TaskId, edition: z.string() }),
    ]),
  ),
  gaps: z.array(z.object({ code: z.string(), names: z.array(z.string()) })),
});

export const Preflight = z.object({
  pipeline: z.string(),
  version: Count,
  verdict: z.enum(["automatic", "in_parts", "draft_and_manual"]),
  answers: z.array(PreflightAnswer),
});

export const Health = z.object({
  clock: ClockInfo,
  days: MetricPeriod,
  metrics: z.array(Metric),
  coverage: z.array(PipelineCoverage),
  preflight: z.array(Preflight),
  /** Below this share nothing is sent anew without a person. */
  coverageNeeded: z.number(),
  /** Hosts that failed lately. Half-open: the pause is over, and the next call is the one that tries. */
  breakers: z.array(
    z.object({
      host: z.string(),
      state: z.enum(["closed", "open", "half_open"]),
      failures: Count,
      openedAt: Instant.nullable(),
      retryAt: Instant.nullable(),
    }),
  ),
  budgets: z.object({
    policies: z.array(
      z.object({
        tool: z.string(),
        version: Count,
        maxCalls: Count,
        callTimeoutMs: Count,
        stepMs: Count,
        longestWaitMs: Count,
      }),
    ),
    /** Calls that each live edition has used of those it may make. */
    tasks: z.array(z.object({ taskId: TaskId, edition: z.string(), used: Count, of: Count })),
  }),
  journal: z.object({
    events: Count,
    bytes: Count,
    chainVerifiedAt: Instant.nullable(),
    invariantViolations: Count.nullable(),
    /** Null: no backup was made by this program. */
    backupAt: Instant.nullable(),
    /** Why the last try came to nothing, or null. */
    backupFault: z.string().nullable(),
    /** Whether one is made every day. */
    backupsOn: z.boolean(),
  }),
});

export const AskHealth = z.object({ days: MetricPeriod });
