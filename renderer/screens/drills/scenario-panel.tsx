import { Button } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { ProblemNotice } from "../../components/Notices";
import { Panel } from "../../components/Panel";
import { StateBadge } from "../../components/StateBadge";
import type { Language } from "../../i18n";
import { type DrillResult, type DrillScenario, isPlayedByPerson, useDrills } from "../../stores/drills";
import { wordFor } from "../../words";
import { InvariantsMark } from "./drill-mark";

/** The chosen scenario as a story: given, fault, expected, and beside it what it came to; and the button that plays it. */
export function ScenarioPanel({ scenario, last }: { scenario: DrillScenario; last: DrillResult | null }) {
  const { t, i18n } = useTranslation();
  const language = i18n.language as Language;
  const running = useDrills((state) => state.answer.value?.running ?? null);
  const playing = running?.scenario ?? null;
  const isSecret = isPlayedByPerson(running, scenario.id);
  return (
    <Panel
      title={isSecret ? scenario.id : `${scenario.id} · ${scenario.title[language]}`}
      actions={<Actions scenario={scenario} wasPlayed={last !== null} />}
    >
      <div className="stack">
        <Refused />
        {playing !== null && playing !== scenario.id ? (
          <p className="muted">{t("drills.oneAtATime", { id: playing })}</p>
        ) : null}
        <dl className="facts-of">
          <dt>{t("drills.given")}</dt>
          <dd>{scenario.given[language]}</dd>
          {isSecret ? null : (
            <>
              <dt>{t("drills.fault")}</dt>
              <dd>{scenario.fault[language]}</dd>
              <dt>{t("drills.expected")}</dt>
              <dd>
                <b>{scenario.expected[language]}</b>
              </dd>
            </>
          )}
          {last?.facts ? (
            <>
              <dt>{t("drills.cameTo")}</dt>
              <dd className="row tight">
                <StateBadge state={last.facts.state} />
                {last.facts.blockedReason === null ? null : (
                  <span>{wordFor("blockedReason", last.facts.blockedReason)}</span>
                )}
                <InvariantsMark violations={last.facts.violations.length} />
              </dd>
            </>
          ) : null}
        </dl>
        {isSecret ? <p className="muted small">{t("drills.led.hidden")}</p> : null}
      </div>
    </Panel>
  );
}

/**
 * Running and cancelling. The run button keeps its place and the focus while it has nothing to do, so that a second click or
 * key press never lands on the other one.
 */
function Actions({ scenario: { id, isLed }, wasPlayed }: { scenario: DrillScenario; wasPlayed: boolean }) {
  const { t } = useTranslation();
  const running = useDrills((state) => state.answer.value?.running ?? null);
  const start = useDrills((state) => state.start);
  const play = useDrills((state) => state.play);
  const cancel = useDrills((state) => state.cancel);
  const runButton = useRef<HTMLButtonElement>(null);
  const isBusy = running !== null;
  useEffect(() => {
    // The cancel button has gone, and whoever stood on it is left nowhere.
    if (!isBusy && document.activeElement === document.body) runButton.current?.focus();
  }, [isBusy]);
  return (
    <span className="drill-actions">
      {isBusy ? (
        <Button onClick={() => void cancel()}>
          {t(running.waiting.length === 0 ? "drills.cancel" : "drills.cancelAll", {
            id: running.scenario,
            count: running.waiting.length,
          })}
        </Button>
      ) : null}
      <Button
        ref={runButton}
        variant={isBusy ? "default" : "filled"}
        data-disabled={isBusy || undefined}
        aria-disabled={isBusy}
        onClick={() => (isBusy ? undefined : void start([id]))}
      >
        {t(wasPlayed ? "drills.again" : "drills.run")}
      </Button>
      {isLed ? (
        <Button
          data-disabled={isBusy || undefined}
          aria-disabled={isBusy}
          onClick={() => (isBusy ? undefined : void play(id))}
        >
          {t("drills.led.play")}
        </Button>
      ) : null}
    </span>
  );
}

const REFUSED = {
  busy: "drills.busy",
  unknown_scenario: "drills.unknownScenario",
  not_led: "drills.led.notLed",
} as const;

/** Why the last start came to nothing, in place. */
function Refused() {
  const { t } = useTranslation();
  const refusal = useDrills((state) => state.refusal);
  const problem = useDrills((state) => state.problem);
  const load = useDrills((state) => state.load);
  if (problem !== null) return <ProblemNotice problem={problem} again={() => void load()} />;
  if (refusal === null) return null;
  return (
    <p role="alert" className="notice tone-warn">
      {t(REFUSED[refusal.result], { id: refusal.scenario })}
    </p>
  );
}
