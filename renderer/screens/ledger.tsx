import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { AnswerGate } from "../components/AnswerGate";
import { Empty } from "../components/Panel";
import { ScreenHeading } from "../components/ScreenHeading";
import { formatNumber } from "../format";
import { type LedgerView, NO_FILTER, useLedger } from "../stores/ledger";
import { LedgerActions } from "./ledger/actions";
import { Compare } from "./ledger/compare";
import { Filters } from "./ledger/filters";
import { SavedViews } from "./ledger/saved-views";
import { LedgerTable } from "./ledger/table";

/** Every version of every edition; or two of them side by side. */
export function Ledger({ compare }: { compare: readonly [string, string] | null }) {
  return compare === null ? <List /> : <Compare pair={compare} />;
}

function List() {
  const { t } = useTranslation();
  const answer = useLedger((state) => state.answer);
  return (
    <>
      <header className="head">
        <div className="row">
          <ScreenHeading>{t("ledger.title")}</ScreenHeading>
          <span className="muted">{t("ledger.lead")}</span>
        </div>
        <SavedViews />
      </header>
      <AnswerGate answer={answer} empty={t("ledger.empty")}>
        {(ledger) => (
          <section className="panel ledger" aria-label={t("ledger.table")}>
            <Filters />
            <div className="ledger-bar">
              <p className="muted small num" role="status">
                {t("ledger.count", { shown: formatNumber(ledger.taskIds.length), total: formatNumber(ledger.total) })}
              </p>
              <LedgerActions ledger={ledger} />
            </div>
            <Found ledger={ledger} />
          </section>
        )}
      </AnswerGate>
    </>
  );
}

function Found({ ledger }: { ledger: LedgerView }) {
  const { t } = useTranslation();
  const show = useLedger((state) => state.show);
  if (ledger.total === 0) return <Empty>{t("ledger.empty")}</Empty>;
  if (ledger.taskIds.length > 0) return <LedgerTable taskIds={ledger.taskIds} />;
  return (
    <div className="empty stack">
      <p>{t("ledger.noMatch")}</p>
      <Button onClick={() => void show({ filter: NO_FILTER })} style={{ alignSelf: "flex-start" }}>
        {t("ledger.clear")}
      </Button>
    </div>
  );
}
