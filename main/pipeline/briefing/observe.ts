import { Bug } from "../../domain/ids";
import type { Work } from "../../engine/runtime";
import type { BriefingPorts } from "./ports";

/** After the window a person is told; the provider is still asked, at a slower pace. */
const SLOW_OBSERVE_MS = 10 * 60_000;

/** Accounts for each recipient from the provider's report until nobody is open (I06). Differences are said, never adjusted. */
export function observeWork(ports: BriefingPorts): Work {
  return async (context) => {
    const { view, clock } = context;
    const { task } = view;
    const campaign = view
      .operations()
      .find((row) => row.kind === "send" && row.phase === "create" && row.state === "confirmed");
    if (campaign?.remoteId == null) throw new Bug("observing a mailing without a confirmed campaign");
    const timeout = clock.timeout(ports.mail.adapter.manifest.callTimeoutMs);
    try {
      const { target, remoteId } = campaign;
      ports.crash.reach("before-call:observe");
      const report = await ports.mail.adapter.report(
        { target, remoteId },
        { signal: timeout.signal, now: clock.now() },
      );
      ports.crash.reach("after-call:observe");
      const pace = task.state === "send_pending" ? view.definition.deadlines.observeEveryMs : SLOW_OBSERVE_MS;
      const nextObserveAt = clock.now() + pace;
      if (report.kind === "failed") {
        context.execute({ type: "account_recipients", taskId: task.id, outcomes: [], nextObserveAt });
        return;
      }
      const known = new Set(
        view
          .recipients()
          .filter((row) => row.outcome !== "excluded")
          .map((row) => row.recipientId),
      );
      const strangers = report.recipients.filter((row) => !known.has(row.recipientId)).length;
      const outcomes = report.recipients.filter((row) => known.has(row.recipientId));
      const accounted = context.execute({ type: "account_recipients", taskId: task.id, outcomes, nextObserveAt });
      if (accounted.result === "applied" && strangers > 0)
        context.execute({
          type: "transition",
          taskId: task.id,
          event: "AccountMismatch",
          payload: { reported: report.recipients.length, audience: known.size, strangers },
        });
    } finally {
      timeout.cancel();
    }
  };
}
