import type { CommandContext } from "./commands";
import type { IncidentKind } from "./incident";
import type { ObservedForIncident } from "./incident-command";
import { isMailing, isOut } from "./operation";
import type { TaskView } from "./view";

/** Everything by which a piece of evidence is judged without anybody's word. */
export interface InventoryInput {
  /** The incident's task; null where it is about none, and then what would be read from a task is a person's to show. */
  view: TaskView | null;
  isEpochReconciled: boolean;
  context: CommandContext;
  observed: ObservedForIncident | null;
}

/** One piece of evidence. `judge` null: a person shows it, in words that are kept with the closing. */
export interface EvidencePiece {
  id: string;
  judge: ((input: InventoryInput & { view: TaskView }) => boolean) | null;
  /** True where no task is needed to judge it. */
  isOfJournal?: true;
  /** True where it is looked up at the moment of closing. */
  isLooked?: true;
}

const shown = (id: string): EvidencePiece => ({ id, judge: null });

const OUTCOME_KNOWN: EvidencePiece = { id: "outcome_known", judge: ({ view }) => !view.operations().some(isOut) };
const SENDING_STOPPED: EvidencePiece = {
  id: "sending_stopped",
  judge: ({ view }) =>
    !view.operations().some((row) => isMailing(row.kind) && (row.state === "prepared" || isOut(row))),
};
/** The page is the approved one at this moment, or the edition was taken back and its undo proved what is there instead. */
const RIGHT_PAGE_LIVE: EvidencePiece = {
  ...{ id: "right_page_live", isLooked: true },
  judge: ({ view, observed }) =>
    view.task.state === "compensated" ||
    (observed?.provedContentHash != null && observed.provedContentHash === view.task.context["contentHash"]),
};
const SOURCE_DECIDED: EvidencePiece = {
  id: "source_decided",
  judge: ({ view }) => view.task.blockedReason !== "source_missing",
};
const EPOCH_RECONCILED: EvidencePiece = {
  ...{ id: "epoch_reconciled", isOfJournal: true },
  judge: ({ isEpochReconciled }) => isEpochReconciled,
};
const TIME_TRUSTED: EvidencePiece = {
  ...{ id: "time_trusted", isOfJournal: true },
  judge: ({ context }) => context.trusted.trusted,
};
const CAUSE = shown("cause");

/** What has to be on the table before an incident of a kind may be closed (domain 10). */
export const INVENTORY: Readonly<Record<IncidentKind, readonly EvidencePiece[]>> = {
  unknown_publish: [OUTCOME_KNOWN, shown("remote_shows"), CAUSE],
  duplicate_remote: [
    ...[shown("objects_traceable"), RIGHT_PAGE_LIVE, shown("duplicate_not_public")],
    ...[shown("scheduler_released"), shown("drafter_released"), shown("next_key")],
  ],
  unknown_send: [OUTCOME_KNOWN, shown("remote_shows"), shown("nobody_twice"), CAUSE],
  wrong_audience: [SENDING_STOPPED, shown("wrongly_mailed"), shown("list_corrected"), shown("told_decided")],
  wrong_page_live: [RIGHT_PAGE_LIVE, shown("told_decided"), CAUSE],
  source_missing: [SOURCE_DECIDED, CAUSE],
  restored_backup: [EPOCH_RECONCILED, shown("other_copy_stopped"), CAUSE],
  damaged_journal: [shown("copy_kept"), shown("remote_compared"), CAUSE],
  clock_jump: [TIME_TRUSTED, shown("moments_checked"), CAUSE],
  approval_bypass: [OUTCOME_KNOWN, shown("remote_compared"), CAUSE],
  other: [shown("verified"), CAUSE],
};

/** Whether the journal can judge a piece of this incident by itself: then nobody's word stands in for it. */
export const isJudged = (piece: EvidencePiece, hasTask: boolean): boolean =>
  piece.judge !== null && (hasTask || piece.isOfJournal === true);

/**
 * The pieces that are still missing, by name, in the inventory's order.
 * @param proofs what a person vouches for, by piece; blank is nothing
 */
export function missingPieces(
  kind: IncidentKind,
  input: InventoryInput,
  proofs: Readonly<Record<string, string>>,
): string[] {
  return INVENTORY[kind]
    .filter((piece) => {
      if (!isJudged(piece, input.view !== null)) return (proofs[piece.id] ?? "").trim() === "";
      // What is of the journal looks at no task.
      return piece.judge?.({ ...input, view: input.view as TaskView }) !== true;
    })
    .map(({ id }) => id);
}
