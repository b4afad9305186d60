import { Button } from "@mantine/core";
import { AlarmClock, ArrowUpRight, Check, Moon, UserRoundPlus } from "lucide-react";
import { useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Ago, Countdown, Moment } from "../../components/Moments";
import { Mark } from "../../components/StateBadge";
import type { OpenAlertView } from "../../stores/alerts";
import { useCommands } from "../../stores/commands";
import { useNav } from "../../stores/nav";
import { AlertFacts } from "./alert-facts";
import { alertTitle, alertTodo } from "./alert-words";

/** One open alert: what happened, what to do by when, everything needed for it, and a person's three answers. */
export function AlertCard({ alert, isAsked }: { alert: OpenAlertView; isAsked: boolean }) {
  const { t } = useTranslation();
  const id = useId();
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    // Whoever came by a notification stands at the alert that it was about.
    if (!isAsked) return;
    card.current?.scrollIntoView({ block: "nearest" });
    card.current?.focus();
  }, [isAsked]);
  return (
    <article
      ref={card}
      data-row
      tabIndex={-1}
      className={`alert-card tone-${alert.urgency === "five_minutes" ? "bad" : "warn"}`}
      aria-labelledby={id}
    >
      <header className="row tight">
        <h4 id={id}>
          {alertTitle(alert.code)} <span className="num edition">{alert.edition}</span>
        </h4>
        {alert.times > 1 ? <span className="num muted">{t("alerts.times", { count: alert.times })}</span> : null}
        <Standing alert={alert} />
        <span className="due">
          <Countdown until={alert.actBy} />
        </span>
      </header>
      <p className="alert-todo">{alertTodo(alert)}</p>
      <AlertFacts alert={alert} />
      <Answers alert={alert} />
    </article>
  );
}

/** How far the alert is: told, gone to the backup owner, silent until. */
function Standing({ alert: { toldAt, escalatedAt, snoozedUntil } }: { alert: OpenAlertView }) {
  const { t } = useTranslation();
  return (
    <>
      {escalatedAt === null ? null : (
        <Mark tone="bad" icon={UserRoundPlus}>
          {t("alerts.escalated")} <Ago at={escalatedAt} />
        </Mark>
      )}
      {snoozedUntil === null ? null : (
        <Mark tone="neutral" icon={Moon}>
          {t("alerts.snoozedUntil")} <Moment at={snoozedUntil} />
        </Mark>
      )}
      {toldAt === null ? (
        <span className="muted small">{t("alerts.notToldYet")}</span>
      ) : (
        <span className="muted small">
          {t("alerts.told")} <Ago at={toldAt} />
        </span>
      )}
    </>
  );
}

function Answers({ alert }: { alert: OpenAlertView }) {
  const { t } = useTranslation();
  const go = useNav((state) => state.go);
  const send = useCommands((state) => state.send);
  const acknowledging = useCommands((state) => state.busy["alerts.acknowledge"] === true);
  const snoozing = useCommands((state) => state.busy["alerts.snooze"] === true);
  const { taskId, id: alertId, edition, itemId } = alert;
  const snooze = (span: "hour" | "morning") =>
    void send("alerts.snooze", { taskId, alertId, span }, t("alerts.answer.snooze"));
  const title = alertTitle(alert.code);
  return (
    <fieldset className="row tight alert-answers" aria-label={t("alerts.answer.group", { title, edition })}>
      <Button
        size="compact-sm"
        variant="filled"
        loading={acknowledging}
        leftSection={<Check size={14} aria-hidden />}
        onClick={() => void send("alerts.acknowledge", { taskId, alertId, note: "" }, t("alerts.answer.acknowledge"))}
      >
        {t("alerts.answer.acknowledge")}
      </Button>
      <Button
        size="compact-sm"
        loading={snoozing}
        leftSection={<AlarmClock size={14} aria-hidden />}
        onClick={() => snooze("hour")}
      >
        {t("alerts.answer.hour")}
      </Button>
      <Button
        size="compact-sm"
        loading={snoozing}
        leftSection={<Moon size={14} aria-hidden />}
        onClick={() => snooze("morning")}
      >
        <span>
          {t("alerts.answer.morning")} <Moment at={alert.morningAt} />
        </span>
      </Button>
      {itemId === null ? null : (
        <Button
          size="compact-sm"
          leftSection={<ArrowUpRight size={14} aria-hidden />}
          onClick={() => go({ screen: "recovery", itemId })}
        >
          {t("alerts.answer.item")}
        </Button>
      )}
      <Button
        size="compact-sm"
        leftSection={<ArrowUpRight size={14} aria-hidden />}
        onClick={() => go({ screen: "run", taskId })}
      >
        {t("alerts.answer.run")}
      </Button>
    </fieldset>
  );
}
