import { useTranslation } from "react-i18next";
import type { MetricView } from "../../stores/health";
import { valueWords } from "./metric-value";

const HEIGHT = 28;
const BAR = 6;
const GAP = 2;

/** A bar for each week; a week without data has a dot on the line, which is something else than a bar of no height. */
export function Trend({ metric: { trend, kind } }: { metric: MetricView }) {
  const { t } = useTranslation();
  const highest = Math.max(0, ...trend.map(({ value }) => value ?? 0));
  const values = trend.map(({ value }) => valueWords(kind, value)).join(", ");
  const width = trend.length * (BAR + GAP);
  return (
    <svg
      className="metric-trend"
      role="img"
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      aria-label={t("health.trend", { values })}
    >
      <title>{t("health.trend", { values })}</title>
      {trend.map(({ from, value }, index) => {
        const x = index * (BAR + GAP);
        if (value === null) return <circle key={from} className="none" cx={x + BAR / 2} cy={HEIGHT - 2} r={1} />;
        const height = highest === 0 ? 1 : Math.max(1, Math.round((value / highest) * (HEIGHT - 2)));
        return <rect key={from} x={x} y={HEIGHT - height} width={BAR} height={height} />;
      })}
    </svg>
  );
}
