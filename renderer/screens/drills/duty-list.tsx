import { Button } from "@mantine/core";
import { CalendarClock, CircleCheck, OctagonAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Moment } from "../../components/Moments";
import { Panel } from "../../components/Panel";
import { Mark } from "../../components/StateBadge";
import { type DrillDuty, type FailedDrill, useDrills } from "../../stores/drills";

const LOOK = {
  done: { tone: "ok", icon: CircleCheck },
  due: { tone: "warn", icon: CalendarClock },
  overdue: { tone: "bad", icon: OctagonAlert },
} as const;

interface Owed {
  duties: readonly DrillDuty[];
  failed: readonly FailedDrill[];
  isBusy: boolean;
}

/** What is owed how often, how far that is, what failed since, and the button that plays what is due. */
export function DutyList({ duties, failed, isBusy }: Owed) {
  const { t } = useTranslation();
  return (
    <Panel title={t("drills.duty.title")} flush className="drill-duties">
      <p className="small muted note">{t("drills.duty.persons")}</p>
      <table className="table compact">
        <thead>
          <tr>
            <th>{t("drills.duty.which")}</th>
            <th>{t("drills.duty.standing")}</th>
            <th>{t("drills.duty.done")}</th>
            <th>{t("drills.duty.last")}</th>
            <th>{t("drills.duty.by")}</th>
            <th>
              <span className="visually-hidden">{t("drills.duty.start")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {duties.map((duty) => (
            <Row key={duty.name} duty={duty} isBusy={isBusy} />
          ))}
          {failed.map((one) => (
            <FailedRow key={one.scenario} failed={one} isBusy={isBusy} />
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function Row({ duty, isBusy }: { duty: DrillDuty; isBusy: boolean }) {
  const { t } = useTranslation();
  const { name, everyMonths, times, done, standing, dueAt, last, next } = duty;
  const { tone, icon } = LOOK[standing];
  const period = everyMonths === 1 ? "month" : "quarter";
  return (
    <tr>
      <th scope="row">{t(`drills.duty.name.${name}`)}</th>
      <td>
        <Mark tone={tone} icon={icon}>
          {t(`drills.duty.${standing}`)}
        </Mark>
      </td>
      <td className="num">{t(`drills.duty.${period}`, { done, times })}</td>
      <td>
        {last === null ? (
          <span className="muted">{t("drills.duty.never")}</span>
        ) : (
          <>
            <Moment at={last.at} /> <span className="mono">{last.scenario}</span>
          </>
        )}
      </td>
      {/* A period ends where the next begins: its last day is the one that is named. */}
      <td>
        <Moment at={dueAt - 1} shape="day" />
      </td>
      <td>{standing === "done" ? null : <StartDue scenario={next} isPersons isBusy={isBusy} />}</td>
    </tr>
  );
}

function FailedRow({ failed: { scenario, at, isPersons }, isBusy }: { failed: FailedDrill; isBusy: boolean }) {
  const { t } = useTranslation();
  return (
    <tr>
      <th scope="row">{t("drills.duty.repeat", { id: scenario })}</th>
      <td>
        <Mark tone="bad" icon={OctagonAlert}>
          {t("drills.duty.failed")}
        </Mark>
      </td>
      <td className="muted" colSpan={3}>
        {t("drills.duty.failedAt")} <Moment at={at} />
      </td>
      <td>
        <StartDue scenario={scenario} isPersons={isPersons} isBusy={isBusy} />
      </td>
    </tr>
  );
}

/** A duty is a person's to play. It keeps its place and the focus while another drill is played. */
function StartDue({ scenario, isPersons, isBusy }: { scenario: string; isPersons: boolean; isBusy: boolean }) {
  const { t } = useTranslation();
  const start = useDrills((state) => state.start);
  const playLed = useDrills((state) => state.play);
  const choose = useDrills((state) => state.choose);
  const play = () => {
    choose(scenario);
    void (isPersons ? playLed(scenario) : start([scenario]));
  };
  return (
    <Button
      size="compact-xs"
      data-disabled={isBusy || undefined}
      aria-disabled={isBusy}
      onClick={isBusy ? undefined : play}
    >
      {t(isPersons ? "drills.duty.playYourself" : "drills.duty.play", { id: scenario })}
    </Button>
  );
}
