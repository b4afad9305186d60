import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { type Exported, type LedgerView, useLedger } from "../../stores/ledger";
import { useNav } from "../../stores/nav";
import { ExportEvidence } from "../run/export-evidence";

/** What can be done with the rows shown, with the days chosen, and with the one or two editions that are ticked. */
export function LedgerActions({ ledger }: { ledger: LedgerView }) {
  const { t } = useTranslation();
  const chosen = useLedger((state) => state.chosen);
  const rows = useLedger((state) => state.rows);
  const { from, to } = useLedger((state) => state.filter);
  const exported = useLedger((state) => state.exported);
  const exportRows = useLedger((state) => state.exportRows);
  const { go } = useNav.getState();
  const [one, other] = chosen;
  const edition = one === undefined ? undefined : rows.get(one)?.edition;
  const isBusy = (format: "csv" | "json") => exported?.kind === "busy" && exported.format === format;
  return (
    <div className="row tight ledger-actions">
      {exported ? <Told exported={exported} /> : null}
      {chosen.length === 0 && ledger.taskIds.length > 0 ? (
        <span className="muted small">{t("ledger.compare.hint")}</span>
      ) : null}
      {one !== undefined && other !== undefined ? (
        <Button size="compact-xs" onClick={() => go({ screen: "ledger", compare: [one, other] })}>
          {t("ledger.compare.button")}
        </Button>
      ) : null}
      {one !== undefined && other === undefined && edition !== undefined ? (
        <ExportEvidence
          subject={{ taskId: one }}
          words={t("ledger.evidence.one", { edition })}
          title={t("ledger.evidence.oneTitle", { edition })}
        />
      ) : null}
      {from !== null && to !== null && from <= to ? (
        <ExportEvidence
          subject={{ from, to }}
          words={t("ledger.evidence.period")}
          title={t("audit.period.of", { from, to })}
        />
      ) : null}
      {(["csv", "json"] as const).map((format) => (
        <Button
          key={format}
          size="compact-xs"
          loading={isBusy(format)}
          disabled={ledger.taskIds.length === 0}
          onClick={() => void exportRows(format)}
        >
          {t(`ledger.export.${format}`)}
        </Button>
      ))}
    </div>
  );
}

function Told({ exported }: { exported: Exported }) {
  const { t } = useTranslation();
  if (exported.kind === "busy") return null;
  if (exported.kind === "lost")
    return (
      <p className="small wrap" role="alert">
        {t("ledger.export.lost", { detail: exported.detail })}
      </p>
    );
  const { outcome } = exported;
  return (
    <p className="small wrap" role={outcome.result === "failed" ? "alert" : "status"}>
      {outcome.result === "saved"
        ? t("ledger.export.saved", { count: outcome.rows, file: outcome.file })
        : t(`ledger.export.${outcome.result}`)}
    </p>
  );
}
