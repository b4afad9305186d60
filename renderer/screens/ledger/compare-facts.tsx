import { useTranslation } from "react-i18next";
import { Empty, Panel } from "../../components/Panel";
import type { LedgerFacts } from "../../stores/ledger";

interface Side {
  edition: string;
  /** Undefined while they are being read; null where nothing was frozen. */
  facts: LedgerFacts | undefined;
}

/** The facts of both frozen packages by their headlines: in both, in one of them, or worded differently. */
export function CompareFacts({ left, right }: { left: Side; right: Side }) {
  const { t } = useTranslation();
  const isReading = left.facts === undefined || right.facts === undefined;
  const lines = joined(left.facts?.facts ?? [], right.facts?.facts ?? []);
  const wordOf = (line: Line) => {
    if (line.left === null) return t("ledger.compare.onlyIn", { edition: right.edition });
    if (line.right === null) return t("ledger.compare.onlyIn", { edition: left.edition });
    return t(line.left === line.right ? "ledger.compare.inBoth" : "ledger.compare.changed");
  };
  return (
    <Panel title={t("ledger.compare.facts")} flush>
      {isReading ? (
        <p className="empty">{t("ledger.compare.loading")}</p>
      ) : lines.length === 0 ? (
        <Empty>{t("ledger.compare.noFacts")}</Empty>
      ) : (
        <table className="table compact ledger-compare">
          <thead>
            <tr>
              <th scope="col">{t("ledger.compare.facts")}</th>
              <th scope="col">{left.edition}</th>
              <th scope="col">{right.edition}</th>
              <th scope="col">{t("ledger.compare.difference")}</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">{t("ledger.compare.pageTitle")}</th>
              <td>{left.facts?.title ?? t("ledger.none")}</td>
              <td>{right.facts?.title ?? t("ledger.none")}</td>
              <td>
                {t(left.facts?.title === right.facts?.title ? "ledger.compare.same" : "ledger.compare.different")}
              </td>
            </tr>
            {lines.map((line) => (
              <tr key={line.key}>
                <th scope="row">{line.headline}</th>
                <td>{line.left ?? <span className="muted">{t("ledger.none")}</span>}</td>
                <td>{line.right ?? <span className="muted">{t("ledger.none")}</span>}</td>
                <td>{wordOf(line)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

interface Line {
  key: string;
  headline: string;
  /** What each side states under this headline. */
  left: string | null;
  right: string | null;
}

type Fact = NonNullable<LedgerFacts>["facts"][number];

/** In the order of the left side; what only the right one has comes after it. A headline that comes twice is matched once each. */
function joined(left: readonly Fact[], right: readonly Fact[]): Line[] {
  const others = right.map((fact, place) => ({ ...fact, place }));
  const lines = left.map(({ headline, statement }, place): Line => {
    const found = others.findIndex((fact) => fact.headline === headline);
    const [match] = found < 0 ? [] : others.splice(found, 1);
    return { key: `left ${place}`, headline, left: statement, right: match?.statement ?? null };
  });
  const added = others.map(
    ({ headline, statement, place }): Line => ({ key: `right ${place}`, headline, left: null, right: statement }),
  );
  return [...lines, ...added];
}
