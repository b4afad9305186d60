import { Button } from "@mantine/core";
import { ArrowRight, CircleCheck, CircleSlash } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useNav } from "../stores/nav";
import type { RunView } from "../stores/run";
import { wordFor } from "../words";
import { Mark, StateBadge } from "./StateBadge";
import { taskLook } from "./state-look";
import { UnmetList } from "./UnmetList";

const MAIN = [
  "created",
  "collecting",
  "drafting",
  "checking",
  "awaiting_content_approval",
  "content_approved",
  "publishing",
  "published",
  "awaiting_send_approval",
  "sending",
  "send_pending",
  "succeeded",
];
const BRANCHES = ["retry_wait", "blocked", "awaiting_observation", "compensating"];
const ENDS = ["compensated", "closed"];

/** Where the edition is, where it has been, and which ways are open from here; a closed way says what it waits for. */
export function StateMap({ run }: { run: RunView }) {
  const { t } = useTranslation();
  const passed = new Set(run.events.flatMap((event) => (event.toState === null ? [] : [event.toState])));
  const strange = [run.state].filter((state) => ![...MAIN, ...BRANCHES, ...ENDS].includes(state));
  return (
    <div className="stack wide">
      <figure className="state-map" aria-label={t("run.map.label")}>
        <States title={t("run.map.main")} states={[...MAIN, ...strange]} run={run} passed={passed} chain />
        <div className="row top">
          <States title={t("run.map.branches")} states={BRANCHES} run={run} passed={passed} />
          <States title={t("run.map.ends")} states={ENDS} run={run} passed={passed} />
        </div>
      </figure>
      <Ways run={run} />
    </div>
  );
}

function States({
  title,
  states,
  run,
  passed,
  chain = false,
}: {
  title: string;
  states: readonly string[];
  run: RunView;
  passed: ReadonlySet<string>;
  chain?: boolean;
}) {
  const { t } = useTranslation();
  return (
    <div className="stack tight">
      <h3>{title}</h3>
      <ol className={chain ? "states chain" : "states"}>
        {states.map((state) => {
          const here = state === run.state;
          const Icon = taskLook(state).icon;
          const been = !here && passed.has(state);
          return (
            <li
              key={state}
              aria-current={here ? "step" : undefined}
              className={`${here ? `here tone-${taskLook(state).tone}` : been ? "been" : "ahead"}`}
              title={wordFor("state", state)}
            >
              <Icon size={13} aria-hidden />
              <span>{wordFor("stateShort", state)}</span>
              {here ? <span className="visually-hidden">{t("run.map.here")}</span> : null}
              {been ? <span className="visually-hidden">{t("run.map.passed")}</span> : null}
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function Ways({ run }: { run: RunView }) {
  const { t } = useTranslation();
  const go = useNav((state) => state.go);
  const ways = [...run.ways].sort((a, b) => Number(b.open) - Number(a.open));
  return (
    <section className="stack tight" aria-label={t("run.map.ways")}>
      <h3>{t("run.map.ways")}</h3>
      {ways.length === 0 ? <p className="muted">{t("run.map.none")}</p> : null}
      <ul className="ways">
        {ways.map((way, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two ways may share event and end
          <li key={`${way.event}-${way.to}-${index}`} className="stack tight">
            <p className="row tight">
              <b>{wordFor("event", way.event)}</b>
              <ArrowRight size={13} aria-hidden className="muted" />
              <StateBadge state={way.to} />
              <span className="way-by muted small">{t(`run.map.by.${way.by}`)}</span>
              {way.open ? (
                <Mark tone="ok" icon={CircleCheck}>
                  {t("run.map.open")}
                </Mark>
              ) : (
                <Mark tone="neutral" icon={CircleSlash}>
                  {t("run.map.shut")}
                </Mark>
              )}
            </p>
            {way.event === "CompensationStarted" ? (
              <div>
                <Button size="compact-xs" onClick={() => go({ screen: "compensation", taskId: run.taskId })}>
                  {t("compensation.recover.compensate.open")}
                </Button>
              </div>
            ) : null}
            {way.open || way.unmet.length === 0 ? null : (
              <div className="small">
                <UnmetList items={way.unmet} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
