import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ProblemNotice } from "../../components/Notices";
import { Panel } from "../../components/Panel";
import { formatDuration, formatZoned } from "../../format";
import { useClock } from "../../stores/clock";
import { type SettingsView, useSettings } from "../../stores/settings";
import { wordFor } from "../../words";

type Schedule = SettingsView["schedules"][number];

/** What begins by the clock: the next five times in the schedule's own zone, and what the next change of its clocks does to them. */
export function SchedulesPanel({ schedules }: { schedules: readonly Schedule[] }) {
  const { t } = useTranslation();
  const problem = useSettings((state) => state.scheduleProblem);
  const load = useSettings((state) => state.load);
  return (
    <Panel title={t("settings.schedule.title")}>
      <div className="stack wide">
        {problem === null ? null : <ProblemNotice problem={problem} again={() => void load()} />}
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
      {pausedSince === null ? null : <Paused name={name} since={formatZoned(pausedSince, zone)} zone={zone} />}
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

/** The clock is shown beside the question, in the schedule's zone: that it is right is what the answer says. */
function Paused({ name, since, zone }: { name: string; since: string; zone: string }) {
  const { t } = useTranslation();
  const now = useClock((state) => state.now);
  const isBusy = useSettings((state) => state.isBusy);
  const resume = useSettings((state) => state.resumeSchedule);
  return (
    <div className="notice tone-warn">
      <div className="grow stack tight">
        <p>{t("settings.schedule.paused", { moment: since })}</p>
        <p className="num">{t("settings.schedule.shows", { moment: formatZoned(now, zone) })}</p>
      </div>
      <Button size="compact-xs" disabled={isBusy} onClick={() => void resume(name)}>
        {t("settings.schedule.resume")}
      </Button>
    </div>
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
