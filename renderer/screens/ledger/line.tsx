import { memo } from "react";
import { HashChip } from "../../components/HashChip";
import { LaterVersion } from "../../components/LaterVersion";
import { Ago } from "../../components/Moments";
import { StateBadge } from "../../components/StateBadge";
import { formatDuration, formatNumber } from "../../format";
import { useWords } from "../../i18n";
import { type LedgerRow, useLedger } from "../../stores/ledger";
import { useNav } from "../../stores/nav";

/** In the order of their columns. */
const COUNTS = ["recovered", "unknowns", "blocks", "compensations", "duplicates"] as const;

/** One version of an edition; Enter or a click opens its run. */
export const LedgerLine = memo(function LedgerLine({ taskId, index }: { taskId: string; index: number }) {
  const t = useWords();
  const row = useLedger((state) => state.rows.get(taskId));
  return (
    <tr aria-rowindex={index + 2} className="ledger-row">
      {row ? (
        <Cells row={row} />
      ) : (
        <td className="muted" colSpan={15}>
          {t("ledger.loadingRow")}
        </td>
      )}
    </tr>
  );
});

function Cells({ row }: { row: LedgerRow }) {
  const t = useWords();
  const { go } = useNav.getState();
  const choose = useLedger((state) => state.choose);
  const isChosen = useLedger((state) => state.chosen.includes(row.taskId));
  const { taskId, edition, version } = row;
  return (
    <>
      <td>
        <input
          type="checkbox"
          className="ledger-choose"
          aria-label={t("ledger.choose", { edition, version })}
          checked={isChosen}
          onChange={(event) => choose(taskId, event.currentTarget.checked)}
        />
      </td>
      <td>
        <button
          type="button"
          data-row
          className="ledger-open"
          title={edition}
          aria-label={t("ledger.open", { edition, version })}
          onClick={() => go({ screen: "run", taskId })}
        >
          <b>{edition}</b>
          <LaterVersion version={version} />
        </button>
      </td>
      <td>
        <StateBadge state={row.state} />
      </td>
      <td>
        <Ago at={row.startedAt} />
      </td>
      <td>{row.endedAt === null ? <span className="muted">{t("ledger.notEnded")}</span> : <Ago at={row.endedAt} />}</td>
      {COUNTS.map((count) => (
        <td key={count} className={row[count] === 0 ? "number muted" : "number"}>
          {formatNumber(row[count])}
        </td>
      ))}
      <td className={row.humanMs === 0 ? "number muted" : "number"}>
        {row.humanMs === 0 ? formatNumber(0) : formatDuration(row.humanMs)}
      </td>
      <td className="mono small">{row.articleId ?? <None />}</td>
      <td className="mono small">{row.campaignId ?? <None />}</td>
      <td>{row.contentHash === null ? <None /> : <HashChip hash={row.contentHash} of="content" bare />}</td>
      <td>
        <HashChip hash={row.headHash} of="event" bare />
      </td>
    </>
  );
}

function None() {
  const t = useWords();
  return <span className="muted">{t("ledger.none")}</span>;
}
