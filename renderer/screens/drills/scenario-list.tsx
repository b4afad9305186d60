import { Button, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Empty, Panel } from "../../components/Panel";
import type { Language } from "../../i18n";
import {
  type DrillGroup,
  type DrillResult,
  type DrillScenario,
  isPlayedByPerson,
  useDrills,
} from "../../stores/drills";
import { DrillMark, verdictOf } from "./drill-mark";

/** The scenarios by group, each with what it came to last; filtered by `/`. */
export function ScenarioList({ groups, chosen }: { groups: readonly DrillGroup[]; chosen: string | null }) {
  const { t } = useTranslation();
  const search = useDrills((state) => state.search);
  const find = useDrills((state) => state.find);
  const shown = matching(groups, search);
  return (
    <Panel
      title={t("drills.list")}
      flush
      className="scenario-list"
      actions={<RunShown groups={groups} shown={shown} />}
    >
      <div className="tab-head">
        <TextInput
          className="grow"
          data-filter
          aria-label={t("drills.filter")}
          placeholder={t("drills.filterHint")}
          value={search}
          onChange={(event) => find(event.currentTarget.value)}
          rightSection={<kbd className="kbd">/</kbd>}
        />
      </div>
      {shown.length === 0 ? <Empty>{t("drills.none", { text: search })}</Empty> : null}
      <div className="scenario-scroll" data-list>
        {shown.map((group) => (
          <Group key={group.number} group={group} chosen={chosen} />
        ))}
      </div>
    </Panel>
  );
}

/** Numbers, titles and faults are looked through, in both languages. */
function matching(groups: readonly DrillGroup[], search: string): DrillGroup[] {
  const needle = search.trim().toLowerCase();
  const isFound = ({ id, title, fault }: DrillScenario) =>
    [id, ...Object.values(title), ...Object.values(fault)].some((text) => text.toLowerCase().includes(needle));
  return groups
    .map((group) => ({ ...group, scenarios: group.scenarios.filter(isFound) }))
    .filter((group) => group.scenarios.length > 0);
}

const idsOf = (groups: readonly DrillGroup[]): string[] =>
  groups.flatMap((group) => group.scenarios.map(({ id }) => id));

function RunShown({ groups, shown }: { groups: readonly DrillGroup[]; shown: readonly DrillGroup[] }) {
  const { t } = useTranslation();
  const isBusy = useDrills((state) => state.answer.value?.running !== null);
  const start = useDrills((state) => state.start);
  const [all, ids] = [idsOf(groups), idsOf(shown)];
  const label = ids.length === all.length ? "drills.runAll" : "drills.runShown";
  return (
    <Button size="compact-xs" disabled={isBusy || ids.length === 0} onClick={() => void start(ids)}>
      {t(label, { count: ids.length })}
    </Button>
  );
}

function Group({ group, chosen }: { group: DrillGroup; chosen: string | null }) {
  const { t, i18n } = useTranslation();
  const title = group.title[i18n.language as Language];
  const heading = group.number === 0 ? title : t("drills.group", { number: group.number, title });
  return (
    <section aria-label={heading}>
      <h3 className="sub">{heading}</h3>
      <ul className="rows">
        {group.scenarios.map((scenario) => (
          <li key={scenario.id}>
            <Row scenario={scenario} isChosen={scenario.id === chosen} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** One stop for Tab, the chosen one: the others are reached by j, k and the arrows. */
function Row({ scenario, isChosen }: { scenario: DrillScenario; isChosen: boolean }) {
  const { i18n } = useTranslation();
  const choose = useDrills((state) => state.choose);
  const isSecret = useDrills(({ answer }) => isPlayedByPerson(answer.value?.running ?? null, scenario.id));
  return (
    <button
      type="button"
      data-row
      className="rowbutton scenario-row"
      tabIndex={isChosen ? 0 : -1}
      aria-current={isChosen ? "true" : undefined}
      onClick={() => choose(scenario.id)}
    >
      <span className="mono muted">{scenario.id}</span>
      <span className="grow">{isSecret ? "…" : scenario.title[i18n.language as Language]}</span>
      <Standing scenario={scenario.id} />
    </button>
  );
}

function Standing({ scenario }: { scenario: string }) {
  const running = useDrills((state) => state.answer.value?.running ?? null);
  const last = useDrills((state) => lastOf(state.answer.value?.results, scenario));
  if (running?.scenario === scenario) return <DrillMark standing="running" />;
  if (running?.waiting.includes(scenario)) return <DrillMark standing="waiting" />;
  return last === null ? null : <DrillMark standing={verdictOf(last)} />;
}

/** What the scenario came to when it was played last. */
export const lastOf = (results: readonly DrillResult[] | undefined, scenario: string): DrillResult | null =>
  results?.find((result) => result.scenario === scenario) ?? null;
