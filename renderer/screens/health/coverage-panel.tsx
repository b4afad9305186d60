import { CircleCheck, Hand } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Panel } from "../../components/Panel";
import { Mark } from "../../components/StateBadge";
import { formatNumber } from "../../format";
import type { HealthView } from "../../stores/health";
import { wordFor } from "../../words";
import { formatShare, valueWords } from "./metric-value";

type Coverage = HealthView["coverage"][number];

/** How much of each pipeline's writing cannot happen twice unseen, and whether it therefore may repeat a call by itself. */
export function CoveragePanel({ health: { coverage, coverageNeeded } }: { health: HealthView }) {
  const { t } = useTranslation();
  return (
    <Panel title={t("health.coverage.title")}>
      <div className="stack">
        <p className="small muted">{t("health.coverage.means", { needed: formatShare(coverageNeeded) })}</p>
        {coverage.map((pipeline) => (
          <Pipeline key={pipeline.pipeline} coverage={pipeline} />
        ))}
      </div>
    </Panel>
  );
}

function Pipeline({ coverage }: { coverage: Coverage }) {
  const { t } = useTranslation();
  const { pipeline, version, share, covered, of, steps, retriesByItself, undo } = coverage;
  return (
    <div className="stack tight">
      <div className="row">
        <b>{t("health.coverage.pipeline", { pipeline, version: formatNumber(version) })}</b>
        <span className="num">{valueWords("percent", share)}</span>
        <WritesOf covered={covered} of={of} />
      </div>
      <Mark tone={retriesByItself ? "ok" : "warn"} icon={retriesByItself ? CircleCheck : Hand}>
        {t(retriesByItself ? "health.coverage.automatic" : "health.coverage.manual")}
      </Mark>
      <Undo undo={undo} />
      <dl className="facts-of">
        {steps.map((step) => (
          <Step key={step.step} step={step} />
        ))}
      </dl>
    </div>
  );
}

/** What people can take of failed undos in a day: past it the next one is theirs from the beginning. */
function Undo({ undo: { failures, limit, owner, isWithheld } }: { undo: Coverage["undo"] }) {
  const { t } = useTranslation();
  const counts = { failures: formatNumber(failures), limit: formatNumber(limit), owner: wordFor("owner", owner) };
  return (
    <Mark tone={isWithheld ? "bad" : "neutral"} icon={isWithheld ? Hand : CircleCheck}>
      {t(isWithheld ? "health.coverage.withheld" : "health.coverage.undoes", counts)}
    </Mark>
  );
}

function Step({ step }: { step: Coverage["steps"][number] }) {
  const { t } = useTranslation();
  return (
    <>
      <dt>{wordFor("state", step.step)}</dt>
      <dd className="num">
        {valueWords("percent", step.share)} <WritesOf covered={step.covered} of={step.of} />
        {step.uncovered.length === 0 ? null : (
          <span className="small wrap mono">
            {" "}
            {t("health.coverage.uncovered", { writes: step.uncovered.join(" · ") })}
          </span>
        )}
      </dd>
    </>
  );
}

function WritesOf({ covered, of }: { covered: number; of: number }) {
  const { t } = useTranslation();
  return (
    <span className="small muted num">
      {t("health.coverage.of", { covered: formatNumber(covered), of: formatNumber(of) })}
    </span>
  );
}
