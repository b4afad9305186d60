import { useTranslation } from "react-i18next";
import { LaterVersion } from "../../components/LaterVersion";
import { Countdown } from "../../components/Moments";
import { Empty, Panel } from "../../components/Panel";
import { StateBadge } from "../../components/StateBadge";
import { formatDuration, formatMoment, formatZoned } from "../../format";
import { useClock, useZone } from "../../stores/clock";
import { useNav } from "../../stores/nav";
import type { TodayView } from "../../stores/today";
import { wordOrText } from "../../words";

/** One line per live edition: its stage, how long it has been in it, when it is due. */
export function Live({ tasks }: { tasks: TodayView["live"] }) {
  const { t } = useTranslation();
  return (
    <Panel title={t("today.live.title")} flush>
      {tasks.length === 0 ? <Empty>{t("today.live.empty")}</Empty> : null}
      <ul data-list className="rows">
        {tasks.map((task) => (
          <li key={task.taskId}>
            <LiveRow task={task} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function LiveRow({ task }: { task: TodayView["live"][number] }) {
  const { t } = useTranslation();
  const go = useNav((state) => state.go);
  const now = useClock((state) => state.now);
  const zone = useZone();
  return (
    <button
      type="button"
      data-row
      className="rowbutton live-row"
      onClick={() => go({ screen: "run", taskId: task.taskId })}
    >
      <span className="row spread">
        <span className="row tight">
          <b className="num">{task.edition}</b>
          <LaterVersion version={task.version} />
          <StateBadge state={task.state} />
        </span>
        <span className="num muted">{formatDuration(Math.max(0, Math.floor((now - task.since) / 1000) * 1000))}</span>
      </span>
      <span className="row spread muted small">
        <span>{task.detail === null ? null : wordOrText("event", task.detail)}</span>
        <span className="row tight">
          {task.nextAt === null || task.nextAt <= now ? null : (
            <span>
              {t("today.live.next", { duration: t("clock.in", { duration: formatDuration(task.nextAt - now) }) })}
            </span>
          )}
          <span className="num" title={formatZoned(task.deadlineAt, zone)}>
            {t("today.live.deadline", { moment: formatMoment(task.deadlineAt, zone, "short") })}
          </span>
          <Countdown until={task.deadlineAt} />
        </span>
      </span>
    </button>
  );
}
