import i18next from "i18next";
import { formatDuration, formatNumber } from "../../format";
import type { MetricView } from "../../stores/health";

/** A share from 0 to 1 with one digit behind the point, in hundredths or thousandths. */
export function formatShare(share: number, of: "percent" | "permille" = "percent"): string {
  const scaled = share * (of === "percent" ? 100 : 1000);
  const number = formatNumber(Math.round(scaled * 10) / 10);
  return `${number}${i18next.language === "en" ? " " : ""}${of === "percent" ? "%" : "‰"}`;
}

/** A metric's value in words; without data it says so, since it is neither nothing nor everything. */
export function valueWords(kind: MetricView["kind"], value: number | null): string {
  if (value === null) return i18next.t("health.noData");
  if (kind === "duration") return formatDuration(value);
  return kind === "backlog" ? formatNumber(value) : formatShare(value, kind);
}
