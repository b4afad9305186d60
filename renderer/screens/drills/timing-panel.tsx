import { CircleCheck, Hourglass, Timer } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Moment } from "../../components/Moments";
import { Empty, Panel } from "../../components/Panel";
import { Mark } from "../../components/StateBadge";
import { formatDuration } from "../../format";
import type { DrillTiming } from "../../stores/drills";

/** How long each phase took from detection to the verified result, what it stuck at, and whether that was better before. */
export function TimingPanel({ timing, isLed }: { timing: DrillTiming; isLed: boolean }) {
  const { t } = useTranslation();
  const { phases } = timing;
  const isTimed = phases.some(({ phase, at }) => phase === "detected" && at !== null);
  return (
    <Panel title={t("drills.timing.title")} flush>
      {isTimed ? <Phases timing={timing} isLed={isLed} /> : <Empty>{t("drills.timing.nothing")}</Empty>}
    </Panel>
  );
}

function Phases({ timing, isLed }: { timing: DrillTiming; isLed: boolean }) {
  const { t } = useTranslation();
  const { phases, stuck } = timing;
  return (
    <>
      <table className="table compact">
        <thead>
          <tr>
            <th>{t("drills.timing.phase")}</th>
            <th>{t("drills.timing.at")}</th>
            <th>{t("drills.timing.took")}</th>
          </tr>
        </thead>
        <tbody>
          {phases.map(({ phase, at }, index) => (
            <tr key={phase}>
              <th scope="row">{t(`drills.timing.name.${phase}`)}</th>
              <td>
                {at === null ? (
                  <span className="muted">{t("drills.timing.notReached")}</span>
                ) : (
                  <Moment at={at} shape="time" />
                )}
              </td>
              <td>
                <span className="row tight">
                  <span className="num">{lengthOf(at, phases[index - 1]?.at ?? null)}</span>
                  {phase === stuck ? (
                    <Mark tone="warn" icon={Hourglass}>
                      {t("drills.timing.stuck")}
                    </Mark>
                  ) : null}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="timing-sum row">
        <Total timing={timing} />
      </p>
      <p className="timing-sum muted small">{t(isLed ? "drills.led.clock" : "drills.timing.clock")}</p>
    </>
  );
}

const lengthOf = (at: number | null, before: number | null): string =>
  at === null || before === null ? "" : formatDuration(at - before);

function Total({ timing: { totalMs, targetMs, beforeMs } }: { timing: DrillTiming }) {
  const { t } = useTranslation();
  const target = formatDuration(targetMs);
  if (totalMs === null)
    return (
      <Mark tone="warn" icon={Timer}>
        {t("drills.timing.open", { target })}
      </Mark>
    );
  const isWithin = totalMs <= targetMs;
  const compared =
    beforeMs === null ? "first" : totalMs === beforeMs ? "same" : totalMs < beforeMs ? "faster" : "slower";
  const by = formatDuration(Math.abs(totalMs - (beforeMs ?? totalMs)));
  return (
    <>
      <span className="num">{t("drills.timing.total", { total: formatDuration(totalMs) })}</span>
      <Mark tone={isWithin ? "ok" : "bad"} icon={isWithin ? CircleCheck : Timer}>
        {t(isWithin ? "drills.timing.within" : "drills.timing.over", { target })}
      </Mark>
      <span>{t(`drills.timing.${compared}`, { by })}</span>
    </>
  );
}
