/** One quoted or plain field, and what ends it. */
const FIELD = /(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/gy;

/** Reads a table as `csv` writes it; null where it is none. */
export function readCsv(text: string): string[][] | null {
  const rows: string[][] = [];
  let row: string[] = [];
  FIELD.lastIndex = 0;
  for (let done = 0; done < text.length; done = FIELD.lastIndex) {
    const match = FIELD.exec(text);
    if (match === null) return null;
    const [, quoted, plain, end] = match;
    row.push(quoted === undefined ? (plain ?? "") : quoted.replace(/""/g, '"'));
    if (end !== "\n") continue;
    rows.push(row);
    row = [];
  }
  return row.length === 0 ? rows : null;
}
