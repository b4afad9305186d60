import i18next from "i18next";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { HashChip, type HashOf } from "../../components/HashChip";
import { Moment } from "../../components/Moments";
import { StateBadge } from "../../components/StateBadge";
import { formatDuration, formatNumber } from "../../format";
import type { LedgerRow } from "../../stores/ledger";

/** One thing of two editions: how each side shows it, and in what they differ, in words; null where they do not. */
export interface Compared {
  id: string;
  label: () => string;
  show: (row: LedgerRow) => ReactNode;
  difference: (left: LedgerRow, right: LedgerRow) => string | null;
}

export const GROUPS = ["course", "counts", "hashes"] as const;

const tookOf = ({ startedAt, endedAt }: LedgerRow): number | null => (endedAt === null ? null : endedAt - startedAt);
const differs = (left: unknown, right: unknown): string | null =>
  left === right ? null : i18next.t("ledger.compare.different");

/** How much more or less the right side has; where one side has nothing, that they differ. */
function measured(left: number | null, right: number | null, of: "count" | "duration"): string | null {
  if (left === null || right === null || left === right) return differs(left, right);
  const size = Math.abs(right - left);
  if (of === "count") return i18next.t(`ledger.compare.${right > left ? "more" : "less"}`, { n: formatNumber(size) });
  const duration = formatDuration(size);
  return i18next.t(`ledger.compare.${right > left ? "longer" : "shorter"}`, { duration });
}

function Maybe({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return children === null ? <span className="muted">{t("ledger.none")}</span> : children;
}

function NotEnded() {
  const { t } = useTranslation();
  return <span className="muted">{t("ledger.notEnded")}</span>;
}

type CountOf = { [K in keyof LedgerRow]: LedgerRow[K] extends number | null ? K : never }[keyof LedgerRow];

const count = (id: CountOf, label: () => string): Compared => ({
  id,
  label,
  show: (row) => <Maybe>{row[id] === null ? null : formatNumber(row[id])}</Maybe>,
  difference: (left, right) => measured(left[id], right[id], "count"),
});

const remoteId = (id: "articleId" | "campaignId", label: () => string): Compared => ({
  id,
  label,
  show: (row) => <Maybe>{row[id] === null ? null : <span className="mono">{row[id]}</span>}</Maybe>,
  difference: (left, right) => differs(left[id], right[id]),
});

type HashId = "packageHash" | "contentHash" | "bodyHash" | "audienceHash" | "headHash";
const hash = (id: HashId, of: HashOf, label: () => string): Compared => ({
  id,
  label,
  show: (row) => <Maybe>{row[id] === null ? null : <HashChip hash={row[id]} of={of} bare />}</Maybe>,
  difference: (left, right) => differs(left[id], right[id]),
});

const moment = (id: "startedAt" | "endedAt", label: () => string): Compared => ({
  id,
  label,
  show: (row) => (row[id] === null ? <NotEnded /> : <Moment at={row[id]} shape="moment" />),
  difference: (left, right) => differs(left[id], right[id]),
});

const duration = (id: string, label: () => string, of: (row: LedgerRow) => number | null): Compared => ({
  id,
  label,
  show: (row) => {
    const ms = of(row);
    return ms === null ? <NotEnded /> : formatDuration(ms);
  },
  difference: (left, right) => measured(of(left), of(right), "duration"),
});

const column = (id: "state" | "started" | "ended" | "human" | "article" | "campaign" | "content" | "head") => () =>
  i18next.t(`ledger.column.${id}`);

export const COMPARED: Readonly<Record<(typeof GROUPS)[number], readonly Compared[]>> = {
  course: [
    {
      id: "state",
      label: column("state"),
      show: (row) => <StateBadge state={row.state} />,
      difference: (left, right) => differs(left.state, right.state),
    },
    moment("startedAt", column("started")),
    moment("endedAt", column("ended")),
    duration("took", () => i18next.t("ledger.compare.took"), tookOf),
    duration("human", column("human"), (row) => row.humanMs),
  ],
  counts: [
    ...(["recovered", "unknowns", "blocks", "compensations", "duplicates"] as const).map((id) =>
      count(id, () => i18next.t(`ledger.column.${id}`)),
    ),
    count("calls", () => i18next.t("ledger.compare.calls")),
    count("facts", () => i18next.t("ledger.compare.factCount")),
    count("links", () => i18next.t("ledger.compare.links")),
    count("recipients", () => i18next.t("ledger.compare.recipients")),
  ],
  hashes: [
    remoteId("articleId", column("article")),
    remoteId("campaignId", column("campaign")),
    hash("packageHash", "package", () => i18next.t("ledger.compare.package")),
    hash("contentHash", "content", column("content")),
    hash("bodyHash", "body", () => i18next.t("ledger.compare.body")),
    hash("audienceHash", "audience", () => i18next.t("ledger.compare.audience")),
    hash("headHash", "event", column("head")),
  ],
};
