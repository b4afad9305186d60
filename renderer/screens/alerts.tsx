import { BellOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import { AnswerGate } from "../components/AnswerGate";
import { Moment } from "../components/Moments";
import { Empty, Panel } from "../components/Panel";
import { ScreenHeading } from "../components/ScreenHeading";
import { type AlertsView, type OpenAlertView, useAlerts } from "../stores/alerts";
import { AlertCard } from "./alerts/alert-card";
import { DoneAlerts } from "./alerts/done-alerts";

const URGENCIES = ["five_minutes", "one_hour", "working_hours"] as const;

/** The inbox: what somebody has to act on, by when, with everything needed for it; and what was told lately. */
export function Alerts({ alertId }: { alertId: string | null }) {
  const { t } = useTranslation();
  const answer = useAlerts((state) => state.answer);
  return (
    <>
      <header className="head">
        <div className="row">
          <ScreenHeading>{t("alerts.title")}</ScreenHeading>
          <span className="muted">{t("alerts.lead")}</span>
        </div>
      </header>
      <AnswerGate answer={answer} empty={t("alerts.empty")}>
        {(inbox) => (
          <div className="stack wide">
            <NotifierNotice notifier={inbox.notifier} />
            <Panel title={t("alerts.open")} flush>
              {inbox.open.length === 0 ? <Empty>{t("alerts.empty")}</Empty> : null}
              <div data-list>
                {URGENCIES.map((urgency) => (
                  <Urgency
                    key={urgency}
                    urgency={urgency}
                    alertId={alertId}
                    alerts={inbox.open.filter((alert) => alert.urgency === urgency)}
                  />
                ))}
              </div>
            </Panel>
            <DoneAlerts done={inbox.done} />
          </div>
        )}
      </AnswerGate>
    </>
  );
}

function Urgency({
  urgency,
  alerts,
  alertId,
}: {
  urgency: (typeof URGENCIES)[number];
  alerts: readonly OpenAlertView[];
  alertId: string | null;
}) {
  const { t } = useTranslation();
  if (alerts.length === 0) return null;
  const heading = t(`alerts.urgency.${urgency}`);
  return (
    <section aria-label={heading}>
      <h3 className="sub">{heading}</h3>
      <ul className="rows">
        {alerts.map((alert) => (
          <li key={alert.id}>
            <AlertCard alert={alert} isAsked={alert.id === alertId} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Whoever counts on being told outside of the window has to know when they are not. */
function NotifierNotice({ notifier: { state, at } }: { notifier: AlertsView["notifier"] }) {
  const { t } = useTranslation();
  if (state === "untried" || state === "works") return null;
  return (
    <p className="notice tone-warn row tight" role="status">
      <BellOff size={16} aria-hidden />
      <span>{t(`alerts.notifier.${state}`)}</span>
      {at === null ? null : <Moment at={at} />}
    </p>
  );
}
