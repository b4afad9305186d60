import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown, ArrowUp } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { type LedgerSort, useLedger } from "../../stores/ledger";
import { LedgerLine } from "./line";

const ROW_PX = 34;

type Column = LedgerSort["by"];
/** In the order of the cells of a line; those without an order of their own name no column. */
const HEADS = [
  { id: "choose", by: null },
  { id: "edition", by: "edition" },
  { id: "state", by: "state" },
  { id: "started", by: "started" },
  { id: "ended", by: "ended" },
  { id: "recovered", by: "recovered" },
  { id: "unknowns", by: "unknowns" },
  { id: "blocks", by: "blocks" },
  { id: "compensations", by: "compensations" },
  { id: "duplicates", by: "duplicates" },
  { id: "human", by: "human" },
  { id: "article", by: null },
  { id: "campaign", by: null },
  { id: "content", by: null },
  { id: "head", by: null },
] as const;
type Head = (typeof HEADS)[number]["id"];

const EXPLAINED = ["recovered", "unknowns", "blocks", "compensations", "duplicates", "human"] as const;
const isExplained = (id: Head): id is (typeof EXPLAINED)[number] => (EXPLAINED as readonly string[]).includes(id);
/** Names are looked for from A on, everything else by what there is most of. */
const beginsUpwards = (by: Column) => by === "edition" || by === "state";

/** The editions as a table of which only the part is built that is seen; the rest is two gaps. */
export function LedgerTable({ taskIds }: { taskIds: readonly string[] }) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const see = useLedger((state) => state.see);
  const virtual = useVirtualizer({
    count: taskIds.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
    useFlushSync: false,
    // Under the head of the table, which stays in view.
    scrollPaddingStart: ROW_PX,
    getItemKey: (index) => taskIds[index] ?? index,
  });
  const items = virtual.getVirtualItems();
  // As one text, so that the same rows in another array ask for nothing.
  const seen = items.map((item) => taskIds[item.index]).join(" ");
  useEffect(() => {
    void see(seen === "" ? [] : seen.split(" "));
  }, [seen, see]);
  const above = items[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <div ref={box} className="ledger-scroll">
      <table className="ledger-table" aria-label={t("ledger.table")} aria-rowcount={taskIds.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {HEADS.map(({ id, by }) => (
              <HeadCell key={id} id={id} by={by} />
            ))}
          </tr>
        </thead>
        <tbody data-list>
          <Gap heightPx={above} />
          {items.map((item) => (
            <LedgerLine key={item.key} taskId={taskIds[item.index] as string} index={item.index} />
          ))}
          <Gap heightPx={below} />
        </tbody>
      </table>
    </div>
  );
}

/** Stands for the rows that are not built. */
function Gap({ heightPx }: { heightPx: number }) {
  if (heightPx <= 0) return null;
  return (
    <tr aria-hidden className="ledger-gap">
      <td colSpan={HEADS.length} style={{ height: heightPx }} />
    </tr>
  );
}

function HeadCell({ id, by }: { id: Head; by: Column | null }) {
  const { t } = useTranslation();
  const sort = useLedger((state) => state.sort);
  const show = useLedger((state) => state.show);
  const isSorted = by !== null && sort.by === by;
  const Arrow = sort.descending ? ArrowDown : ArrowUp;
  const label = t(`ledger.column.${id}`);
  const sorted = by === null ? undefined : isSorted ? (sort.descending ? "descending" : "ascending") : "none";
  return (
    <th
      scope="col"
      aria-sort={sorted}
      className={`of-${id}${isExplained(id) ? " number" : ""}`}
      title={isExplained(id) ? t(`ledger.means.${id}`) : undefined}
    >
      {by === null ? (
        <span className={id === "choose" ? "visually-hidden" : undefined}>{label}</span>
      ) : (
        <button
          type="button"
          onClick={() => void show({ sort: { by, descending: isSorted ? !sort.descending : !beginsUpwards(by) } })}
        >
          {label}
          {isSorted ? <Arrow size={12} aria-hidden /> : null}
        </button>
      )}
    </th>
  );
}
