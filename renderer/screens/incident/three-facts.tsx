import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { shortenHashes } from "../../components/HashChip";
import { Ago, Countdown, Moment } from "../../components/Moments";
import { StateBadge } from "../../components/StateBadge";
import type { IncidentView } from "../../stores/incidents";
import { actorWord, wordFor } from "../../words";
import { useSaidIn } from "./said-in";

/** What is affected, since when, what is being done: always in the same three places. */
export function ThreeFacts({ incident }: { incident: IncidentView }) {
  const { t } = useTranslation();
  return (
    <section
      className={`panel attention incident-facts tone-${incident.closedAt === null ? "bad" : "neutral"}`}
      aria-label={t("incident.facts.title")}
    >
      <Fact name={t("incident.facts.affected")}>
        <Affected incident={incident} />
      </Fact>
      <Fact name={t("incident.facts.since")}>
        <p>
          <b>
            <Moment at={incident.openedAt} />
          </b>{" "}
          <Ago at={incident.openedAt} />
        </p>
        <p>
          {t("incident.facts.by", {
            rule: wordFor("incident.rule", incident.rule),
            who: actorWord(incident.openedBy),
          })}
        </p>
        {incident.finding === null ? null : <p className="wrap">{shortenHashes(incident.finding)}</p>}
      </Fact>
      <Fact name={t("incident.facts.doing")}>
        <Doing incident={incident} />
      </Fact>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="stack tight">
      <h2>{name}</h2>
      {children}
    </div>
  );
}

function Affected({ incident }: { incident: IncidentView }) {
  const { t } = useTranslation();
  const { edition, taskState, scope, scopeValue, objects } = incident;
  return (
    <>
      <p className="row tight">
        <b className="num">{edition ?? t("incident.ofJournal")}</b>
        {taskState === null ? null : <StateBadge state={taskState} />}
      </p>
      {scope === "all" ? null : <p className="mono small wrap">{shortenHashes(scopeValue)}</p>}
      {objects.length === 0 ? null : (
        <ul className="stack tight" aria-label={t("incident.facts.objects")}>
          {objects.map((object) => (
            <li key={object.remoteId} className="wrap">
              <b className="num">{t("run.unknown.object", { id: object.remoteId })}</b>{" "}
              <span className="muted small">{t("run.unknown.remoteState", { state: object.state })}</span>{" "}
              <span className="mono small">{object.url}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Doing({ incident }: { incident: IncidentView }) {
  const { t } = useTranslation();
  const said = useSaidIn();
  const { steps, next } = incident.runbook;
  const step = steps.find(({ id }) => id === next);
  if (incident.closedAt !== null) return <p>{t("incident.facts.done")}</p>;
  const scope = wordFor("incident.scope", incident.scope);
  const isEverythingFrozen = incident.rule === "duplicate_remote";
  return (
    <>
      <p>{isEverythingFrozen ? t("incident.facts.frozenAll", { scope }) : t("incident.facts.frozen", { scope })}</p>
      {step === undefined ? (
        <p>{t("incident.facts.through")}</p>
      ) : (
        <>
          <p className="row tight">
            <b>
              {t("incident.facts.step", {
                n: steps.indexOf(step) + 1,
                of: steps.length,
                phase: wordFor("incident.runbook.phase", step.phase),
              })}
            </b>
            {step.dueAt === null ? null : <Countdown until={step.dueAt} />}
          </p>
          <p className="wrap">{shortenHashes(said(step.words))}</p>
        </>
      )}
    </>
  );
}
