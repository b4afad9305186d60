import type { ExecuteResult } from "../../db/journal";
import type { Command, CommandContext } from "../../main/domain/commands";
import { sha256 } from "../../main/domain/hashing";
import type { OperationRow } from "../../main/domain/records";
import { BriefingWalk } from "../support/briefing-walk";
import { EXECUTOR, type World } from "../support/world";

/** A command that is ready to be given, with what it is called in the report. */
export interface Ready {
  name: string;
  command: Command;
  context: CommandContext;
}

/** Carries out one ready command and may take its time; the story goes on where it was applied. */
export type Run = (ready: Ready) => ExecuteResult;

const FIRST_YEAR = 2001;
const WEEKS = 52;

/** As many editions as are asked for: the journal's keys need weeks, not this century's. */
export const editionOf = (number: number): string =>
  `${FIRST_YEAR + Math.floor(number / WEEKS)}-W${String((number % WEEKS) + 1).padStart(2, "0")}`;

/**
 * One edition whose commands on the main path are handed to `run`: checkpoints while it collects, then a write that does not
 * start and one that is confirmed, then two looks at the public page: two commands of each of four kinds. What lies between
 * is done, but not handed over.
 */
export function tell(world: World, number: number, run: Run): BriefingWalk {
  const walk = new BriefingWalk(world, { edition: editionOf(number) });
  const step = (name: string, command: Command) => {
    const { task } = walk.view();
    world.now += 1_000;
    const standing = { expectedVersion: task.stateVersion, fencingToken: task.fencingToken };
    const context = { actor: EXECUTOR, now: world.now, trusted: world.trusted(), ...standing } as const;
    const answer = run({ name, command, context });
    if (answer.result !== "applied") throw new Error(`${name}: ${JSON.stringify(answer)}`);
  };
  walk.to("collecting");
  for (const round of [1, 2]) step("record_step", checkpoint(walk, round));
  walk.to("publishing");
  const operation = walk.operation("publish");
  step("mark_request_sent", sent(walk, operation));
  step("record_answer", answered(walk, operation, 1, "not_sent"));
  step("mark_request_sent", sent(walk, operation));
  step("record_answer", answered(walk, operation, 2, "confirmed"));
  for (const attempt of [1, 2]) step("note", probed(walk, attempt));
  return walk;
}

function checkpoint(walk: BriefingWalk, round: number): Command {
  const source = {
    state: "frozen",
    required: true,
    attempts: 1,
    hash: sha256(`snapshot ${round}`),
    items: 3,
    newItems: 3,
  };
  return {
    type: "record_step",
    taskId: walk.taskId,
    step: "collecting",
    checkpoint: { round: 1, sources: { alpha: source, beta: source, gamma: source } },
    calls: 1,
    event: {
      type: "SourceRead",
      payload: { sourceId: "alpha", attempt: round, items: 3 },
      evidenceRefs: [source.hash],
    },
  };
}

function sent(walk: BriefingWalk, operation: OperationRow): Command {
  const { contentHash, pageUrl, bodyHash, audienceHash } = operation;
  return {
    type: "mark_request_sent",
    taskId: walk.taskId,
    operationId: operation.id,
    requestBytesHash: sha256(`request ${operation.operationKey}`),
    recomputed: { contentHash, pageUrl, bodyHash, audienceHash },
    delay: { policyVersion: 1, baseDelayMs: 0, hintMs: null, actualDelayMs: 0 },
  };
}

function answered(
  walk: BriefingWalk,
  operation: OperationRow,
  attempt: number,
  outcome: "confirmed" | "not_sent",
): Command {
  const isConfirmed = outcome === "confirmed";
  return {
    type: "record_answer",
    taskId: walk.taskId,
    operationId: operation.id,
    attempt,
    outcome,
    remoteId: isConfirmed ? "18427" : null,
    url: isConfirmed ? walk.package().plannedUrl : null,
    error: null,
    firstLookAt: isConfirmed ? null : walk.world.now,
  };
}

function probed(walk: BriefingWalk, attempt: number): Command {
  const hash = sha256(`capture ${walk.edition} ${attempt}`);
  return {
    type: "note",
    taskId: walk.taskId,
    event: "ProbeAttempted",
    operationId: null,
    payload: { attempt, matches: false, httpStatus: 200, textEqual: false, titleEqual: true, missingLinks: 1 },
    evidenceRefs: [hash],
    artifacts: [{ hash, kind: "page-capture", bytes: 20_480, mediaType: "text/html; charset=utf-8", origin: null }],
    context: { probeAttempts: attempt, nextProbeAt: walk.world.now + 20_000 },
  };
}
