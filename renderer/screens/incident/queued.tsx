import { Button } from "@mantine/core";
import { Wifi } from "lucide-react";
import { useTranslation } from "react-i18next";
import { shortenHashes } from "../../components/HashChip";
import { Moment } from "../../components/Moments";
import { Empty, Panel } from "../../components/Panel";
import { OperationBadge } from "../../components/StateBadge";
import { useCommands } from "../../stores/commands";
import type { IncidentView } from "../../stores/incidents";
import { useSaidIn } from "./said-in";

/** What needs the network, as visible next steps: the looks are made by themselves once it is there, the rest are a person's. */
export function Queued({ incident }: { incident: IncidentView }) {
  const { t } = useTranslation();
  const said = useSaidIn();
  const steps = incident.runbook.steps.filter((step) => step.needsNetwork && step.passed === null);
  const { queued } = incident;
  return (
    <Panel title={t("incident.queued.title")}>
      <div className="stack">
        <p className="muted small">{t("incident.queued.lead")}</p>
        {queued.length + steps.length === 0 ? <Empty>{t("incident.queued.none")}</Empty> : null}
        <ul className="stack tight">
          {queued.map((look) => (
            <li key={look.operationId} className="row tight">
              <OperationBadge state={look.state} />
              <span className="mono small wrap">{t("incident.queued.look", { key: shortenHashes(look.key) })}</span>
              {look.at === null ? (
                <span className="muted small">{t("incident.queued.whenBack")}</span>
              ) : (
                <span className="muted small">
                  <Moment at={look.at} />
                </span>
              )}
              <LookNow incident={incident} operationId={look.operationId} />
            </li>
          ))}
        </ul>
        {steps.length === 0 ? null : (
          <ul className="stack tight" aria-label={t("incident.queued.steps")}>
            {steps.map((step) => (
              <li key={step.id} className="row tight incident-waits">
                <Wifi size={13} aria-hidden />
                <span className="wrap small">{shortenHashes(said(step.words))}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Panel>
  );
}

function LookNow({ incident, operationId }: { incident: IncidentView; operationId: string }) {
  const { t } = useTranslation();
  const busy = useCommands((state) => state.busy["run.lookNow"] === true);
  const send = useCommands((state) => state.send);
  const { taskId } = incident;
  if (taskId === null) return null;
  return (
    <Button
      size="compact-xs"
      loading={busy}
      onClick={() => void send("run.lookNow", { taskId, operationId }, t("incident.queued.label"))}
    >
      {t("incident.queued.now")}
    </Button>
  );
}
