import { useTranslation } from "react-i18next";
import { AnswerGate } from "../components/AnswerGate";
import { HashChip } from "../components/HashChip";
import { Moment } from "../components/Moments";
import { Empty, Panel } from "../components/Panel";
import { TaskHead } from "../components/TaskHead";
import { formatZoned } from "../format";
import { useZone } from "../stores/clock";
import { type CompensationView, useCompensation } from "../stores/compensation";
import { useEdition } from "../stores/today";
import { actorWord } from "../words";
import { EntryCard } from "./compensation/entry-card";
import { StartPlan } from "./compensation/start-plan";

/** The undo of one edition, in the order in which it is undone: what would be, what is, and what came of it. */
export function Compensation({ taskId }: { taskId: string }) {
  const { t } = useTranslation();
  const answer = useCompensation((state) => state.answer);
  const value = answer.value?.taskId === taskId ? answer.value : null;
  const edition = useEdition(taskId);
  return (
    <>
      <TaskHead screen="compensation" taskId={taskId} edition={value?.edition ?? edition} state={value?.state ?? null}>
        {value ? <span className="muted num">{t("run.header.version", { version: value.taskVersion })}</span> : null}
      </TaskHead>
      <AnswerGate answer={{ ...answer, value }} empty={t("compensation.empty")}>
        {(undo) => <Everything undo={undo} />}
      </AnswerGate>
    </>
  );
}

function Everything({ undo }: { undo: CompensationView }) {
  const { t } = useTranslation();
  if (undo.entries.length === 0)
    return (
      <section className="panel">
        <Empty>{t("compensation.nothing")}</Empty>
      </section>
    );
  return (
    <>
      <Facts undo={undo} />
      {undo.phase === "before" ? <StartPlan undo={undo} /> : null}
      <Panel title={t("compensation.list.title")} flush>
        <ol className="undo-list" aria-label={t("compensation.list.label")}>
          {undo.entries.map((entry) => (
            <li key={entry.id}>
              <EntryCard undo={undo} entry={entry} />
            </li>
          ))}
        </ol>
      </Panel>
    </>
  );
}

/** How far it is, who began it and why, and from which plan: always in the same place. */
function Facts({ undo }: { undo: CompensationView }) {
  const { t } = useTranslation();
  const zone = useZone();
  const { started, failures } = undo;
  const spent = failures.today >= failures.limit;
  return (
    <section className="panel" aria-label={t("compensation.facts.label")}>
      <div className="body stack">
        <p>{t(`compensation.phase.${undo.phase}`)}</p>
        {undo.phase === "before" || undo.phase === "over" ? null : <Progress undo={undo} />}
        <dl className="facts-of">
          {started === null ? null : (
            <>
              <dt>{t("compensation.facts.started")}</dt>
              <dd>
                {t("compensation.facts.startedBy", {
                  who: actorWord(started.by),
                  moment: formatZoned(started.at, zone),
                })}
              </dd>
              <dt>{t("compensation.facts.reason")}</dt>
              <dd>{started.reason ?? t("none")}</dd>
            </>
          )}
          {undo.endedAt === null ? null : (
            <>
              <dt>{t("compensation.facts.ended")}</dt>
              <dd>
                <Moment at={undo.endedAt} />
              </dd>
            </>
          )}
          <dt>{t("compensation.facts.plan")}</dt>
          <dd>
            <HashChip hash={undo.planHash} />
          </dd>
          <dt>{t("compensation.facts.failures")}</dt>
          <dd className="num">
            {t("compensation.facts.failuresOf", failures)}
            {spent ? <span className="muted"> {t("compensation.facts.spent")}</span> : null}
          </dd>
        </dl>
      </div>
    </section>
  );
}

function Progress({ undo }: { undo: CompensationView }) {
  const { t } = useTranslation();
  const total = undo.entries.length;
  const words = t("compensation.facts.progress", { finished: undo.finished, total });
  return (
    <div className="row">
      <progress className="undo-progress" value={undo.finished} max={total} aria-label={words} />
      <b className="num">{words}</b>
    </div>
  );
}
