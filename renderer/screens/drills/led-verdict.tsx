import { CircleCheck, CircleX, Hourglass } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Panel } from "../../components/Panel";
import { Mark } from "../../components/StateBadge";
import { formatDuration } from "../../format";
import type { DrillLed } from "../../stores/drills";
import { choiceId, choiceWords } from "./led-words";

/** What the person decided, in order: as the scenario expects it or not, how long it took, and where they stuck. */
export function LedVerdict({ led: { decisions } }: { led: DrillLed }) {
  const { t } = useTranslation();
  const wrong = decisions.filter(({ isRight }) => !isRight).length;
  const longestMs = Math.max(0, ...decisions.map(({ tookMs }) => tookMs));
  const stuck = decisions.findIndex(({ tookMs }) => tookMs === longestMs);
  return (
    <Panel title={t("drills.led.verdict")} flush>
      <p className="timing-sum">
        <Mark tone={wrong === 0 ? "ok" : "bad"} icon={wrong === 0 ? CircleCheck : CircleX}>
          {wrong === 0 ? t("drills.led.allRight") : t("drills.led.wrong", { count: wrong })}
        </Mark>
      </p>
      <table className="table compact">
        <thead>
          <tr>
            <th>{t("drills.led.decision")}</th>
            <th>{t("drills.led.expected")}</th>
            <th>{t("drills.timing.took")}</th>
          </tr>
        </thead>
        <tbody>
          {decisions.map(({ what, choice, isRight, tookMs }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same may be decided twice, and nothing is ever moved
            <tr key={`${index} ${choiceId(choice)}`}>
              <th scope="row">{choiceWords(what, choice)}</th>
              <td>
                <Mark tone={isRight ? "ok" : "bad"} icon={isRight ? CircleCheck : CircleX}>
                  {t(isRight ? "drills.led.isRight" : "drills.led.isWrong")}
                </Mark>
              </td>
              <td>
                <span className="row tight">
                  <span className="num">{formatDuration(tookMs)}</span>
                  {index === stuck && longestMs > 0 ? (
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
    </Panel>
  );
}
