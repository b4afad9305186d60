type Cell = string | number | null;

/** A spreadsheet takes what begins like this for a formula, and would carry it out. */
const FORMULA = /^[=+\-@\t\r]/;

function cellText(cell: Cell): string {
  const text = cell === null ? "" : String(cell);
  const harmless = typeof cell === "string" && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replace(/"/g, '""')}"` : harmless;
}

/** A table as RFC 4180 has it, with LF. */
export const csv = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(cellText).join(",")}\n`).join("");
