import { ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { AnswerGate } from "../components/AnswerGate";
import { Ago, Moment } from "../components/Moments";
import { Empty, Panel } from "../components/Panel";
import { ScreenHeading } from "../components/ScreenHeading";
import { type IncidentsView, useIncidents } from "../stores/incidents";
import { useNav } from "../stores/nav";
import { wordFor } from "../words";
import { OpenByHand } from "./incident/open-by-hand";

type Listed = IncidentsView["incidents"][number];

/** Every incident, open ones first; and the way to open one by hand. */
export function Incidents() {
  const { t } = useTranslation();
  const answer = useIncidents((state) => state.list);
  return (
    <>
      <header className="head">
        <div className="row">
          <ScreenHeading>{t("incident.title")}</ScreenHeading>
          <span className="muted">{t("incident.lead")}</span>
        </div>
      </header>
      <AnswerGate answer={answer} empty={t("incident.empty")}>
        {({ incidents, places }) => (
          <div className="incident-grid">
            <div className="stack wide" data-list>
              <Group
                title={t("incident.open")}
                none={t("incident.noneOpen")}
                rows={incidents.filter(({ closedAt }) => closedAt === null)}
              />
              <Group
                title={t("incident.closed")}
                none={t("incident.noneClosed")}
                rows={incidents.filter(({ closedAt }) => closedAt !== null)}
              />
            </div>
            <OpenByHand places={places} />
          </div>
        )}
      </AnswerGate>
    </>
  );
}

function Group({ title, none, rows }: { title: string; none: string; rows: readonly Listed[] }) {
  return (
    <Panel title={title} flush>
      {rows.length === 0 ? <Empty>{none}</Empty> : null}
      <ul className="rows">
        {rows.map((row) => (
          <li key={row.id}>
            <IncidentRow row={row} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function IncidentRow({ row }: { row: Listed }) {
  const { t } = useTranslation();
  const go = useNav((state) => state.go);
  const { id, kind, rule, scope, edition, openedAt, closedAt } = row;
  return (
    <button
      type="button"
      data-row
      className={`rowbutton incident-row tone-${closedAt === null ? "bad" : "neutral"}`}
      onClick={() => go({ screen: "incidents", incidentId: id })}
    >
      <span className="stack tight">
        <span className="row tight">
          <b>{wordFor("incident.kind", kind)}</b>
          <span className="num edition">{edition ?? t("incident.ofJournal")}</span>
        </span>
        <span className="muted">
          {wordFor("incident.rule", rule)} · {wordFor("incident.scope", scope)}
        </span>
      </span>
      <span className="stack tight small due">
        <Moment at={closedAt ?? openedAt} />
        <span className="muted">
          <Ago at={closedAt ?? openedAt} />
        </span>
      </span>
      <ChevronRight size={16} aria-hidden className="muted" />
    </button>
  );
}
