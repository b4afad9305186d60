import { useTranslation } from "react-i18next";
import { HashChip, shortenHashes } from "../../components/HashChip";
import { Panel } from "../../components/Panel";
import type { DrillQuestion } from "../../stores/drills";
import { operationName, wordFor, wordOrText } from "../../words";
import { RemoteObjectView } from "../run/remote-shows";
import { Intended } from "../run/unknown-panel";

type Operation = DrillQuestion["operations"][number];

/** What is known at this moment: the incident's facts, the calls with what their looks saw, the undo, the remotes' own screens. */
export function LedFacts({ question }: { question: DrillQuestion }) {
  const { t } = useTranslation();
  const { facts, operations, undo, remote } = question;
  return (
    <div className="stack wide">
      {operations.map((operation) => (
        <Call key={operation.id} operation={operation} />
      ))}
      {undo.length === 0 ? null : <Undo undo={undo} />}
      {remote === null ? null : <Remotes remote={remote} />}
      <Panel title={t("drills.led.facts")}>
        <dl className="facts-of">
          {facts.map(({ name, value }) => (
            <Fact key={name} name={name} value={value} />
          ))}
        </dl>
      </Panel>
    </div>
  );
}

/** Facts that are codes have words; everything else is shown as the journal has it. */
const CODED = { state: "state", operationState: "operationState" } as const;

function Fact({ name, value }: { name: string; value: string }) {
  const family = name === "state" || name === "operationState" ? CODED[name] : null;
  return (
    <>
      <dt>{wordFor("drills.led.fact", name)}</dt>
      <dd>{family === null ? shortenHashes(value) : wordFor(family, value)}</dd>
    </>
  );
}

function Call({ operation }: { operation: Operation }) {
  const { t } = useTranslation();
  const look = operation.looks.at(-1);
  const name = operationName(operation.kind, operation.phase);
  return (
    <Panel title={`${name}: ${wordFor("operationState", operation.state)}`}>
      <div className="stack">
        <Intended operation={operation} />
        <section className="stack tight">
          <h3>{t("run.unknown.shows")}</h3>
          {look === undefined ? (
            <p className="muted">{t("run.unknown.never")}</p>
          ) : (
            <>
              <p>
                <b>{wordOrText("lookVerdict", look.verdict)}</b>{" "}
                <span className="muted small num">
                  {t("run.unknown.budget", { used: operation.looksUsed, total: operation.lookBudget })}
                </span>
              </p>
              <ul className="stack tight">
                {look.objects.map((object) => (
                  <li key={object.remoteId} className="remote-object">
                    <RemoteObjectView object={object} />
                  </li>
                ))}
              </ul>
            </>
          )}
        </section>
      </div>
    </Panel>
  );
}

function Undo({ undo }: { undo: DrillQuestion["undo"] }) {
  const { t } = useTranslation();
  return (
    <Panel title={t("compensation.list.title")}>
      <ul className="stack tight">
        {undo.map(({ action, status, code }) => (
          <li key={action}>
            {wordOrText("compensation.action", action)}: <b>{wordFor("compensation.status", status)}</b>
            {code === null ? null : <span className="muted small"> {wordOrText("compensation.code", code)}</span>}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Remotes({ remote: { posts, campaigns, mails } }: { remote: NonNullable<DrillQuestion["remote"]> }) {
  const { t } = useTranslation();
  return (
    <Panel title={t("drills.led.remotes")}>
      <ul className="stack tight">
        {posts.map(({ id, status, slug, contentHash }) => (
          <li key={id} className="row tight">
            <b className="num">{t("run.unknown.object", { id })}</b>
            <span>{wordFor("drills.status", status)}</span>
            <span className="mono small">{slug}</span>
            <HashChip hash={contentHash} of="content" />
          </li>
        ))}
        {campaigns.map(({ id, status }) => (
          <li key={id} className="row tight">
            <b className="num">{t("drills.led.campaign", { id })}</b>
            <span>{wordFor("drills.status", status)}</span>
          </li>
        ))}
        <li className="muted">{t("drills.led.mails", { count: mails })}</li>
      </ul>
    </Panel>
  );
}
