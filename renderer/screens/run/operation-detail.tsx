import { useTranslation } from "react-i18next";
import { CopyLine, HashChip } from "../../components/HashChip";
import { Moment } from "../../components/Moments";
import type { OperationView } from "../../stores/run";
import { actorWord, wordOrText } from "../../words";

/** One operation in full: its immutable intent, every attempt with its token, every look with what it saw. */
export function OperationDetail({ operation }: { operation: OperationView }) {
  const { t } = useTranslation();
  return (
    <section className="op-detail" aria-label={t("run.operation.detail")}>
      <dl className="facts-of">
        <dt>{t("run.unknown.key")}</dt>
        <dd>
          <CopyLine value={operation.operationKey} what={t("run.unknown.key")} />
        </dd>
        <dt>{t("run.operation.adapter")}</dt>
        <dd className="mono">{operation.adapter}</dd>
        <dt>{t("run.unknown.target")}</dt>
        <dd className="mono">{operation.target}</dd>
        <dt>{t("run.operation.slot")}</dt>
        <dd className="mono">{operation.slot}</dd>
        <dt>{t("hash.plain")}</dt>
        <dd className="row tight">
          <HashChip hash={operation.intentHash} of="intent" />
          {operation.contentHash === null ? null : <HashChip hash={operation.contentHash} of="content" />}
        </dd>
        <dt>{t("run.operation.remote")}</dt>
        <dd className="mono">{operation.remoteId ?? t("unknownValue")}</dd>
        {operation.url === null ? null : (
          <>
            <dt>{t("run.operation.url")}</dt>
            <dd className="mono">{operation.url}</dd>
          </>
        )}
      </dl>
      <Attempts operation={operation} />
      <Looks operation={operation} />
    </section>
  );
}

function Attempts({ operation }: { operation: OperationView }) {
  const { t } = useTranslation();
  if (operation.attempts.length === 0) return <p className="muted">{t("run.operation.noAttempts")}</p>;
  return (
    <table className="table">
      <caption>{t("run.operation.attempts")}</caption>
      <thead>
        <tr>
          <th>{t("run.operation.number")}</th>
          <th>{t("run.operation.sent")}</th>
          <th>{t("run.operation.ended")}</th>
          <th>{t("run.operation.outcome")}</th>
          <th>{t("run.unknown.code")}</th>
          <th>{t("run.operation.class")}</th>
          <th>{t("run.unknown.token")}</th>
        </tr>
      </thead>
      <tbody>
        {operation.attempts.map((attempt) => (
          <tr key={attempt.number}>
            <td>{attempt.number}</td>
            <td>
              <Moment at={attempt.at} shape="time" />
            </td>
            <td>{attempt.endedAt === null ? t("run.operation.open") : <Moment at={attempt.endedAt} shape="time" />}</td>
            <td>
              {attempt.outcome === null ? t("run.operation.open") : wordOrText("attemptOutcome", attempt.outcome)}
            </td>
            <td className="mono">{attempt.code}</td>
            <td>{attempt.errorClass === null ? null : wordOrText("errorClass", attempt.errorClass)}</td>
            <td>{attempt.fencingToken}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Looks({ operation }: { operation: OperationView }) {
  const { t } = useTranslation();
  if (operation.looks.length === 0) return <p className="muted">{t("run.operation.noLooks")}</p>;
  return (
    <table className="table">
      <caption>{t("run.operation.looks")}</caption>
      <thead>
        <tr>
          <th>{t("run.operation.at")}</th>
          <th>{t("run.operation.verdict")}</th>
          <th>{t("run.operation.objects")}</th>
          <th>{t("run.unknown.query")}</th>
          <th>{t("run.operation.actor")}</th>
        </tr>
      </thead>
      <tbody>
        {operation.looks.map((look) => (
          <tr key={`${look.at}-${look.verdict}`}>
            <td>
              <Moment at={look.at} shape="time" />
            </td>
            <td className="nowrap">{wordOrText("lookVerdict", look.verdict)}</td>
            <td className="mono">{look.objects.map((object) => object.remoteId).join(" ")}</td>
            <td className="mono">{look.query}</td>
            <td>{actorWord(look.actor)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
