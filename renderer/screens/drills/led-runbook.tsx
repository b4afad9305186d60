import { useTranslation } from "react-i18next";
import { shortenHashes } from "../../components/HashChip";
import { Empty, Panel } from "../../components/Panel";
import type { DrillQuestion } from "../../stores/drills";
import { wordFor } from "../../words";
import { useSaidIn } from "../incident/said-in";

type Runbook = NonNullable<DrillQuestion["runbook"]>;
const PARTS = ["symptom", "impact", "cause", "recovery", "verification", "escalation"] as const;

/** The runbook of the case with its facts filled in, to be read: in a drill nothing of it is ticked. */
export function LedRunbook({ runbook, isFrozen }: { runbook: Runbook | null; isFrozen: boolean }) {
  const { t } = useTranslation();
  if (runbook === null)
    return (
      <Panel title={t("incident.runbook.title")}>
        <Empty>{t("drills.led.noRunbook")}</Empty>
      </Panel>
    );
  return (
    <Panel
      title={t("drills.led.runbook", { kind: wordFor("incident.kind", runbook.kind) })}
      flush
      actions={<span className="muted num">{t("incident.runbook.version", { version: runbook.version })}</span>}
    >
      <Parts runbook={runbook} isFrozen={isFrozen} />
      <ol className="led-steps">
        {runbook.steps.map((step, index) => (
          <li key={step.id} className="stack tight">
            {runbook.steps[index - 1]?.phase === step.phase ? null : (
              <h3 className="sub">{wordFor("incident.runbook.phase", step.phase)}</h3>
            )}
            <Step step={step} />
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function Parts({ runbook: { parts }, isFrozen }: { runbook: Runbook; isFrozen: boolean }) {
  const { t } = useTranslation();
  const said = useSaidIn();
  return (
    <>
      <div className="notice tone-bad incident-stop">
        <b>{t("incident.runbook.quickStop")}</b> <span className="wrap">{shortenHashes(said(parts["quickStop"]))}</span>
      </div>
      {isFrozen ? null : <p className="muted small led-parts">{t("drills.led.notFrozen")}</p>}
      <dl className="facts-of led-parts">
        {PARTS.map((part) => (
          <Part key={part} name={wordFor("incident.runbook.part", part)} text={said(parts[part])} />
        ))}
      </dl>
    </>
  );
}

function Part({ name, text }: { name: string; text: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{shortenHashes(text)}</dd>
    </>
  );
}

function Step({ step }: { step: Runbook["steps"][number] }) {
  const { t } = useTranslation();
  const said = useSaidIn();
  const who = wordFor("incident.runbook.who", step.who);
  return (
    <>
      <p className="wrap">{shortenHashes(said(step.words))}</p>
      <p className="small muted">{t("incident.runbook.within", { who, minutes: step.withinMinutes })}</p>
      {step.branches.map((branch) => (
        <p key={branch.id} className="small wrap">
          {t("incident.runbook.branch", { branch: said(branch.words) })}
        </p>
      ))}
    </>
  );
}
