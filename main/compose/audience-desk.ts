import type { Customers, ImportResult } from "../../db/customers";
import type { Input, Output } from "../../preload/contract";
import {
  type AudienceColumns,
  type AudienceImport,
  parseAudienceCsv,
  readAudienceTable,
} from "../pipeline/briefing/audience-csv";

/** A file that a person chose in the system's own dialog; null where none was. `bytes` is null where it is too large to be a list. */
export type ChooseTable = () => Promise<{ name: string; bytes: Uint8Array | null } | null>;

type Preview = Output<"audience.preview">;
type Ready = Extract<Preview, { result: "ready" }>;
type BadRows = Extract<Preview, { result: "bad_rows" }>;

/** What a person reads of a long list; how many there are in all is said beside it. */
const LISTED = 200;
const CHANGES = ["added", "returned", "new_address", "new_group", "removed"] as const;

/**
 * The import of an audience in three steps: a file is chosen, its columns are named and what would change is looked at, and then all
 * of it is imported in one transaction or nothing. The bytes that were looked at are those that are imported.
 */
export class AudienceDesk {
  private bytes: Uint8Array | null = null;

  constructor(
    private readonly options: {
      customers: Pick<Customers, "importAudience" | "previewAudience" | "importVersion" | "recipients">;
      chooseTable: ChooseTable;
    },
  ) {}

  async choose(): Promise<Output<"audience.choose">> {
    const file = await this.options.chooseTable();
    if (file === null) return { result: "nothing_chosen" };
    this.bytes = null;
    const { name, bytes } = file;
    if (bytes === null) return { result: "refused", name, line: 0, reason: "too_large" };
    const table = readAudienceTable(bytes);
    if (table.kind === "refused") return { result: "refused", name, line: table.line, reason: table.reason };
    this.bytes = bytes;
    const { columns, sample, rows, usual } = table;
    return { result: "chosen", name, columns: [...columns], sample: sample.map((row) => [...row]), rows, usual };
  }

  preview({ columns }: Input<"audience.preview">): Preview {
    const read = this.read(columns);
    if ("result" in read) return read;
    const found = this.options.customers.previewAudience(rowsOf(read));
    return found.kind === "refused" ? conflicts(read, found) : this.ready(read, found);
  }

  import({ columns, importVersion }: Input<"audience.import">): Output<"audience.import"> {
    const { customers } = this.options;
    const read = this.read(columns);
    if ("result" in read) return read;
    if (customers.importVersion() !== importVersion) return { result: "stale" };
    const done = customers.importAudience(rowsOf(read));
    if (done.kind === "refused") return conflicts(read, done);
    this.bytes = null;
    return { result: "imported", count: done.count, importVersion: done.importVersion };
  }

  private read(columns: AudienceColumns): AudienceImport | BadRows | { result: "no_file" } {
    if (this.bytes === null) return { result: "no_file" };
    const read = parseAudienceCsv(this.bytes, columns);
    // A list with nobody on it would take everybody out of the audience: it is taken for a mistake.
    const bad = read.bad.length === 0 && read.recipients.length === 0 ? [{ line: 1, reason: "nobody" }] : read.bad;
    return bad.length > 0 ? badRows(read.rows, bad) : read;
  }

  private ready(read: AudienceImport, found: Extract<ImportResult, { kind: "imported" }>): Ready {
    const changed = new Set(found.changes.map(({ recipientId }) => recipientId));
    const kept = this.options.customers.recipients().filter(({ recipientId }) => !changed.has(recipientId)).length;
    return {
      result: "ready",
      ...{ rows: read.rows, count: found.count, kept, importVersion: found.importVersion },
      changes: CHANGES.map((change) => {
        const ids = found.changes.filter((one) => one.change === change).map(({ recipientId }) => recipientId);
        return { change, count: ids.length, recipientIds: ids.slice(0, LISTED) };
      }),
      duplicates: read.duplicates.slice(0, LISTED),
      duplicateCount: read.duplicates.length,
      merged: found.merged.slice(0, LISTED),
      mergedCount: found.merged.length,
    };
  }
}

const rowsOf = ({ recipients }: AudienceImport) => recipients.map(({ id, address, group }) => ({ id, address, group }));

const badRows = (rows: number, bad: readonly { line: number; reason: string }[]): BadRows => ({
  result: "bad_rows",
  rows,
  bad: bad.slice(0, LISTED),
  badCount: bad.length,
});

/** What only shows against those who are known already, by the line of the file. */
function conflicts(read: AudienceImport, { faults }: Extract<ImportResult, { kind: "refused" }>): BadRows {
  const bad = faults.map(({ row, code }) => ({ line: read.recipients[row]?.line ?? 1, reason: code }));
  return badRows(read.rows, bad);
}
