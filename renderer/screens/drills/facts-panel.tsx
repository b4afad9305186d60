import i18next from "i18next";
import { CircleCheck, ShieldAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Panel } from "../../components/Panel";
import { Mark, OperationBadge } from "../../components/StateBadge";
import { formatDuration, formatNumber } from "../../format";
import type { DrillFacts } from "../../stores/drills";
import { hasWord, operationName, wordFor } from "../../words";
import { ShownMoments } from "./shown-moments";
import { callWord } from "./step-text";

/** What a played scenario came to: the checker's word, the journal's operations, and what the remotes counted themselves. */
export function FactsPanel({ facts }: { facts: DrillFacts }) {
  const { t } = useTranslation();
  return (
    <Panel title={t("drills.facts.title")}>
      <div className="stack wide">
        <dl className="facts-of">
          <dt>{t("drills.facts.invariants")}</dt>
          <dd>
            <Invariants violations={facts.violations} />
          </dd>
          <Fact name="website">{formatNumber(facts.calls["cms.create"] ?? 0)}</Fact>
          <Fact name="posts">
            <Objects objects={facts.posts} />
          </Fact>
          <Fact name="mail">{formatNumber(facts.calls["mail.create"] ?? 0)}</Fact>
          <Fact name="campaigns">
            <Objects objects={facts.campaigns} />
          </Fact>
          <Fact name="mails">{formatNumber(facts.mails)}</Fact>
          <Fact name="recipients">
            <Words words={Object.entries(facts.recipients).map(recipientWord)} />
          </Fact>
          <Fact name="raised">
            <Words words={raised(facts)} />
          </Fact>
          <Fact name="events">{formatNumber(facts.events)}</Fact>
          <Fact name="took">{formatDuration(facts.ms)}</Fact>
        </dl>
        {facts.operations.length === 0 ? null : <Operations operations={facts.operations} />}
        <ShownMoments shown={facts.shown} />
        <details>
          <summary>{t("drills.facts.allCalls")}</summary>
          <dl className="facts-of calls">
            {Object.entries(facts.calls).map(([call, times]) => (
              <Pair key={call} name={callWord(call)}>
                {formatNumber(times)}
              </Pair>
            ))}
          </dl>
        </details>
      </div>
    </Panel>
  );
}

type FactName = "website" | "posts" | "mail" | "campaigns" | "mails" | "recipients" | "raised" | "events" | "took";

function Fact({ name, children }: { name: FactName; children: ReactNode }) {
  const { t } = useTranslation();
  return <Pair name={t(`drills.facts.${name}`)}>{children}</Pair>;
}

function Pair({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="num">{children}</dd>
    </>
  );
}

function Invariants({ violations }: { violations: DrillFacts["violations"] }) {
  const { t } = useTranslation();
  if (violations.length === 0)
    return (
      <Mark tone="ok" icon={CircleCheck}>
        {t("drills.facts.held")}
      </Mark>
    );
  return (
    <>
      <Mark tone="bad" icon={ShieldAlert}>
        {t("drills.facts.violated", { count: violations.length })}
      </Mark>
      <ul className="points">
        {violations.map((violation) => (
          <li key={violation} className="mono small wrap">
            {violation}
          </li>
        ))}
      </ul>
    </>
  );
}

function Objects({ objects }: { objects: DrillFacts["posts"] }) {
  const { t } = useTranslation();
  const words = objects.map(({ id, status }) =>
    t("drills.facts.object", { id, status: wordFor("drills.status", status) }),
  );
  return <Words words={words} />;
}

function Words({ words }: { words: readonly string[] }) {
  const { t } = useTranslation();
  return words.length === 0 ? <span className="muted">{t("drills.facts.nothing")}</span> : <Lines lines={words} />;
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

const recipientWord = ([outcome, count]: [string, number]): string =>
  `${wordFor("recipient", outcome === "closed_by_person" ? "closedByPerson" : outcome)} ${formatNumber(count)}`;

/** Alerts, incidents and what was put on somebody's list, each once. */
function raised({ alerts, incidents, recoveryItems }: DrillFacts): string[] {
  return [
    ...new Set([
      ...alerts.map(alertWord),
      ...incidents.map((incident) => {
        const [rule = "", standing = ""] = incident.split(" ");
        return wordFor("drills.incident", standing, { rule: wordFor("blockedReason", rule) });
      }),
      ...recoveryItems.map((item) => wordFor("recovery.kind", item.split(" ")[0] ?? "")),
    ]),
  ];
}

/** `blocked_auth five_minutes`: what is raised, and how soon somebody is wanted. */
function alertWord(alert: string): string {
  const [code = "", urgency = ""] = alert.split(" ");
  const reason = code.replace(/^blocked_/, "");
  const what =
    reason !== code && hasWord("blockedReason", reason)
      ? wordFor("drills.alert", "blocked", { reason: wordFor("blockedReason", reason) })
      : wordFor("drills.alert", code);
  return `${what} · ${wordFor("drills.urgency", urgency)}`;
}

function Operations({ operations }: { operations: DrillFacts["operations"] }) {
  const { t } = useTranslation();
  return (
    <section className="table-scroll" aria-label={t("drills.facts.operations")}>
      <h3>{t("drills.facts.operations")}</h3>
      <table className="table compact">
        <thead>
          <tr>
            <th>{t("drills.facts.operation")}</th>
            <th>{t("drills.facts.settled")}</th>
            <th>{t("drills.facts.attempts")}</th>
          </tr>
        </thead>
        <tbody>
          {operations.map((operation, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a finished drill neither move nor change
            <tr key={index}>
              <td>{operationName(operation.kind, operation.phase)}</td>
              <td>
                <OperationBadge state={operation.state} />
              </td>
              <td>
                <Lines lines={triesAndLooks(operation)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Equal ones in a row are told once with their number: six looks that saw nothing are one line. */
function triesAndLooks({ attempts, looks }: DrillFacts["operations"][number]): string[] {
  const lines = [
    ...attempts.map((attempt) => withCode("attemptOutcome", attempt)),
    ...looks.map((look) => withCode("lookVerdict", look.replace(/ \d+/, ""))),
  ];
  const counted = new Map<string, number>();
  for (const line of lines) counted.set(line, (counted.get(line) ?? 0) + 1);
  return [...counted].map(([line, times]) => (times === 1 ? line : `${line} ×${times}`));
}

/** `unknown http_500`: a word, and the code that the remote gave. */
function withCode(family: "attemptOutcome" | "lookVerdict", text: string): string {
  const [outcome = "", ...code] = text.split(" ");
  const word = outcome === "open" ? wordFor("operationState", "request_sent") : wordFor(family, outcome);
  return code.length === 0 ? word : i18next.t("drills.facts.withCode", { word, code: code.join(" ") });
}
