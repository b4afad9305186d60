import { Clock as ClockIcon, FlaskConical, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { formatMoment, formatZoned } from "../format";
import { useClock } from "../stores/clock";
import { Mark } from "./StateBadge";

/** The workspace's time. Where it is the sandbox's clock it says so in words: nobody may take it for the wall's. */
export function Clock() {
  const { t } = useTranslation();
  const info = useClock((state) => state.info);
  const now = useClock((state) => state.now);
  if (!info) return null;
  return (
    <section className="clock" aria-label={t("clock.label")}>
      {info.simulated ? (
        <span className="badge tone-info" title={info.skipsWaiting ? t("clock.skips") : t("clock.runs")}>
          <FlaskConical size={13} aria-hidden />
          {t("clock.sandbox")}
          {info.skipsWaiting ? <span className="clock-note">{t("clock.skips")}</span> : null}
        </span>
      ) : null}
      {info.trusted ? null : (
        <Mark tone="warn" icon={TriangleAlert}>
          {t("clock.untrusted")}
        </Mark>
      )}
      {info.simulated ? null : <ClockIcon size={13} aria-hidden />}
      <time
        className="num"
        dateTime={new Date(now).toISOString()}
        title={`${formatZoned(now, info.zone)} · ${t("clock.trusted", { source: info.source })}`}
      >
        <span className="muted">{formatMoment(now, info.zone, "day")}</span> {formatMoment(now, info.zone, "time")}{" "}
        <span className="muted zone">{info.zone}</span>
      </time>
    </section>
  );
}
