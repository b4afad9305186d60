import { useTranslation } from "react-i18next";
import { formatBytes, formatNumber } from "../../format";
import { type EvidencePlan, useEvidence } from "../../stores/evidence";
import { wordFor, wordOrText } from "../../words";
import { detailWord } from "../audit/detail-word";

/** What the bundle would hold, what is left out and why, and how much it is, before anything is written. */
export function ExportPlan() {
  const { t } = useTranslation();
  const answer = useEvidence((state) => state.plan.value);
  if (answer === null)
    return (
      <p className="muted" role="status">
        {t("audit.export.counting")}
      </p>
    );
  if (answer.result === "failed")
    return (
      <p className="notice tone-bad" role="alert">
        {t("audit.export.noPlan", { detail: detailWord(answer.detail) })}
      </p>
    );
  return <Plan plan={answer.plan} />;
}

function Plan({ plan }: { plan: EvidencePlan }) {
  const { t } = useTranslation();
  return (
    <dl className="facts-of">
      <dt>{t("audit.export.inside")}</dt>
      <dd className="stack tight">
        <p>{t("audit.export.alwaysInside", { events: formatNumber(plan.events) })}</p>
        <ul>
          {plan.included.map(({ kind, files, bytes }) => (
            <li key={kind} className="num">
              <KindWord kind={kind} />{" "}
              <span className="muted">
                {t("audit.export.files", { count: files })} · {formatBytes(bytes)}
              </span>
            </li>
          ))}
        </ul>
      </dd>
      <dt>{t("audit.export.outside")}</dt>
      <dd className="stack tight">
        <ul className="export-list">
          {plan.withheld.map((row) => (
            <li key={`${row.reason}-${row.kind}`}>
              <KindWord kind={row.kind} />{" "}
              <span className="muted num">{t("audit.export.files", { count: row.files })}</span>
              <br />
              <b>{t(`audit.export.reason.${row.reason}`)}</b>
              {row.titles.length > 0 ? (
                <span className="muted small"> {[...row.titles, ...row.licences].join(" · ")}</span>
              ) : null}
            </li>
          ))}
        </ul>
        <p className="muted small">{t("audit.export.never")}</p>
      </dd>
      <dt>{t("audit.export.size")}</dt>
      <dd className="num">{t("audit.export.atMost", { size: formatBytes(plan.bytes) })}</dd>
    </dl>
  );
}

/** The journal's word for a frozen file; a request is named by the operation that it was sent for. */
function KindWord({ kind }: { kind: string }) {
  const { t } = useTranslation();
  const [, of, phase] = /^request (\w+)\.(\w+)$/.exec(kind) ?? [];
  if (of === undefined || phase === undefined) return wordOrText("artifact", kind);
  return t("audit.request", { operation: `${wordFor("operationKind", of)} · ${wordFor("operationPhase", phase)}` });
}
