import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CopyLine } from "../../components/HashChip";
import { Panel } from "../../components/Panel";
import type { IncidentView } from "../../stores/incidents";
import { wordFor } from "../../words";
import { useSaidIn } from "./said-in";
import { StepCard } from "./step-card";

/** Beside the quick stop, in the order in which they are read once the stop has been made. */
const PARTS = ["symptom", "impact", "cause", "recovery", "verification", "escalation"] as const;

/** The runbook: how to stop it first, then its steps by phase with their clocks. */
export function RunbookPanel({ incident }: { incident: IncidentView }) {
  const { t } = useTranslation();
  const said = useSaidIn();
  const { runbook } = incident;
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = chosen ?? runbook.next;
  return (
    <Panel
      title={t("incident.runbook.title")}
      flush
      actions={<span className="muted num">{t("incident.runbook.version", { version: runbook.version })}</span>}
    >
      <div className="notice tone-bad incident-stop">
        <b>{t("incident.runbook.quickStop")}</b> <span className="wrap">{said(runbook.parts["quickStop"])}</span>
      </div>
      <details className="incident-parts">
        <summary>{t("incident.runbook.parts")}</summary>
        <dl className="facts-of">
          {PARTS.map((part) => (
            <Part key={part} name={wordFor("incident.runbook.part", part)} text={said(runbook.parts[part])} />
          ))}
        </dl>
      </details>
      <ol className="rows" data-list>
        {runbook.steps.map((step, index) => (
          <StepCard
            key={step.id}
            incident={incident}
            step={step}
            number={index + 1}
            isFirstOfPhase={runbook.steps[index - 1]?.phase !== step.phase}
            isShown={step.id === shown}
            onShow={() => setChosen(step.id)}
            onPassed={() => setChosen(null)}
          />
        ))}
      </ol>
    </Panel>
  );
}

function Part({ name, text }: { name: string; text: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="wrap">
        <CopyLine value={text} what={name} />
      </dd>
    </>
  );
}
