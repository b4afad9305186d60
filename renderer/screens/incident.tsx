import { Button } from "@mantine/core";
import { CircleCheck, Siren } from "lucide-react";
import { useTranslation } from "react-i18next";
import { AnswerGate } from "../components/AnswerGate";
import { BackButton } from "../components/BackButton";
import { ScreenHeading } from "../components/ScreenHeading";
import { Mark } from "../components/StateBadge";
import { type IncidentView, useIncidents } from "../stores/incidents";
import { useNav } from "../stores/nav";
import { wordFor } from "../words";
import { CloseBox } from "./incident/close-box";
import { Drafts } from "./incident/drafts";
import { Queued } from "./incident/queued";
import { RunbookPanel } from "./incident/runbook-panel";
import { ThreeFacts } from "./incident/three-facts";
import { TimelineOf } from "./incident/timeline";

/** One incident: three facts in fixed places, then the runbook. All of it is there without a network. */
export function Incident({ incidentId }: { incidentId: string }) {
  const { t } = useTranslation();
  const answer = useIncidents((state) => state.one);
  const value = answer.value?.id === incidentId ? answer.value : null;
  return (
    <>
      <header className="head">
        <div className="row">
          <BackButton to={{ screen: "incidents" }}>{t("incident.toList")}</BackButton>
          <ScreenHeading>
            {value === null ? t("incident.title") : t("incident.one", { kind: wordFor("incident.kind", value.kind) })}
          </ScreenHeading>
          {value === null ? null : <Standing incident={value} />}
        </div>
      </header>
      <AnswerGate answer={{ ...answer, value }} empty={t("incident.gone")}>
        {(incident) => <Everything incident={incident} />}
      </AnswerGate>
    </>
  );
}

function Standing({ incident }: { incident: IncidentView }) {
  const { t } = useTranslation();
  const go = useNav((state) => state.go);
  const { taskId, edition, closedAt } = incident;
  return (
    <>
      {closedAt === null ? (
        <Mark tone="bad" icon={Siren}>
          {t("incident.open")}
        </Mark>
      ) : (
        <Mark tone="ok" icon={CircleCheck}>
          {t("incident.closed")}
        </Mark>
      )}
      {taskId === null ? null : (
        <Button size="compact-sm" onClick={() => go({ screen: "run", taskId })}>
          {t("menu.openRun", { edition })}
        </Button>
      )}
    </>
  );
}

function Everything({ incident }: { incident: IncidentView }) {
  return (
    <>
      <ThreeFacts incident={incident} />
      <div className="incident-grid">
        <RunbookPanel incident={incident} />
        <div className="stack wide">
          {incident.closedAt === null ? <Queued incident={incident} /> : null}
          {incident.closedAt === null ? <CloseBox key={incident.id} incident={incident} /> : null}
          <TimelineOf incident={incident} />
          <Drafts incident={incident} />
        </div>
      </div>
    </>
  );
}
