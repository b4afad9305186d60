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

const HEADER = ["id", "address", "group"];

/**
 * @param input the file: bytes (UTF-8, with or without byte order mark) or text.
 * @returns recipients in the file's order, or the faults by line. Never throws on what a file may hold.
 */
export function parseAudienceCsv(input: Uint8Array | string): AudienceImport {
  const text = typeof input === "string" ? input : decodeUtf8(input);
  if (text === null) return refused(1, "not_utf8");
  const { records, faults } = splitCsv(text.replace(/^\uFEFF/, ""));
  const [header, ...rows] = records;
  if (faults.length > 0) return { recipients: [], duplicates: [], bad: faults, rows: rows.length };
  if (header === undefined) return refused(1, "empty_file");
  if (header.fields.map((name) => name.trim().toLowerCase()).join() !== HEADER.join()) {
    return refused(header.line, "wrong_header");
  }
  return importRows(rows);
}

function importRows(rows: readonly CsvRecord[]): AudienceImport {
  const recipients: AudienceRecipient[] = [];
  const duplicates: { line: number; id: string; repeatsLine: number }[] = [];
  const bad: { line: number; reason: RowFault }[] = [];
  const byAddress = new Map<string, AudienceRecipient>();
  const ids = new Map<string, string>();
  for (const row of rows) {
    const read = readRow(row);
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

function readRow(row: CsvRecord): AudienceRecipient | RowFault {
  if (row.fields.length !== HEADER.length) return "wrong_column_count";
  const [id, rawAddress, group] = row.fields.map((field) => field.normalize("NFC").trim());
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
