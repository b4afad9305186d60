import { Button } from "@mantine/core";
import { Siren } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Ago, Moment } from "../../components/Moments";
import { useNav } from "../../stores/nav";
import type { RunView } from "../../stores/run";
import { wordFor } from "../../words";
import { ExportEvidence } from "./export-evidence";

type Incident = RunView["incidents"][number];

/** An open incident at its edition: what is affected, since when, what is being done, and the way to its runbook and its end. */
export function IncidentBox({ run, incident }: { run: RunView; incident: Incident }) {
  const { t } = useTranslation();
  const go = useNav((state) => state.go);
  const title = `incident-${incident.id}`;
  return (
    <section className="panel attention tone-bad" aria-labelledby={title}>
      <header>
        <h2 id={title} className="row tight">
          <Siren size={16} aria-hidden />
          {t("incident.one", { kind: wordFor("incident.kind", incident.kind) })}
        </h2>
      </header>
      <div className="body two-sides">
        <dl className="facts-of">
          <dt>{t("compensation.incident.affected")}</dt>
          <dd className="mono wrap">
            {incident.scope === "all" ? wordFor("incident.scope", "all") : incident.scopeValue}
          </dd>
          <dt>{t("compensation.incident.since")}</dt>
          <dd>
            <Moment at={incident.openedAt} /> <Ago at={incident.openedAt} />
          </dd>
          <dt>{t("compensation.incident.doing")}</dt>
          <dd>{t("compensation.incident.frozen")}</dd>
        </dl>
        <div className="stack">
          {incident.objects.length === 0 ? null : (
            <section className="stack tight">
              <h3>{t("compensation.incident.objects")}</h3>
              <ul className="stack tight">
                {incident.objects.map((object) => (
                  <li key={object.remoteId}>
                    <b className="num">{t("run.unknown.object", { id: object.remoteId })}</b>{" "}
                    <span className="muted small">{t("run.unknown.remoteState", { state: object.state })}</span>
                    {object.url === null ? null : <p className="mono small wrap">{object.url}</p>}
                  </li>
                ))}
              </ul>
            </section>
          )}
          <div className="row">
            <Button variant="filled" onClick={() => go({ screen: "incidents", incidentId: incident.id })}>
              {t("compensation.incident.open")}
            </Button>
            <ExportEvidence
              subject={{ incidentId: incident.id, taskId: run.taskId }}
              words={t("audit.export.openIncident")}
              title={t("audit.export.titleIncident", { edition: run.edition })}
            />
          </div>
        </div>
      </div>
    </section>
  );
}
