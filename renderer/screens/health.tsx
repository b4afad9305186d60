import { SegmentedControl } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { AnswerGate } from "../components/AnswerGate";
import { Panel } from "../components/Panel";
import { ScreenHeading } from "../components/ScreenHeading";
import { formatNumber } from "../format";
import { type HealthView, useHealth } from "../stores/health";
import { BreakersPanel } from "./health/breakers-panel";
import { BudgetsPanel } from "./health/budgets-panel";
import { CoveragePanel } from "./health/coverage-panel";
import { JournalPanel } from "./health/journal-panel";
import { MetricRow } from "./health/metric-row";
import { PreflightPanel } from "./health/preflight-panel";

const PERIODS = [7, 30, 90] as const;

/** The metrics, each with its meaning and denominator, and beside them what holds or limits the workspace right now. */
export function Health() {
  const { t } = useTranslation();
  const answer = useHealth((state) => state.answer);
  return (
    <>
      <header className="head">
        <div className="row">
          <ScreenHeading>{t("health.title")}</ScreenHeading>
          <span className="muted">{t("health.lead")}</span>
        </div>
      </header>
      <AnswerGate answer={answer} empty={t("health.empty")}>
        {(health) => (
          <div className="health-grid">
            <Metrics health={health} />
            <div className="stack wide">
              <JournalPanel health={health} />
              <PreflightPanel preflight={health.preflight} />
              <CoveragePanel health={health} />
              <BreakersPanel breakers={health.breakers} />
              <BudgetsPanel budgets={health.budgets} />
            </div>
          </div>
        )}
      </AnswerGate>
    </>
  );
}

function Metrics({ health }: { health: HealthView }) {
  const { t } = useTranslation();
  return (
    <Panel title={t("health.metrics")} flush actions={<Period />}>
      <ul className="rows" data-list>
        {health.metrics.map((metric) => (
          <MetricRow key={metric.id} metric={metric} />
        ))}
      </ul>
    </Panel>
  );
}

function Period() {
  const { t } = useTranslation();
  const days = useHealth((state) => state.days);
  const choose = useHealth((state) => state.choose);
  return (
    <SegmentedControl
      size="xs"
      aria-label={t("health.period")}
      value={String(days)}
      onChange={(value) => void choose(PERIODS.find((period) => String(period) === value) ?? 90)}
      data={PERIODS.map((period) => ({
        value: String(period),
        label: t("health.days", { days: formatNumber(period) }),
      }))}
    />
  );
}
