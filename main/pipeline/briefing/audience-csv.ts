import { canonicaliseAddress } from "./canonical-address";
import { type CsvRecord, splitCsv } from "./csv-records";

/**
 * Reads the customers' list: `id,address,group` with a header line. Nothing is half imported: as long as one row is bad,
 * `recipients` is empty and the editor gets the whole list of what to mend. Duplicates are no fault: the first row of an
 * address stands, the others are named (64 rows with 63 distinct addresses are an audience of 63).
 */
export interface AudienceRecipient {
  /** The customer's own id. It goes into the journal, so it may never look like an address. */
  id: string;
  /** Canonical: NFC, no blanks around it, lower case, an international domain in its ASCII form. */
  address: string;
  group: string;
  /** Line of the file where its row begins, from 1. */
  line: number;
}

export type RowFault =
  | "not_utf8"
  | "unclosed_quote"
  | "stray_quote"
  | "empty_file"
  | "wrong_header"
  | "wrong_column_count"
  | "missing_id"
  | "id_not_allowed"
  | "duplicate_id"
  | "missing_address"
  | "address_not_allowed"
  | "group_not_allowed";

export interface AudienceImport {
  recipients: readonly AudienceRecipient[];
  /** Rows whose address was there before, with the line they repeat. */
  duplicates: readonly { line: number; id: string; repeatsLine: number }[];
  bad: readonly { line: number; reason: RowFault }[];
  /** Rows with anything in them, without the header. */
  rows: number;
}

const HEADER = ["id", "address", "group"] as const;

/** Which column holds what, counted from 0. Where no column holds a group, nobody is in one. */
export interface AudienceColumns {
  id: number;
  address: number;
  group: number | null;
}

const USUAL: AudienceColumns = { id: 0, address: 1, group: 2 };

/**
 * @param input the file: bytes (UTF-8, with or without byte order mark) or text.
 * @param columns as a person has chosen them; without them the header must be `id,address,group`
 * @returns recipients in the file's order, or the faults by line. Never throws on what a file may hold.
 */
export function parseAudienceCsv(input: Uint8Array | string, columns?: AudienceColumns): AudienceImport {
  const read = readRecords(input);
  if (read.kind === "refused") return { recipients: [], duplicates: [], bad: read.bad, rows: read.rows };
  const { header, rows } = read;
  if (columns === undefined && namesOf(header).join() !== HEADER.join()) return refused(header.line, "wrong_header");
  return importRows(rows, { ...(columns ?? USUAL), width: header.fields.length });
}

export type AudienceTable =
  | {
      kind: "table";
      columns: readonly string[];
      sample: readonly (readonly string[])[];
      rows: number;
      usual: AudienceColumns | null;
    }
  | { kind: "refused"; line: number; reason: RowFault };

/** As many rows as show what a column holds. */
const SAMPLED = 3;

/**
 * The head of a list and its first rows, for a person to say what each column holds.
 * @returns `usual` where the names of the columns say it themselves
 */
export function readAudienceTable(input: Uint8Array | string): AudienceTable {
  const read = readRecords(input);
  if (read.kind === "refused") {
    const [{ line, reason } = { line: 1, reason: "empty_file" as const }] = read.bad;
    return { kind: "refused", line, reason };
  }
  const { header, rows } = read;
  const [id, address, group] = HEADER.map((name) => namesOf(header).indexOf(name));
  const isTold = id !== undefined && address !== undefined && id >= 0 && address >= 0;
  return {
    kind: "table",
    columns: header.fields.map((name) => name.trim()),
    sample: rows.slice(0, SAMPLED).map(({ fields }) => fields),
    rows: rows.length,
    usual: isTold ? { id, address, group: group === undefined || group < 0 ? null : group } : null,
  };
}

const namesOf = (header: CsvRecord): string[] => header.fields.map((name) => name.trim().toLowerCase());

type Records =
  | { kind: "read"; header: CsvRecord; rows: readonly CsvRecord[] }
  | { kind: "refused"; bad: AudienceImport["bad"]; rows: number };

function readRecords(input: Uint8Array | string): Records {
  const text = typeof input === "string" ? input : decodeUtf8(input);
  if (text === null) return { kind: "refused", bad: [{ line: 1, reason: "not_utf8" }], rows: 0 };
  const { records, faults } = splitCsv(text.replace(/^\uFEFF/, ""));
  const [header, ...rows] = records;
  if (faults.length > 0) return { kind: "refused", bad: faults, rows: rows.length };
  if (header === undefined) return { kind: "refused", bad: [{ line: 1, reason: "empty_file" }], rows: 0 };
  return { kind: "read", header, rows };
}

type Layout = AudienceColumns & { width: number };

function importRows(rows: readonly CsvRecord[], layout: Layout): AudienceImport {
  const recipients: AudienceRecipient[] = [];
  const duplicates: { line: number; id: string; repeatsLine: number }[] = [];
  const bad: { line: number; reason: RowFault }[] = [];
  const byAddress = new Map<string, AudienceRecipient>();
  const ids = new Map<string, string>();
  for (const row of rows) {
    const read = readRow(row, layout);
    if (typeof read === "string") {
      bad.push({ line: row.line, reason: read });
      continue;
    }
    const ownerOfId = ids.get(read.id);
    // One id for two addresses would give two people one account in the ledger.
    if (ownerOfId !== undefined && ownerOfId !== read.address) {
      bad.push({ line: row.line, reason: "duplicate_id" });
      continue;
    }
    ids.set(read.id, read.address);
    const first = byAddress.get(read.address);
    if (first !== undefined) {
      duplicates.push({ line: row.line, id: read.id, repeatsLine: first.line });
      continue;
    }
    byAddress.set(read.address, read);
    recipients.push(read);
  }
  return { recipients: bad.length === 0 ? recipients : [], duplicates, bad, rows: rows.length };
}

function readRow(
  row: CsvRecord,
  { id: idAt, address: addressAt, group: groupAt, width }: Layout,
): AudienceRecipient | RowFault {
  if (row.fields.length !== width) return "wrong_column_count";
  const fields = row.fields.map((field) => field.normalize("NFC").trim());
  const [id, rawAddress, group] = [fields[idAt], fields[addressAt], groupAt === null ? "" : fields[groupAt]];
  if (id === undefined || id === "") return "missing_id";
  // No "@": ids are written to the journal, addresses never.
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(id)) return "id_not_allowed";
  if (rawAddress === undefined || rawAddress === "") return "missing_address";
  const address = canonicaliseAddress(rawAddress);
  if (address === null) return "address_not_allowed";
  if (group === undefined || group.length > 100 || /\p{Cc}/u.test(group)) return "group_not_allowed";
  return { id, address, group, line: row.line };
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function refused(line: number, reason: RowFault): AudienceImport {
  return { recipients: [], duplicates: [], bad: [{ line, reason }], rows: 0 };
}
