import { useTranslation } from "react-i18next";
import { Empty, Panel } from "../../components/Panel";
import { StateBadge } from "../../components/StateBadge";
import { formatMoment, formatZoned } from "../../format";
import type { Language } from "../../i18n";
import { useZone } from "../../stores/clock";
import { type DrillResult, type DrillScenario, useDrills } from "../../stores/drills";
import { DrillMark, verdictOf } from "./drill-mark";

/** What was played last, newest first: when, which, and what it came to. */
export function LastDrills({
  results,
  scenarios,
}: {
  results: readonly DrillResult[];
  scenarios: readonly DrillScenario[];
}) {
  const { t } = useTranslation();
  return (
    <Panel title={t("drills.results.title")} flush className="last-drills">
      {results.length === 0 ? (
        <Empty>{t("drills.results.empty")}</Empty>
      ) : (
        <table className="table compact">
          <thead>
            <tr>
              <th>{t("drills.results.when")}</th>
              <th>{t("drills.results.which")}</th>
              <th>{t("drills.results.result")}</th>
            </tr>
          </thead>
          <tbody>
            {results.map((result) => (
              <Row key={result.run} result={result} scenario={scenarios.find(({ id }) => id === result.scenario)} />
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function Row({ result, scenario }: { result: DrillResult; scenario: DrillScenario | undefined }) {
  const { t, i18n } = useTranslation();
  const zone = useZone();
  const choose = useDrills((state) => state.choose);
  return (
    <tr>
      <td className="nowrap">
        <time
          className="num"
          dateTime={new Date(result.startedAt).toISOString()}
          title={formatZoned(result.startedAt, zone)}
        >
          {formatMoment(result.startedAt, zone, "short")}
        </time>
      </td>
      <td>
        <button
          type="button"
          className="linklike"
          aria-label={t("drills.results.open", { id: result.scenario })}
          onClick={() => choose(result.scenario)}
        >
          <span className="mono">{result.scenario}</span>
        </button>{" "}
        {scenario?.title[i18n.language as Language]}
      </td>
      <td>
        <span className="row tight">
          <DrillMark standing={verdictOf(result)} />
          {result.facts === null ? null : <StateBadge state={result.facts.state} />}
        </span>
      </td>
    </tr>
  );
}
