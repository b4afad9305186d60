import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Empty, Panel } from "../../components/Panel";
import { Timeline } from "../../components/Timeline";
import { filterRows, operationRows } from "../../components/timeline-rows";
import { useClock } from "../../stores/clock";
import { type RunView, useRun } from "../../stores/run";
import { OperationDetail } from "./operation-detail";
import { hasEnded } from "./run-facts";

/** While nothing is paused and the edition has not ended, open bars grow; once a few seconds is enough for that, and cheap. */
const GROWS_EVERY_MS = 5000;

/** Stages and operations over time, with the filter, the legend and the details of one operation. */
export function TimelinePanel({ run }: { run: RunView }) {
  const { t } = useTranslation();
  const { filter, operationId, pausedAt, set } = useRun();
  const ended = hasEnded(run.state);
  const clock = useClock((state) => (ended ? 0 : Math.floor(state.now / GROWS_EVERY_MS) * GROWS_EVERY_MS));
  const now = Math.max(run.clock.now, pausedAt ?? clock);
  const rows = useMemo(() => operationRows(run, now), [run, now]);
  const shown = filterRows(rows, filter);
  return (
    <Panel
      title={t("run.timeline.title")}
      flush
      actions={
        <fieldset className="choices-row">
          <legend>{t("run.timeline.filter")}</legend>
          {(["all", "open", "failed"] as const).map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="operation-filter"
                checked={filter === one}
                onChange={() => set({ filter: one })}
              />
              {t(`run.timeline.${one}`)} <span className="num muted">{filterRows(rows, one).length}</span>
            </label>
          ))}
        </fieldset>
      }
    >
      {run.events.length === 0 ? (
        <Empty>{t("run.timeline.empty")}</Empty>
      ) : (
        <Timeline
          run={run}
          rows={shown}
          now={now}
          ended={ended}
          chosen={operationId}
          choose={(id) => set({ operationId: id === operationId ? null : id })}
          detail={(row) => <OperationDetail operation={row.operation} />}
        />
      )}
      {shown.length === 0 && rows.length > 0 ? <Empty>{t("run.timeline.none")}</Empty> : null}
      <Legend />
    </Panel>
  );
}

function Legend() {
  const { t } = useTranslation();
  return (
    <p className="tl-legend small muted">
      <span className="key">
        <span className="tl-bar call tone-info" /> {t("run.timeline.legend.attempt")}
      </span>
      <span className="key">
        <span className="tl-bar unknown tone-unknown" /> {t("run.timeline.legend.unknown")}
      </span>
      <span className="key">
        <span className="tl-dot look" /> {t("run.timeline.legend.look")}
      </span>
      <span className="key">
        <span className="tl-dot event" /> {t("run.timeline.legend.event")}
      </span>
      <span className="key">
        <span className="tl-gap" /> {t("run.timeline.legend.break")}
      </span>
    </p>
  );
}
