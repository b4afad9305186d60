import type { Instant } from "../domain/ids";
import { type Html, html } from "./html";
import { utc } from "./moments";
import type { ReportWords } from "./report-words";

type Cell = Html | string | number | null;

export const code = (text: string | null): Html => (text === null ? html`` : html`<code>${text}</code>`);

export const moment = (at: Instant): Html => html`<time datetime="${utc(at)}">${utc(at)}</time>`;

function table(heads: readonly string[], rows: readonly (readonly Cell[])[]): Html {
  const cells = (row: (typeof rows)[number]) => row.map((cell) => html`<td>${cell ?? ""}</td>`);
  return html`<table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>
${rows.map((row) => html`<tr>${cells(row)}</tr>\n`)}</tbody></table>`;
}

/** A heading with the number of rows, and the rows. */
export function section(
  title: string,
  words: ReportWords,
  heads: readonly string[],
  rows: readonly (readonly Cell[])[],
  count: number = rows.length,
): Html {
  const body = rows.length === 0 ? html`<p>${words.none}</p>` : table(heads, rows);
  return html`<h3>${title} (${count})</h3>\n${body}\n`;
}

/** Values with their names, one under the other; those that are null are left out. */
export function named(pairs: readonly (readonly [name: string, value: string | number | null])[]): Html {
  const there = pairs.filter(([, value]) => value !== null);
  return html`<div class="named">${there.map(([name, value]) => html`<div>${name} ${code(String(value))}</div>`)}</div>`;
}
