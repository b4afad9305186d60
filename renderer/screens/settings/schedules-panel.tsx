import { useTranslation } from "react-i18next";
import { Panel } from "../../components/Panel";
import { formatDuration, formatZoned } from "../../format";
import type { SettingsView } from "../../stores/settings";
import { wordFor } from "../../words";

type Schedule = SettingsView["schedules"][number];

/** What begins by the clock: the next five times in the schedule's own zone, and what the next change of its clocks does to them. */
export function SchedulesPanel({ schedules }: { schedules: readonly Schedule[] }) {
  const { t } = useTranslation();
  return (
    <Panel title={t("settings.schedule.title")}>
      <div className="stack wide">
        {schedules.map((schedule) => (
          <One key={schedule.name} schedule={schedule} />
        ))}
      </div>
    </Panel>
  );
}

function One({ schedule }: { schedule: Schedule }) {
  const { t } = useTranslation();
  const { name, pattern, zone, next, lastFiredAt, pausedSince } = schedule;
  return (
    <section className="stack tight" aria-label={wordFor("settings.schedule.name", name)}>
      <h3>{wordFor("settings.schedule.name", name)}</h3>
      {pausedSince === null ? null : (
        <p className="notice tone-warn">{t("settings.schedule.paused", { moment: formatZoned(pausedSince, zone) })}</p>
      )}
      <dl className="facts-of">
        <dt>{t("settings.schedule.next")}</dt>
        <dd>
          <ol>
            {next.map((at) => (
              <li key={at} className="num">
                <time dateTime={new Date(at).toISOString()}>{formatZoned(at, zone)}</time>
              </li>
            ))}
          </ol>
        </dd>
        <dt>{t("settings.schedule.last")}</dt>
        <dd className="num">{lastFiredAt === null ? t("settings.schedule.never") : formatZoned(lastFiredAt, zone)}</dd>
        <dt>{t("settings.schedule.clocks")}</dt>
        <dd>
          <ClockChange schedule={schedule} />
        </dd>
        <dt>{t("settings.schedule.pattern")}</dt>
        <dd className="mono">{pattern}</dd>
      </dl>
    </section>
  );
}

function ClockChange({ schedule: { clockChange, zone } }: { schedule: Schedule }) {
  const { t } = useTranslation();
  if (clockChange === null) return t("settings.schedule.noChange", { zone });
  const { at, byMs, next } = clockChange;
  return t(byMs > 0 ? "settings.schedule.forward" : "settings.schedule.back", {
    moment: formatZoned(at, zone),
    by: formatDuration(Math.abs(byMs)),
    next: formatZoned(next, zone),
  });
}
