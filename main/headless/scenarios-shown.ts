import type { Views } from "../commands/views/open-views";
import type { TaskId } from "../domain/ids";

/** What the editor is shown, in words that stay: what waits, why it is blocked, which ways are open, what is asked of them. */
export async function describeShown(views: Views, taskId: TaskId): Promise<string[]> {
  const waiting = views.today().waiting.filter((item) => item.taskId === taskId);
  const run = await views.run({ taskId });
  if (run === null) throw new Error("the edition cannot be shown");
  const open = run.ways.filter((way) => way.open && way.by !== "executor" && way.event !== "Unblocked");
  const asked = run.operations.filter((operation) => operation.verdicts.length > 0);
  return [
    ...waiting.map((item) => `waits: ${item.kind}${item.blockedReason === null ? "" : ` ${item.blockedReason}`}`),
    ...(run.blocked?.waysOut.map((way) => {
      const missing = [...new Set(way.unmet.map(({ code }) => code))].join(" ");
      return `way out: ${way.to} ${way.open ? "open" : `closed, ${missing}`}`;
    }) ?? []),
    ...asked.map(({ kind, phase, verdicts }) => `verdict on ${kind}.${phase}: ${verdicts.join(", ")}`),
    ...(open.length === 0 ? [] : [`may: ${[...new Set(open.map((way) => way.event))].join(", ")}`]),
    ...undoLines(run),
    ...(run.openRecipients === undefined ? [] : [`recipients to close: ${run.openRecipients.length}`]),
    ...run.careQueue.map((entry) => `customer care: ${entry.outcome}`),
    ...audienceLines(views, taskId, run.state),
    ...(await warningLines(views, taskId, run.state)),
  ];
}

/** The undo as the run shows it; nothing before there is one under way. */
function undoLines(run: NonNullable<Awaited<ReturnType<Views["run"]>>>): string[] {
  if (run.state !== "compensating") return [];
  return run.events
    .filter((event) => /^Compensation(Closed|EntryFailed|HandedOver)$/.test(event.type))
    .map((event) => `undo: ${event.type}`);
}

function audienceLines(views: Views, taskId: TaskId, state: string): string[] {
  if (state !== "awaiting_send_approval") return [];
  const review = views.sendReview({ taskId });
  if (review === null) return [];
  const changes = review.audience.changes.map(({ change, reason }) => `audience: ${change} (${reason})`);
  return [`audience: ${review.audience.count}`, ...changes];
}

async function warningLines(views: Views, taskId: TaskId, state: string): Promise<string[]> {
  if (state !== "awaiting_content_approval") return [];
  const review = await views.contentReview({ taskId });
  return review?.warnings.map(({ code }) => `to tick: ${code}`) ?? [];
}
