import { useTranslation } from "react-i18next";
import { Moment } from "../../components/Moments";
import { Empty, Panel } from "../../components/Panel";
import type { AlertsView } from "../../stores/alerts";
import { actorWord } from "../../words";
import { alertTitle } from "./alert-words";

/** What was told and is done with: acknowledged by whom, or over by itself. */
export function DoneAlerts({ done }: { done: AlertsView["done"] }) {
  const { t } = useTranslation();
  return (
    <Panel title={t("alerts.done.title")} flush>
      {done.length === 0 ? <Empty>{t("alerts.done.empty")}</Empty> : null}
      <ul className="rows" aria-label={t("alerts.done.title")}>
        {done.map((alert) => (
          <li key={alert.id} className="alert-done">
            <span className="row tight">
              <b>{alertTitle(alert.code)}</b>
              <span className="num edition">{alert.edition}</span>
            </span>
            <span className="row tight small muted">
              <span>
                {t("alerts.facts.raised")} <Moment at={alert.at} />
              </span>
              {alert.toldAt === null ? (
                <span>{t("alerts.done.untold")}</span>
              ) : (
                <span>
                  {t("alerts.told")} <Moment at={alert.toldAt} />
                </span>
              )}
              {alert.escalatedAt === null ? null : <span>{t("alerts.escalated")}</span>}
            </span>
            <span className="row tight small">
              {alert.by === null ? t("alerts.done.over") : t("alerts.done.by", { who: actorWord(alert.by) })}
              <Moment at={alert.endedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
