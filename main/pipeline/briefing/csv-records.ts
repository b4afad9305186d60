/** One record of a CSV file. `line` is where it begins, from 1: a quoted field may span lines. */
export interface CsvRecord {
  line: number;
  fields: readonly string[];
}

export interface CsvFault {
  line: number;
  reason: "unclosed_quote" | "stray_quote";
}

/**
 * Splits CSV by RFC 4180: comma, double quotes doubled inside quotes, CRLF, LF or CR as line end. Lines with nothing on
 * them are no records. A quote in the middle of a bare field is a fault and not text: guessing would shift columns.
 */
export function splitCsv(text: string): { records: readonly CsvRecord[]; faults: readonly CsvFault[] } {
  const records: CsvRecord[] = [];
  const faults: CsvFault[] = [];
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const begin = line;
    const fields: string[] = [];
    for (let more = true; more; ) {
      const field = text[at] === '"' ? readQuoted(text, at) : readBare(text, at);
      if (field.fault !== null) faults.push({ line: begin, reason: field.fault });
      fields.push(field.value);
      line += field.value.match(/\r\n|\r|\n/g)?.length ?? 0;
      at = field.end;
      more = text[at] === ",";
      if (more) at += 1;
    }
    if (text.startsWith("\r\n", at)) at += 2;
    else if (at < text.length) at += 1;
    line += 1;
    if (fields.length > 1 || (fields[0] ?? "").trim() !== "") records.push({ line: begin, fields });
  }
  return { records, faults };
}

interface Field {
  value: string;
  /** Index of the comma, line end or end of text after the field. */
  end: number;
  fault: CsvFault["reason"] | null;
}

function readBare(text: string, from: number): Field {
  const end = indexOfEnd(text, from);
  const value = text.slice(from, end);
  // A blank before an opening quote is common in hand-made files and still no valid quoting: say so.
  return { value, end, fault: value.includes('"') ? "stray_quote" : null };
}

function readQuoted(text: string, from: number): Field {
  let value = "";
  let at = from + 1;
  for (;;) {
    const close = text.indexOf('"', at);
    if (close === -1) return { value: value + text.slice(at), end: text.length, fault: "unclosed_quote" };
    value += text.slice(at, close);
    if (text[close + 1] !== '"') {
      const end = indexOfEnd(text, close + 1);
      return { value, end, fault: text.slice(close + 1, end).trim() === "" ? null : "stray_quote" };
    }
    value += '"';
    at = close + 2;
  }
}

function indexOfEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === "," || char === "\r" || char === "\n") return at;
  }
  return text.length;
}
