import { useTranslation } from "react-i18next";
import { AnswerGate } from "../components/AnswerGate";
import { Empty } from "../components/Panel";
import { ScreenHeading } from "../components/ScreenHeading";
import { type DrillScenario, useDrills } from "../stores/drills";
import { DutyList } from "./drills/duty-list";
import { Announcement, EndedNotice } from "./drills/ended-words";
import { FactsPanel } from "./drills/facts-panel";
import { LastDrills } from "./drills/last-drills";
import { LedPanel } from "./drills/led-panel";
import { LedVerdict } from "./drills/led-verdict";
import { RunbookPanel } from "./drills/runbook-panel";
import { lastOf, ScenarioList } from "./drills/scenario-list";
import { ScenarioPanel } from "./drills/scenario-panel";
import { StepList } from "./drills/step-list";
import { TimingPanel } from "./drills/timing-panel";

/** The fault scenarios: chosen, played on a throw-away workspace, and watched. */
export function Drills() {
  const { t } = useTranslation();
  const answer = useDrills((state) => state.answer);
  const chosen = useDrills((state) => state.chosen);
  return (
    <>
      <header className="head">
        <div className="row">
          <ScreenHeading>{t("drills.title")}</ScreenHeading>
          <span className="muted">{t("drills.lead")}</span>
        </div>
      </header>
      <Announcement />
      <AnswerGate answer={answer} empty={t("drills.empty")}>
        {({ groups, duties, failed, results, running }) => {
          const all = groups.flatMap((group) => group.scenarios);
          const wanted = chosen ?? running?.scenario;
          const scenario = all.find(({ id }) => id === wanted) ?? all[0];
          return (
            <div className="drills-grid">
              <DutyList duties={duties} failed={failed} isBusy={running !== null} />
              <ScenarioList groups={groups} chosen={scenario?.id ?? null} />
              {scenario ? <Watched scenario={scenario} /> : <Empty>{t("drills.empty")}</Empty>}
              <LastDrills results={results} scenarios={all} />
            </div>
          );
        }}
      </AnswerGate>
    </>
  );
}

/** The chosen scenario with what happens now, or with what it came to last. */
function Watched({ scenario }: { scenario: DrillScenario }) {
  const { t } = useTranslation();
  const running = useDrills((state) => state.answer.value?.running ?? null);
  const last = useDrills((state) => lastOf(state.answer.value?.results, scenario.id));
  const known = useDrills((state) => state.steps);
  const isLive = running?.scenario === scenario.id;
  const isLed = isLive && running.isLed;
  const run = isLive ? running.run : last?.run;
  const all = run === undefined ? [] : (known[run] ?? []);
  // What only the servers know is told whoever plays it when it is over.
  const steps = isLed ? all.filter(({ kind }) => kind === "event" || kind === "person" || kind === "program") : all;
  const isGone = last !== null && last.outcome === "played";
  const empty = isLive ? "drills.beginning" : isGone ? "drills.steps.gone" : "drills.notYet";
  return (
    <div className="stack wide drill">
      <ScenarioPanel scenario={scenario} last={isLive ? null : last} />
      {!isLive && last !== null && last.outcome !== "played" ? <EndedNotice result={last} /> : null}
      {isLed ? <LedPanel run={running.run} question={running.question} /> : null}
      {!isLive && last?.outcome === "played" ? <RunbookPanel key={last.run} result={last} /> : null}
      <div className="watch-grid">
        {!isLive && last?.led ? <LedVerdict led={last.led} /> : null}
        {!isLive && last?.timing ? <TimingPanel timing={last.timing} isLed={last.led !== null} /> : null}
        <StepList steps={steps} live={isLive} empty={t(empty)} />
        {!isLive && last?.facts ? <FactsPanel facts={last.facts} /> : null}
      </div>
    </div>
  );
}
