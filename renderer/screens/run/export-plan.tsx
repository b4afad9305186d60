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
    <>
      {plan.journalFaults.length > 0 ? (
        <div className="notice tone-warn" role="alert">
          <div className="stack tight">
            <p>{t("audit.export.notInOrder")}</p>
            <ul className="export-list">
              {plan.journalFaults.map((fault) => (
                <li key={fault} className="small wrap">
                  {fault}
                </li>
              ))}
            </ul>
          </div>
        </div>
      ) : null}
      <dl className="facts-of">
        <dt>{t("audit.export.inside")}</dt>
        <dd className="stack tight">
          <p>{t("audit.export.alwaysInside", { events: formatNumber(plan.events) })}</p>
          <ul className="export-inside">
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
          {REASONS.map((reason) => (
            <LeftOut key={reason} reason={reason} rows={plan.withheld.filter((row) => row.reason === reason)} />
          ))}
          <p className="muted small">{t("audit.export.never")}</p>
        </dd>
        <dt>{t("audit.export.size")}</dt>
        <dd className="num">{t("audit.export.atMost", { size: formatBytes(plan.bytes) })}</dd>
      </dl>
    </>
  );
}

type Withheld = EvidencePlan["withheld"][number];
const REASONS = ["licence", "addresses", "choice", "not_kept"] as const;

function LeftOut({ reason, rows }: { reason: Withheld["reason"]; rows: readonly Withheld[] }) {
  const { t } = useTranslation();
  if (rows.length === 0) return null;
  return (
    <div>
      <p>{t(`audit.export.reason.${reason}`)}</p>
      <ul className="export-list">
        {rows.map((row) => (
          <li key={row.kind}>
            <KindWord kind={row.kind} />{" "}
            <span className="muted num">{t("audit.export.files", { count: row.files })}</span>
            {row.titles.length > 0 ? <span className="muted small wrap"> · {row.titles.join(" · ")}</span> : null}
            {row.licences.length > 0 ? (
              <p className="muted small">{t("audit.export.licences", { licences: row.licences.join(" · ") })}</p>
            ) : null}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The journal's word for a frozen file; a request is named by the operation that it was sent for. */
function KindWord({ kind }: { kind: string }) {
  const { t } = useTranslation();
  const [, of, phase] = /^request (\w+)\.(\w+)$/.exec(kind) ?? [];
  if (of === undefined || phase === undefined) return wordOrText("artifact", kind);
  return t("audit.request", { operation: `${wordFor("operationKind", of)} · ${wordFor("operationPhase", phase)}` });
}
