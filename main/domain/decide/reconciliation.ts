import { raiseAlert } from "../alert";
import type { Command, CommandContext } from "../commands";
import { type Decision, draftEvent, refuse } from "../plan";
import { differenceItem } from "../reconciliation";
import { localDateOf } from "../schedule";
import { unmet } from "../unmet";
import type { TaskView } from "../view";
import { causerOf } from "./actor";

type RecordRound = Extract<Command, { type: "record_round" }>;

/** A task that was asked about as a whole; and one where a remote could not be asked, which is asked again. */
export const ROUND_RECORDED = "ReconciliationRoundRecorded";
export const ROUND_PUT_OFF = "ReconciliationPutOff";

/**
 * What a T+1 reconciliation of one task came to (domain 10): counts, every difference, and each difference as a recovery item.
 * The task itself does not move. The daily job says it once a day, so that two processes at it are one.
 */
export function decideRecordRound(view: TaskView, command: RecordRound, context: CommandContext): Decision {
  const { task } = view;
  const causer = causerOf(context.actor);
  if (causer === "executor") return refuse("guard_failed", unmet("person_required", { event: ROUND_RECORDED }));
  const last = view.lastEvent(ROUND_RECORDED);
  const isToday = last !== null && localDateOf(last.at, task.zone) === localDateOf(context.now, task.zone);
  if (causer === "system" && isToday) return refuse("guard_failed", unmet("not_due_yet", { at: last.at }));
  const { looked, different, notAsked, unreachable, differences } = command;
  const event = draftEvent(unreachable.length > 0 ? ROUND_PUT_OFF : ROUND_RECORDED, {
    evidenceRefs: command.evidenceRefs,
    payload: {
      ...{ looked, equal: looked - different, different, notAsked },
      ...{ unreachable: [...unreachable], differences: differences.map((one) => ({ ...one })) },
    },
  });
  // What somebody has on the board already is not told every morning again.
  const onBoard = new Set(view.recoveryItems().map(({ id }) => id));
  const news = differences
    .filter((one) => !onBoard.has(differenceItem(task, one, context.now).id))
    .map(({ kind }) => kind);
  return {
    ok: true,
    plan: {
      task: {},
      events: [event],
      writes: [
        ...command.artifacts.map((artifact) => ({
          table: "artifact" as const,
          insertIfNew: { ...artifact, taskId: task.id, at: context.now },
        })),
        ...differences.map((one) => ({
          table: "recovery_item" as const,
          insertIfNew: differenceItem(task, one, context.now),
        })),
        ...(news.length === 0
          ? []
          : [raiseAlert(view, context, { code: "reconciliation_difference", more: { news } })]),
      ],
    },
  };
}
