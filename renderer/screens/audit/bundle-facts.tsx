import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Empty, Panel } from "../../components/Panel";
import type { BundleFacts } from "../../stores/evidence";
import { actorWord, wordOrText } from "../../words";

/** The facts of a verified bundle, read-only and as text: somebody else may have written every one of them. */
export function BundleFactsView({ facts }: { facts: BundleFacts }) {
  const { t } = useTranslation();
  return (
    <>
      <FactTable
        title={t("audit.facts.tasks")}
        count={facts.taskCount}
        heads={[t("audit.facts.edition"), t("audit.facts.key"), t("audit.facts.state"), t("audit.facts.since")]}
        rows={facts.tasks.map((task) => [
          task.edition,
          t("audit.facts.version", { key: task.key, version: task.version }),
          wordOrText("state", task.state),
          task.stateSince,
        ])}
      />
      <FactTable
        title={t("audit.facts.approvals")}
        count={facts.approvals.length}
        heads={[
          t("audit.facts.scope"),
          t("audit.facts.approver"),
          t("audit.facts.issued"),
          t("audit.facts.expires"),
          t("audit.facts.signedBy"),
          t("audit.facts.ended"),
        ]}
        rows={facts.approvals.map((approval) => [
          wordOrText("scope", approval.scope),
          actorWord(approval.approver),
          approval.issuedAt,
          approval.expiresAt,
          approval.signedBy === "" ? t("audit.facts.notSigned") : approval.signedBy,
          approval.ended,
        ])}
      />
      <FactTable
        title={t("audit.facts.operations")}
        count={facts.operations.length}
        heads={[
          t("audit.facts.effect"),
          t("audit.facts.state"),
          t("audit.facts.sent"),
          t("audit.facts.tries"),
          t("audit.facts.remote"),
        ]}
        rows={facts.operations.map((operation) => [
          `${wordOrText("operationKind", operation.kind)} · ${wordOrText("operationPhase", operation.phase)}`,
          wordOrText("operationState", operation.state),
          operation.sentAt,
          operation.tries,
          operation.remote,
        ])}
      />
      <FactTable
        title={t("audit.facts.incidents")}
        count={facts.incidents.length}
        heads={[
          t("audit.facts.what"),
          t("audit.facts.frozen"),
          t("audit.facts.opened"),
          t("audit.facts.ended"),
          t("audit.facts.reason"),
        ]}
        rows={facts.incidents.map((incident) => [
          wordOrText("compensation.incident.rule", incident.rule),
          incident.frozen,
          incident.openedAt,
          incident.endedAt,
          incident.reason,
        ])}
      />
      <FactTable
        title={t("audit.facts.events")}
        count={facts.eventCount}
        heads={[
          t("audit.facts.number"),
          t("audit.facts.time"),
          t("audit.facts.what"),
          t("audit.facts.toState"),
          t("audit.facts.actor"),
          t("audit.facts.reason"),
        ]}
        rows={facts.events.map((event) => [
          event.seq,
          event.at,
          wordOrText("event", event.type),
          event.toState === "" ? "" : wordOrText("state", event.toState),
          actorWord(event.actor),
          wordOrText("audit.keyReason", event.reason),
        ])}
      />
    </>
  );
}

function FactTable({
  title,
  count,
  heads,
  rows,
}: {
  title: string;
  count: number;
  heads: readonly string[];
  rows: readonly (readonly ReactNode[])[];
}) {
  const { t } = useTranslation();
  return (
    <Panel title={title} flush>
      {rows.length === 0 ? (
        <Empty>{t("audit.facts.none")}</Empty>
      ) : (
        <table className="table compact num">
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head}>{head}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a bundle never change while it is shown
              <tr key={index}>
                {row.map((cell, column) => (
                  <td key={heads[column]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {rows.length < count ? (
        <p className="muted small audit-note">{t("audit.facts.shown", { shown: rows.length, count })}</p>
      ) : null}
    </Panel>
  );
}
