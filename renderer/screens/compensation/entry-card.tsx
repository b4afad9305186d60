import { useId } from "react";
import { useTranslation } from "react-i18next";
import { CopyLine, HashChip } from "../../components/HashChip";
import { Countdown, Moment } from "../../components/Moments";
import { Mark, OperationBadge } from "../../components/StateBadge";
import { formatZoned } from "../../format";
import { useZone } from "../../stores/clock";
import type { CompensationView, UndoEntry } from "../../stores/compensation";
import { actorWord, hasWord, operationName, wordFor, wordOrText } from "../../words";
import { EntryActions } from "./entry-actions";
import { EntrySteps } from "./entry-steps";
import { Precondition } from "./precondition";
import { prospectLook, statusLook } from "./undo-look";

/** One entry of the stack: what it undoes and how, what the remote says, its steps, and what a person can do about it. */
export function EntryCard({ undo, entry }: { undo: CompensationView; entry: UndoEntry }) {
  const { t } = useTranslation();
  const title = useId();
  const stands = undo.phase === "running" || undo.phase === "ended";
  const look = stands ? statusLook(entry.status) : prospectLook(entry.prospect);
  return (
    <article className={`undo-entry tone-${look.tone}`} aria-labelledby={title}>
      <header className="row spread">
        <h3 id={title} className="row tight">
          <span className="muted num">{entry.position}</span>
          {wordFor("compensation.action", entry.action)}
        </h3>
        <span className="row tight">
          {entry.dueAt === null ? null : <Due at={entry.dueAt} />}
          <Mark tone={look.tone} icon={look.icon}>
            {stands ? t(`compensation.status.${entry.status}`) : t(`compensation.planned.${entry.prospect}`)}
          </Mark>
        </span>
      </header>
      {entry.code === null ? null : <Failure entry={entry} />}
      <div className="undo-body">
        <Facts entry={entry} />
        <div className="stack">
          <ByHand entry={entry} />
          <EntrySteps entry={entry} />
          <Precondition entry={entry} />
        </div>
      </div>
      {entry.closed === null ? null : <Closed closed={entry.closed} />}
      {undo.phase === "running" ? <EntryActions undo={undo} entry={entry} /> : null}
    </article>
  );
}

function Due({ at }: { at: number }) {
  const { t } = useTranslation();
  return (
    <span className="row tight small">
      <span className="muted">{t("compensation.entry.due")}</span>
      <Moment at={at} />
      <Countdown until={at} />
    </span>
  );
}

/** What the present step failed with; another try may be on its way. */
function Failure({ entry }: { entry: UndoEntry }) {
  const { t } = useTranslation();
  return (
    <p className="undo-failure">
      {t("compensation.entry.failedWith")} <b>{wordOrText("compensation.code", entry.code ?? "")}</b>
    </p>
  );
}

const isOver = ({ status }: UndoEntry) => status === "not_needed" || status === "done" || status === "closed";

function Facts({ entry }: { entry: UndoEntry }) {
  const { t } = useTranslation();
  return (
    <div className="stack">
      <dl className="facts-of">
        <dt>{t("compensation.entry.undoes")}</dt>
        <dd>
          <Forward entry={entry} />
        </dd>
        <dt>{t("compensation.entry.service")}</dt>
        <dd className="mono">{entry.service}</dd>
        <dt>{t("compensation.entry.grade")}</dt>
        <dd>
          <b>{entry.grade}</b> <span className="muted">{t(`compensation.grade.${entry.grade}`)}</span>
        </dd>
        <dt>{t("compensation.entry.owner")}</dt>
        <dd>{wordOrText("owner", entry.owner)}</dd>
        <dt>{t("compensation.entry.precondition")}</dt>
        <dd>{wordOrText("compensation.precondition", entry.precondition)}</dd>
        <dt>{t("compensation.entry.verified")}</dt>
        <dd>{wordOrText("compensation.verification", entry.verification)}</dd>
        {entry.tries === 0 || isOver(entry) ? null : (
          <>
            <dt>{t("compensation.entry.attempts")}</dt>
            <dd className="num">
              {entry.attempts === 0
                ? t("compensation.entry.attemptsNone", { tries: entry.tries })
                : t("compensation.entry.attemptsOf", { attempts: entry.attempts, tries: entry.tries })}
            </dd>
          </>
        )}
        {entry.nextAt === null ? null : (
          <>
            <dt>{t("compensation.entry.next")}</dt>
            <dd>
              <Moment at={entry.nextAt} shape="time" /> <Countdown until={entry.nextAt} quiet />
            </dd>
          </>
        )}
      </dl>
    </div>
  );
}

/** What a person has to do, as it was thought out before anything left (grade C). */
function ByHand({ entry }: { entry: UndoEntry }) {
  const { t } = useTranslation();
  if (!entry.steps.some((step) => step.kind === "person")) return null;
  const known = hasWord("compensation.byHand", entry.action) ? entry.action : "other";
  return (
    <section className="stack tight">
      <h4>{t("compensation.entry.plan")}</h4>
      <p>{wordFor("compensation.byHand", known)}</p>
    </section>
  );
}

/** The writes that the entry takes back, each with what is known of it. */
function Forward({ entry }: { entry: UndoEntry }) {
  const { t } = useTranslation();
  return (
    <ul className="stack tight">
      {entry.forward.map((operation) => (
        <li key={operation.operationKey} className="stack tight">
          <span className="row tight">
            {operationName(operation.kind, operation.phase)}
            <OperationBadge state={operation.state} />
            <span className="muted small num">
              {operation.remoteId === null
                ? t("compensation.entry.noObject")
                : t("compensation.entry.object", { id: operation.remoteId })}
            </span>
            {operation.contentHash === null ? null : <HashChip hash={operation.contentHash} of="content" />}
          </span>
          {operation.url === null ? null : <span className="mono small wrap">{operation.url}</span>}
        </li>
      ))}
    </ul>
  );
}

function Closed({ closed }: { closed: NonNullable<UndoEntry["closed"]> }) {
  const { t } = useTranslation();
  const zone = useZone();
  return (
    <dl className="facts-of undo-closed">
      <dt>{t("compensation.status.closed")}</dt>
      <dd>{t("compensation.entry.closedBy", { who: actorWord(closed.by), moment: formatZoned(closed.at, zone) })}</dd>
      <dt>{t("compensation.entry.note")}</dt>
      <dd className="wrap">{closed.note}</dd>
      <dt>{t("compensation.entry.link")}</dt>
      <dd>
        <CopyLine value={closed.evidence} what={t("compensation.entry.link")} />
      </dd>
    </dl>
  );
}
