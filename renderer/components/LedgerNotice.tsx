import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useApp } from "../stores/app";
import { openOther } from "../stores/open-other";

/** How far the sample ledger is while it is made, with a way to stop it; afterwards why there is none, if there is none. */
export function LedgerNotice() {
  const { t } = useTranslation();
  const ledger = useApp((state) => state.boot?.ledger);
  const ledgerMade = useApp((state) => state.ledgerMade);
  const cancelLedger = useApp((state) => state.cancelLedger);
  if (!ledger) return null;
  const { state, done, of, failed } = ledger;
  if (failed !== null)
    return (
      <p className="notice tone-bad" role="alert">
        {t("setup.ledger.failed", { reason: failed })}
      </p>
    );
  if (ledgerMade)
    return (
      <div className="notice tone-ok" role="status">
        <p className="grow">{t("setup.ledger.made")}</p>
        <Button size="compact-xs" onClick={() => openOther("openLedger")}>
          {t("setup.ledger.open")}
        </Button>
      </div>
    );
  if (state !== "building") return null;
  const words = of === 0 ? t("setup.ledger.beginning") : t("setup.ledger.building", { done, of });
  return (
    <div className="notice tone-info">
      <div className="grow stack tight">
        <p className="num" role="status">
          {words}
        </p>
        <progress max={of === 0 ? 1 : of} value={done} aria-label={t("setup.ledger.title")} />
      </div>
      <Button size="compact-xs" onClick={() => void cancelLedger()}>
        {t("setup.ledger.cancel")}
      </Button>
    </div>
  );
}
