import { z } from "zod";
import { DrillLed, DrillQuestion } from "./drill-question";
import { Instant } from "./primitives";

/** Drills: the fault scenarios, and what playing one of them on a throw-away workspace showed. */
const TwoLanguages = z.object({ "zh-CN": z.string(), en: z.string() });
const ScenarioId = z.string().min(1).max(20);
const Word = z.string().max(200);
/** Identifies one play of one scenario; also the order in which they were started. */
const DrillRun = z.string().min(1).max(80);

export const DrillScenario = z.object({
  id: ScenarioId,
  title: TwoLanguages,
  given: TwoLanguages,
  fault: TwoLanguages,
  expected: TwoLanguages,
  /** A person can play it: it stops where they decide. */
  isLed: z.boolean(),
});
/** Group 0 holds the baselines: what must hold without any fault, too. */
export const DrillGroup = z.object({
  number: z.number().int(),
  title: TwoLanguages,
  scenarios: z.array(DrillScenario),
});

/** One thing that happened while a scenario was played, as it happened. `at` is the throw-away workspace's own time. */
export const DrillStep = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("event"),
    at: Instant,
    seq: z.number().int(),
    type: Word,
    operation: z.object({ kind: Word, phase: Word }).nullable(),
    toState: Word.nullable(),
    blockedReason: Word.nullable(),
    actor: Word,
  }),
  /** A request that a remote received, by its own count. */
  z.object({ kind: z.literal("call"), at: Instant, call: Word }),
  /** A fault that struck. */
  z.object({ kind: z.literal("fault"), at: Instant, on: Word, fault: Word }),
  /** What a remote holds from now on. */
  z.object({ kind: z.literal("object"), at: Instant, holder: z.enum(["website", "mail"]), id: Word, status: Word }),
  /** What the script, in a person's place, asked for, and what it was answered. */
  z.object({ kind: z.literal("person"), at: Instant, asked: Word, answer: Word }),
  /** What happened to the program itself. */
  z.object({
    kind: z.literal("program"),
    at: Instant,
    what: z.enum(["killed", "paused", "woken", "taken_over", "slept", "backed_up", "restored"]),
    name: Word,
    detail: Word,
  }),
]);

/** One line of what the editor was shown: what it is about, and the codes it told. */
const ShownLine = z.object({ about: Word, codes: z.array(Word) });

/** What a played scenario came to: from its journal, from the remotes' own records, and from the checker. */
export const DrillFacts = z.object({
  state: Word,
  blockedReason: Word.nullable(),
  events: z.number().int(),
  operations: z.array(
    z.object({
      kind: Word,
      phase: Word,
      state: Word,
      remoteId: Word.nullable(),
      attempts: z.array(Word),
      looks: z.array(Word),
    }),
  ),
  calls: z.record(z.string(), z.number().int()),
  posts: z.array(z.object({ id: Word, status: Word })),
  campaigns: z.array(z.object({ id: Word, status: Word })),
  mails: z.number().int(),
  alerts: z.array(Word),
  recoveryItems: z.array(Word),
  incidents: z.array(Word),
  recipients: z.record(z.string(), z.number().int()),
  /** At named moments and at the end. */
  shown: z.array(z.object({ moment: Word, lines: z.array(ShownLine) })),
  /** What the checker that reads only the journal found; empty: every invariant held. */
  violations: z.array(z.string().max(2000)),
  /** Real ms that it took. */
  ms: z.number().int(),
});

/** How long each phase took: by the throw-away workspace's own clock, or by the real one where a person played. */
export const DrillTiming = z.object({
  phases: z.array(
    z.object({
      phase: z.enum(["registered", "detected", "classified", "decided", "recovered", "verified"]),
      /** Null: not reached. */
      at: Instant.nullable(),
    }),
  ),
  /** What took longest of them. */
  stuck: z.enum(["registered", "detected", "classified", "decided", "recovered", "verified"]).nullable(),
  /** From detection to verification (ms), and how long that may take. */
  totalMs: z.number().int().nullable(),
  targetMs: z.number().int(),
  /** The same of the play of this scenario before; null: there is none to compare with. */
  beforeMs: z.number().int().nullable(),
});

export const DrillResult = z.object({
  run: DrillRun,
  scenario: ScenarioId,
  /** ms UTC of real time. */
  startedAt: Instant,
  /** `failed`: it could not be played to its end; `detail` says why. */
  outcome: z.enum(["played", "cancelled", "over_time", "failed"]),
  detail: z.string().max(500).nullable(),
  facts: DrillFacts.nullable(),
  /** Null: it did not come to its end, or was played before drills were timed. */
  timing: DrillTiming.nullable().default(null),
  /** Whether whoever played it got along with the runbook alone; null: nobody said. */
  runbook: z
    .object({ alone: z.boolean(), note: z.string().max(500), at: Instant })
    .nullable()
    .default(null),
  /** What whoever played it decided; null: a script acted in the person's place. */
  led: DrillLed.nullable().default(null),
});

/** What is owed how often, and how far that is. */
export const DrillDuty = z.object({
  name: z.enum(["unknown_publish", "compensation", "recoveries"]),
  everyMonths: z.union([z.literal(1), z.literal(3)]),
  /** How many plays a period asks for, and how many of the present one count. */
  times: z.number().int(),
  done: z.number().int(),
  standing: z.enum(["done", "due", "overdue"]),
  /** By when it is due next: the end of a period, in the past where it is overdue. */
  dueAt: Instant,
  last: z.object({ scenario: ScenarioId, at: Instant }).nullable(),
  /** What to play next for it. */
  next: ScenarioId,
});

/** A scenario whose newest play failed: it waits for one that passes, by a person where a person had failed. */
export const FailedDrill = z.object({ scenario: ScenarioId, at: Instant, isPersons: z.boolean() });

export const DrillRunning = z.object({
  run: DrillRun,
  scenario: ScenarioId,
  startedAt: Instant,
  /** Scenarios that are played after this one. */
  waiting: z.array(ScenarioId),
  /** A person plays it. */
  isLed: z.boolean(),
  /** What stands still until they answer. */
  question: DrillQuestion.nullable(),
});

export const Drills = z.object({
  groups: z.array(DrillGroup),
  running: DrillRunning.extend({ steps: z.array(DrillStep) }).nullable(),
  duties: z.array(DrillDuty),
  failed: z.array(FailedDrill),
  /** Newest first. */
  results: z.array(DrillResult),
  /** How long one scenario may take, and how long a person who plays one (real ms). */
  limitMs: z.number().int(),
  ledLimitMs: z.number().int(),
});

/** `led`: a person plays, and one scenario at a time. */
export const DrillStart = z
  .object({ scenarios: z.array(ScenarioId).min(1).max(100), led: z.boolean().optional() })
  .refine(({ scenarios, led }) => led !== true || scenarios.length === 1, {
    path: ["scenarios"],
    message: "a person plays one drill at a time: name one scenario",
  });
export const DrillStarted = z.discriminatedUnion("result", [
  z.object({ result: z.literal("started"), run: DrillRun }),
  /** One at a time: this one is being played. */
  z.object({ result: z.literal("busy"), scenario: ScenarioId }),
  z.object({ result: z.literal("unknown_scenario"), scenario: ScenarioId }),
  /** Nobody is asked anything in it. */
  z.object({ result: z.literal("not_led"), scenario: ScenarioId }),
]);
export const DrillCancelled = z.object({ result: z.enum(["cancelled", "nothing_runs"]) });

/** A no says what was missing. */
export const DrillJudgement = z
  .object({ run: DrillRun, alone: z.boolean(), note: z.string().trim().max(500) })
  .refine(({ alone, note }) => alone || note !== "", { path: ["note"], message: "say what the runbook does not say" });
export const DrillJudged = z.discriminatedUnion("result", [
  z.object({ result: z.literal("noted"), drills: Drills }),
  /** There is no such play any more, or it did not come to its end. */
  z.object({ result: z.literal("not_played") }),
]);

/** Pushed while a scenario is played: a few steps at a time, in order. */
export const DrillProgress = z.object({
  run: DrillRun,
  /** The number of steps that were told before these. */
  from: z.number().int(),
  steps: z.array(DrillStep).max(500),
});
/** Pushed when one begins or has ended. */
export const DrillChanged = z.object({
  running: DrillRunning.nullable(),
  ended: DrillResult.nullable(),
  duties: z.array(DrillDuty),
  failed: z.array(FailedDrill),
});
