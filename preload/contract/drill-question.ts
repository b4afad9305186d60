import { z } from "zod";
import { OperationView } from "./run";

/** What a drill asks of the person who plays it, and what they are shown beside it. */
const Word = z.string().max(200);
/** The same in both languages, live facts filled in. Plain text: some of it comes from remotes. */
const Words = z.object({ en: z.string(), "zh-CN": z.string() });

export const DrillChoice = z.object({ name: Word, about: Word.nullable() });

/** The runbook of the case, read only: nothing of it is ticked in a drill. */
export const DrillRunbook = z.object({
  kind: Word,
  version: z.number().int(),
  parts: z.record(z.string(), Words),
  steps: z.array(
    z.object({
      id: Word,
      phase: Word,
      who: Word,
      withinMinutes: z.number().int(),
      words: Words,
      branches: z.array(z.object({ id: Word, words: Words })),
    }),
  ),
});

export const DrillQuestion = z.object({
  /** Counts the questions of one play from 1: an answer names the one that it is for. */
  number: z.number().int().min(1),
  what: z.enum(["classify", "decide", "verify"]),
  choices: z.array(DrillChoice).min(1).max(60),
  /** What was chosen last and how the edition answered; null: nothing yet. */
  last: z.object({ choice: DrillChoice, answer: Word }).nullable(),
  /** Null until it was said which case it is. */
  runbook: DrillRunbook.nullable(),
  /** The incident screen's facts, by their names. */
  facts: z.array(z.object({ name: Word, value: z.string().max(2000) })),
  /** The calls that somebody has to look at, as the run shows them. */
  operations: z.array(OperationView),
  /** The checklist of the undo, where one is under way. */
  undo: z.array(z.object({ action: Word, status: Word, code: Word.nullable() })),
  /** What the remotes' own screens show; null where the way to know is to ask by key. */
  remote: z
    .object({
      posts: z.array(z.object({ id: Word, status: Word, slug: Word, contentHash: Word })),
      campaigns: z.array(z.object({ id: Word, status: Word })),
      mails: z.number().int(),
    })
    .nullable(),
});

export const DrillAnswer = z.object({ run: z.string().min(1).max(80), number: z.number().int().min(1), choice: Word });
/** `not_asked`: the drill has gone on or has ended, or this was not among the choices. */
export const DrillAnswered = z.object({ result: z.enum(["taken", "not_asked"]) });

/** What a person decided in a play, in order, each with whether the scenario expects it and how long it took (real ms). */
export const DrillLed = z.object({
  decisions: z
    .array(
      z.object({
        what: z.enum(["classify", "decide", "verify"]),
        choice: DrillChoice,
        isRight: z.boolean(),
        tookMs: z.number().int(),
      }),
    )
    .max(100),
});
