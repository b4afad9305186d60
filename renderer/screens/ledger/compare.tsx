import { useTranslation } from "react-i18next";
import { AnswerGate } from "../../components/AnswerGate";
import { BackButton } from "../../components/BackButton";
import { Panel } from "../../components/Panel";
import { ScreenHeading } from "../../components/ScreenHeading";
import { type LedgerRow, useLedger } from "../../stores/ledger";
import { useNav } from "../../stores/nav";
import { CompareFacts } from "./compare-facts";
import { COMPARED, type Compared, GROUPS } from "./compare-rows";

/** Two versions side by side: course, counts, ids and hashes, and the facts that were frozen, each difference in words. */
export function Compare({ pair }: { pair: readonly [string, string] }) {
  const { t } = useTranslation();
  const answer = useLedger((state) => state.answer);
  const rows = useLedger((state) => state.rows);
  const facts = useLedger((state) => state.facts);
  const [left, right] = [rows.get(pair[0]), rows.get(pair[1])];
  const nameOf = (row: LedgerRow | undefined) =>
    row === undefined || row.version === 1 ? (row?.edition ?? "…") : t("ledger.compare.of", { ...row });
  return (
    <>
      <header className="head">
        <div className="row">
          <ScreenHeading>{t("ledger.compare.title", { left: nameOf(left), right: nameOf(right) })}</ScreenHeading>
          <BackButton to={{ screen: "ledger" }}>{t("ledger.compare.back")}</BackButton>
        </div>
      </header>
      <AnswerGate answer={answer} empty={t("ledger.empty")}>
        {() =>
          left && right ? (
            <Sides left={left} right={right} />
          ) : (
            <p className="muted" role="status">
              {t(pair.some((id) => facts.has(id)) ? "ledger.compare.gone" : "ledger.compare.loading")}
            </p>
          )
        }
      </AnswerGate>
    </>
  );
}

function Sides({ left, right }: { left: LedgerRow; right: LedgerRow }) {
  const { t } = useTranslation();
  const facts = useLedger((state) => state.facts);
  return (
    <>
      <Panel title={t("ledger.compare.sides")} flush>
        <table className="table compact ledger-compare">
          <thead>
            <tr>
              <th scope="col">{t("ledger.compare.what")}</th>
              <SideHead row={left} />
              <SideHead row={right} />
              <th scope="col">{t("ledger.compare.difference")}</th>
            </tr>
          </thead>
          {GROUPS.map((group) => (
            <tbody key={group}>
              <tr>
                <th scope="rowgroup" colSpan={4} className="ledger-group">
                  {t(`ledger.compare.${group}`)}
                </th>
              </tr>
              {COMPARED[group].map((compared) => (
                <Line key={compared.id} compared={compared} left={left} right={right} />
              ))}
            </tbody>
          ))}
        </table>
      </Panel>
      <CompareFacts
        left={{ edition: left.edition, facts: facts.get(left.taskId) }}
        right={{ edition: right.edition, facts: facts.get(right.taskId) }}
      />
    </>
  );
}

function SideHead({ row: { taskId, edition, version } }: { row: LedgerRow }) {
  const { t } = useTranslation();
  const { go } = useNav.getState();
  return (
    <th scope="col">
      <button
        type="button"
        className="ledger-open"
        title={edition}
        aria-label={t("ledger.open", { edition, version })}
        onClick={() => go({ screen: "run", taskId })}
      >
        {t("ledger.compare.of", { edition, version })}
      </button>
    </th>
  );
}

function Line({ compared, left, right }: { compared: Compared; left: LedgerRow; right: LedgerRow }) {
  const { t } = useTranslation();
  const word = compared.difference(left, right);
  return (
    <tr>
      <th scope="row">{compared.label()}</th>
      <td>{compared.show(left)}</td>
      <td>{compared.show(right)}</td>
      <td className={word === null ? "muted" : undefined}>{word ?? t("ledger.compare.same")}</td>
    </tr>
  );
}
