import { canonicalJson } from "../domain/hashing";
import type { EventRow } from "../domain/records";
import type { IncidentTrace } from "./evidence-source";
import { type Html, html } from "./html";
import { inventoryOf } from "./incident-record";
import { code, moment, named, section } from "./report-parts";
import { REPORT_WORDS, type ReportLanguage, type ReportWords } from "./report-words";

/** The incidents that touch what the bundle is about; nothing where there are none. */
export function reportIncidents(traces: readonly IncidentTrace[], language: ReportLanguage): Html {
  if (traces.length === 0) return html``;
  const words = REPORT_WORDS[language];
  const columns = [words.what, words.frozen, words.opened, words.closed, words.shownAtClosing];
  const rows = traces.map((trace) => {
    const { row, opened, ended } = trace;
    return [
      html`<div class="short">${row.rule} · ${row.kind}<div>${code(row.id)}</div></div>`,
      html`<div class="short">${row.scope}<div>${code(row.scopeValue)}</div></div>`,
      html`${moment(row.openedAt)} ${row.openedBy}${byEvent(opened, words)}`,
      ended === null
        ? words.stillOpen
        : html`${moment(ended.at)} ${ended.actor}${byEvent(ended, words)}<div>${ended.reason ?? ""}</div>`,
      shownAt(trace),
    ];
  });
  return html`<h2>${words.incidents}</h2>\n${section(words.incidents, words, columns, rows)}`;
}

const byEvent = (event: EventRow | null, words: ReportWords): Html =>
  event === null ? html`` : html`<div>${words.event} ${event.seq}</div>`;

/** Each piece of the inventory on a line of its own, as the event has it. */
function shownAt({ ended }: IncidentTrace): Html {
  const shown = inventoryOf(ended?.payload ?? null) ?? {};
  const pieces = Object.entries(shown).flatMap(([name, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value)
      : [[name, value] as const],
  );
  const text = (value: unknown) => (typeof value === "string" ? value : canonicalJson(value));
  return named(pieces.map(([name, value]) => [name, value === null ? null : text(value)]));
}
