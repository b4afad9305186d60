import { useTranslation } from "react-i18next";
import { Moment } from "../../components/Moments";
import { formatDuration, formatNumber } from "../../format";
import type { MetricView } from "../../stores/health";
import { useNav } from "../../stores/nav";
import { valueWords } from "./metric-value";
import { Trend } from "./trend";

/** One metric: its value, what it means, what it is out of, how it went, and the editions it rests on. */
export function MetricRow({ metric }: { metric: MetricView }) {
  const { t } = useTranslation();
  const { id, kind, numerator, denominator, value, p95Ms, longestMs, rowCount } = metric;
  const words = { numerator: formatNumber(numerator), denominator: formatNumber(denominator) };
  return (
    <li className="metric" aria-label={t(`health.metric.${id}.name`)}>
      <div className="metric-head">
        <h3>{t(`health.metric.${id}.name`)}</h3>
        <p className="small muted">{t(`health.metric.${id}.means`)}</p>
        {rowCount === 0 ? null : <Rows metric={metric} />}
      </div>
      <div className="metric-value num">
        <b className={value === null ? "muted" : ""}>{valueWords(kind, value)}</b>
        {kind === "duration" && p95Ms !== null ? (
          <span className="small">{t("health.p95", { duration: formatDuration(p95Ms) })}</span>
        ) : null}
        <span className="small muted">{t(`health.metric.${id}.of`, words)}</span>
        {kind === "backlog" && longestMs !== null ? (
          <span className="small">{t("health.oldest", { duration: formatDuration(longestMs) })}</span>
        ) : null}
      </div>
      <Trend metric={metric} />
    </li>
  );
}

function Rows({ metric: { rows, rowCount, kind } }: { metric: MetricView }) {
  const { t } = useTranslation();
  const go = useNav((state) => state.go);
  return (
    <details className="metric-rows small">
      <summary data-row>
        {rows.length < rowCount
          ? t("health.rowsOf", { shown: formatNumber(rows.length), count: rowCount })
          : t("health.rows", { count: rowCount })}
      </summary>
      <ul>
        {rows.map(({ taskId, edition, at, ms, hits }) => (
          <li key={`${taskId} ${at}`}>
            <button
              type="button"
              className={hits > 0 ? "chip" : "chip muted"}
              aria-label={t("health.openRow", { edition })}
              onClick={() => go({ screen: "run", taskId })}
            >
              {edition}
            </button>
            <span className="muted">
              <Moment at={at} />
            </span>
            {ms === null || kind === "percent" ? null : <span className="num">{formatDuration(ms)}</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}
