import { useTranslation } from "react-i18next";
import { CopyLine, HashChip } from "../../components/HashChip";
import { Moment } from "../../components/Moments";
import { Mark } from "../../components/StateBadge";
import type { UndoEntry } from "../../stores/compensation";
import { wordFor, wordOrText } from "../../words";
import { stepLook } from "./undo-look";

type Step = UndoEntry["steps"][number];

/** The steps of an entry in their order; each is done once and never again. */
export function EntrySteps({ entry }: { entry: UndoEntry }) {
  const { t } = useTranslation();
  return (
    <section className="stack tight">
      <h4>{t("compensation.entry.steps")}</h4>
      <ol className="undo-steps">
        {entry.steps.map((step) => (
          <li key={step.name} className="stack tight">
            <StepLine step={step} isClosed={entry.status === "closed"} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function StepLine({ step, isClosed }: { step: Step; isClosed: boolean }) {
  const { t } = useTranslation();
  const look = stepLook(step.state);
  const word = isClosed && step.state !== "done" ? "left" : step.state;
  return (
    <>
      <span className="row tight">
        <Mark tone={look.tone} icon={look.icon}>
          {t(`compensation.stepState.${word}`)}
        </Mark>
        <span>{wordFor("compensation.step", step.name)}</span>
        <span className="muted small">{t(`compensation.stepKind.${step.kind}`)}</span>
      </span>
      <StepResult step={step} />
    </>
  );
}

/** What the step came to, with what was seen and where it is kept. */
function StepResult({ step }: { step: Step }) {
  const { t } = useTranslation();
  if (step.at === null && step.operationKey === null) return null;
  const { seen } = step;
  return (
    <span className="row tight small undo-result">
      {step.at === null ? null : <Moment at={step.at} shape="time" />}
      {step.how === null ? null : <span>{t(`compensation.how.${step.how}`)}</span>}
      {step.code === null ? null : <span>{wordOrText("compensation.code", step.code)}</span>}
      {seen?.httpStatus == null ? null : <span>{t("compensation.entry.http", { status: seen.httpStatus })}</span>}
      {step.evidence.map((hash) => (
        <HashChip key={hash} hash={hash} of="capture" />
      ))}
      {step.operationKey === null ? null : (
        <CopyLine value={step.operationKey} what={t("compensation.entry.undoKey")} />
      )}
    </span>
  );
}
