import { type BoardRow, type MoveEventRow, readRecovery } from "../../../db/queries/recovery";
import type { Input, Output } from "../../../preload/contract";
import type { Instant } from "../../domain/ids";
import {
  escalationOf,
  isOpenStage,
  proofsNeeded,
  RECOVERY_WAYS,
  type RecoveryProof,
  type RecoveryStage,
} from "../../domain/recovery";
import { patternsOf, type RecoveryPattern } from "../../domain/recovery-patterns";
import { toPatternItem } from "../read-patterns";
import type { ViewPorts } from "./view-ports";

type Recovery = Output<"recovery.get">;
type Item = Recovery["items"][number];

/** What is closed longer than this is found at its edition and not on the board. */
const CLOSED_SHOWN_MS = 30 * 86_400_000;
/** The board of recovery items: what is open, what was closed lately, what recurs, and what became of one (domain 10). */
export function recoveryView(ports: ViewPorts, asked: Input<"recovery.get">): Recovery {
  const clock = ports.clock();
  const { now } = clock;
  const { items, moves } = readRecovery(ports.queries, now, asked.itemId);
  const patterns = patternsOf(items.map(toPatternItem), now);
  const shown = items
    .filter((row) => isOpenStage(row.stage) || row.id === asked.itemId || (row.stageAt ?? 0) > now - CLOSED_SHOWN_MS)
    .map((row) => toItem(row, patterns, now));
  const untouched = shown.filter((item) => item.kind === "dead_letter" && item.escalation === "untouched");
  return {
    clock,
    items: shown,
    patterns: patterns.map(toPattern),
    untouchedDeadLetters: untouched.length,
    history: moves.map(toMove),
  };
}

function toItem(row: BoardRow, patterns: readonly RecoveryPattern[], now: Instant): Item {
  const { operationId: _id, operationKey, operationKind, operationPhase, adapter, rawCode, ...rest } = row;
  const operation =
    operationKey === null
      ? null
      : { key: operationKey, kind: operationKind ?? "", phase: operationPhase ?? "", adapter: adapter ?? "" };
  return {
    ...rest,
    operation,
    code: toPatternItem(row).rawCode,
    escalation: escalationOf(row, now),
    ways: RECOVERY_WAYS[row.stage].map((to) => ({ to, asks: asksFor(row, to) })),
    pattern: patterns.find(({ itemIds }) => itemIds.includes(row.id))?.fingerprint ?? null,
  };
}

/** A review is asked for anew each time: the outcome of the one before did not hold. */
const asksFor = (row: BoardRow, to: RecoveryStage) =>
  proofsNeeded(to).filter((what) => what === "review" || (row[what] === null && !isProvedByPlaying(row, what)));

/** Nobody is asked to write what only a later play can prove. */
const isProvedByPlaying = ({ kind }: BoardRow, what: RecoveryProof): boolean =>
  kind === "drill_failed" && what === "verification";

function toPattern({ cause, itemIds, ...rest }: RecoveryPattern): Recovery["patterns"][number] {
  return { ...rest, ...cause, itemIds: [...itemIds] };
}

function toMove({ at, actor, note, payload }: MoveEventRow): Recovery["history"][number] {
  const told = JSON.parse(payload ?? "{}") as { from?: RecoveryStage; to?: RecoveryStage; minutes?: number };
  return { at, actor, from: told.from ?? null, to: told.to ?? null, note: note ?? "", minutes: told.minutes ?? 0 };
}
