import { useTranslation } from "react-i18next";
import { Panel } from "../../components/Panel";
import { formatDuration, formatNumber } from "../../format";
import type { HealthView } from "../../stores/health";
import { wordFor } from "../../words";

/** How often and how long each tool may try, and what the live editions have used of their calls. */
export function BudgetsPanel({ budgets: { policies, tasks } }: { budgets: HealthView["budgets"] }) {
  const { t } = useTranslation();
  return (
    <Panel title={t("health.budgets.title")}>
      <dl className="facts-of">
        {tasks.map(({ taskId, edition, used, of }) => (
          <Line key={taskId} name={edition}>
            {t("health.budgets.used", { used: formatNumber(used), of: formatNumber(of) })}
          </Line>
        ))}
        {policies.map(({ tool, maxCalls, callTimeoutMs, stepMs, longestWaitMs }) => (
          <Line key={tool} name={wordFor("health.tool", tool)}>
            {t("health.budgets.calls", {
              calls: formatNumber(maxCalls),
              call: formatDuration(callTimeoutMs),
              step: formatDuration(stepMs),
              wait: formatDuration(longestWaitMs),
            })}
          </Line>
        ))}
      </dl>
      {tasks.length === 0 ? <p className="small muted">{t("health.budgets.noTasks")}</p> : null}
    </Panel>
  );
}

function Line({ name, children }: { name: string; children: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="num">{children}</dd>
    </>
  );
}
