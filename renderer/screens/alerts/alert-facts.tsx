import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { CopyLine, HashChip } from "../../components/HashChip";
import { Countdown, Moment } from "../../components/Moments";
import { OperationBadge, StateBadge } from "../../components/StateBadge";
import { formatNumber } from "../../format";
import type { OpenAlertView } from "../../stores/alerts";
import { useNav } from "../../stores/nav";
import { actorWord, hasWord, operationName, wordFor } from "../../words";
import { causeWords } from "../recovery/item-words";

/** Everything that an alert carries (task, keys, ids, hashes, approval, freeze); what there is none of is said. */
export function AlertFacts({ alert }: { alert: OpenAlertView }) {
  const { t } = useTranslation();
  const go = useNav((state) => state.go);
  return (
    <dl className="facts-of alert-facts">
      <Fact name={t("alerts.facts.task")}>
        <CopyLine value={alert.taskKey} what={t("alerts.facts.task")} />
        <StateBadge state={alert.state} />
      </Fact>
      <Fact name={t("alerts.facts.raised")}>
        <Moment at={alert.at} />
        {alert.times > 1 ? (
          <span className="muted">
            {t("alerts.facts.lastRaised")} <Moment at={alert.lastAt} />
          </span>
        ) : null}
      </Fact>
      {alert.retries === null ? null : (
        <Fact name={t("alerts.facts.retries")}>
          {t("alerts.facts.retriesOf", {
            again: formatNumber(alert.retries.recent.again),
            calls: formatNumber(alert.retries.recent.calls),
            usualAgain: formatNumber(alert.retries.baseline.again),
            usualCalls: formatNumber(alert.retries.baseline.calls),
          })}
        </Fact>
      )}
      {alert.recurs === null ? null : (
        <Fact name={t("alerts.facts.recurs")}>
          <span className="wrap">{causeWords(alert.recurs)}</span>
          <span className="num muted">
            {t("recovery.patterns.times", { week: alert.recurs.lastWeek, month: alert.recurs.lastMonth })}
          </span>
        </Fact>
      )}
      <Fact name={t("alerts.facts.deadline")}>
        <Moment at={alert.deadlineAt} />
        <Countdown until={alert.deadlineAt} quiet />
      </Fact>
      <Fact name={t("alerts.facts.owner")}>
        {t("alerts.facts.owners", { owner: ownerWord(alert.owner), backup: ownerWord(alert.backupOwner) })}
      </Fact>
      <Fact name={t("alerts.facts.content")}>
        {alert.contentHash === null ? <None /> : <HashChip hash={alert.contentHash} of="content" />}
      </Fact>
      <Fact name={t("alerts.facts.operations")}>
        {alert.operations.length === 0 ? <None /> : null}
        <ul className="alert-operations">
          {alert.operations.map((operation) => (
            <OperationLine key={operation.operationKey} operation={operation} />
          ))}
        </ul>
      </Fact>
      <Fact name={t("alerts.facts.approval")}>
        <LastApproval approval={alert.lastApproval} />
      </Fact>
      <Fact name={t("alerts.facts.freeze")}>
        {alert.freezes.length === 0 ? <span className="muted">{t("alerts.facts.notFrozen")}</span> : null}
        {alert.freezes.map((freeze) => (
          <span key={freeze.id} className="row tight">
            <button
              type="button"
              className="linklike"
              onClick={() => go({ screen: "incidents", incidentId: freeze.id })}
            >
              {wordFor("compensation.incident.rule", freeze.rule)}
            </button>
            <span className="mono wrap">{freeze.scopeValue}</span>
            <Moment at={freeze.openedAt} />
          </span>
        ))}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="row tight">{children}</dd>
    </>
  );
}

function None() {
  const { t } = useTranslation();
  return <span className="muted">{t("alerts.facts.none")}</span>;
}

function OperationLine({ operation }: { operation: OpenAlertView["operations"][number] }) {
  const { t } = useTranslation();
  const { operationKey, kind, phase, adapter, state, remoteId, intentHash, contentHash } = operation;
  return (
    <li className="row tight">
      <OperationBadge state={state} />
      <span>{t("alerts.facts.call", { name: operationName(kind, phase), adapter })}</span>
      <CopyLine value={operationKey} what={t("alerts.facts.key")} />
      <span>
        {t("alerts.facts.remoteId")} {remoteId === null ? <None /> : <span className="mono wrap">{remoteId}</span>}
      </span>
      <HashChip hash={intentHash} of="intent" />
      {contentHash === null ? null : <HashChip hash={contentHash} of="content" />}
    </li>
  );
}

function LastApproval({ approval }: { approval: OpenAlertView["lastApproval"] }) {
  const { t } = useTranslation();
  if (approval === null) return <None />;
  const { scope, approver, issuedAt, expiresAt, state, contentHash } = approval;
  return (
    <>
      <span>{wordFor("scope", scope)}</span>
      <b>{t(`alerts.approval.${state}`)}</b>
      <span>{actorWord(approver)}</span>
      <Moment at={issuedAt} />
      <span className="muted">
        {t("alerts.facts.validUntil")} <Moment at={expiresAt} />
      </span>
      {contentHash === null ? null : <HashChip hash={contentHash} of="content" />}
    </>
  );
}

/** A role has a word of its own; a person is named as wherever they act. */
const ownerWord = (owner: string): string => (hasWord("owner", owner) ? wordFor("owner", owner) : actorWord(owner));
