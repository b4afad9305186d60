import type { Input, Output } from "../../preload/contract";
import type { Instant } from "../domain/ids";
import { csv } from "../evidence/csv";
import { utc } from "../evidence/moments";

type Row = Output<"ledger.rows">["rows"][number];
type Asked = Input<"ledger.export">;

const MINUTE_MS = 60_000;

/** The columns of an export, each by the name it has in both formats. Moments are RFC 3339 in UTC. */
const COLUMNS = {
  task_id: (row) => row.taskId,
  edition: (row) => row.edition,
  version: (row) => row.version,
  state: (row) => row.state,
  started: (row) => utc(row.startedAt),
  ended: (row) => (row.endedAt === null ? null : utc(row.endedAt)),
  recovered_events: (row) => row.recovered,
  unknown_outcomes: (row) => row.unknowns,
  blocks: (row) => row.blocks,
  compensations: (row) => row.compensations,
  duplicates: (row) => row.duplicates,
  human_minutes: (row) => Math.round((row.humanMs / MINUTE_MS) * 10) / 10,
  article_id: (row) => row.articleId,
  campaign_id: (row) => row.campaignId,
  calls: (row) => row.calls,
  facts: (row) => row.facts,
  links: (row) => row.links,
  recipients: (row) => row.recipients,
  package_sha256: (row) => row.packageHash,
  content_sha256: (row) => row.contentHash,
  body_sha256: (row) => row.bodyHash,
  audience_sha256: (row) => row.audienceHash,
  last_event_sha256: (row) => row.headHash,
} as const satisfies Readonly<Record<string, (row: Row) => string | number | null>>;

const cellsOf = (row: Row) => Object.values(COLUMNS).map((cell) => cell(row));

/** Rows as a file for people and other programs: a table that no spreadsheet takes for formulas, or JSON that says what was asked. */
export function ledgerFile({ format, filter, sort }: Asked, rows: readonly Row[], now: Instant): string {
  const names = Object.keys(COLUMNS);
  if (format === "csv") return csv([names, ...rows.map(cellsOf)]);
  const editions = rows.map((row) => Object.fromEntries(cellsOf(row).map((cell, index) => [names[index], cell])));
  return `${JSON.stringify({ exported: utc(now), filter, sort, editions }, null, 2)}\n`;
}
