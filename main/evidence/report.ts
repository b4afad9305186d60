import type { Instant } from "../domain/ids";
import type { BundleAbout } from "./bundle-about";
import { Html, html } from "./html";
import { utc } from "./moments";
import { code, moment } from "./report-parts";
import { REPORT_WORDS, type ReportLanguage, type ReportWords } from "./report-words";

/** What stands at the head of the report. */
export interface ReportFacts {
  label: string;
  /** By what the tasks were chosen. */
  about: BundleAbout;
  at: Instant;
  /** What a check of the workspace found wrong with it; nothing: it was in order. */
  journalFaults: readonly string[];
  isSandbox: boolean;
  identity: string;
  fingerprint: string;
  events: number;
  head: string;
}

/** No script, nothing from elsewhere: the page says so itself, so that even a tampered one could load nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const STYLE = new Html(`
  :root { color-scheme: light dark; }
  body { font: 15px/1.5 system-ui, "Noto Sans CJK SC", sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; border-top: 1px solid; padding-top: 1rem; }
  h3 { font-size: 1rem; margin-top: 1.5rem; }
  table { border-collapse: collapse; width: 100%; font-size: 0.85rem; }
  th, td { text-align: left; vertical-align: top; padding: 0.2rem 0.6rem 0.2rem 0; border-bottom: 1px solid #8886; }
  td, dd { overflow-wrap: break-word; } time { white-space: nowrap; }
  code { font: 0.85em ui-monospace, monospace; overflow-wrap: anywhere; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.2rem 1rem; } dd { margin: 0; }
  .legend { font-size: 0.85rem; grid-template-columns: minmax(6rem, max-content) 1fr; } dt { font-weight: 600; }
  .named { min-width: 19rem; } .short { min-width: 8.5rem; }
  .practice { border: 2px solid; padding: 0.5rem 1rem; font-weight: 600; }
  @media print {
    :root { color-scheme: light; } body { font-size: 10pt; max-width: none; margin: 0; padding: 0; }
    table { font-size: 8pt; } .named { min-width: 13rem; } .short { min-width: 6rem; } code { font-size: 7pt; }
    thead { display: table-header-group; } tr, dl { break-inside: avoid; } h2, h3 { break-after: avoid; }
    @page { margin: 18mm 15mm; }
  }`);

/** What the page is about, in the words of whoever chose it. */
function titleOf({ about, label }: ReportFacts, words: ReportWords): string {
  switch (about.kind) {
    case "incident":
      return `${words.ofIncident} ${about.id} · ${label}`;
    case "period":
      return `${words.ofPeriod} ${utc(about.from)} ${words.toBefore} ${utc(about.before)} · ${label}`;
    case "everything":
      return `${words.ofEverything} · ${label}`;
    default:
      return `${words.edition} ${label}`;
  }
}

/** The whole page. */
export function reportPage(facts: ReportFacts, told: readonly Html[], language: ReportLanguage): string {
  const words = REPORT_WORDS[language];
  const { isSandbox, journalFaults } = facts;
  const title = `${words.title}: ${titleOf(facts, words)}`;
  const notProved = [
    ...(journalFaults.length > 0 ? [words.journalNotInOrder] : []),
    ...(isSandbox ? [words.sandboxClock] : []),
    ...words.notProvedItems,
  ];
  const list = (items: readonly string[]) => html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${new Html(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<style>${STYLE}</style></head><body>
<h1>${title}</h1>
${isSandbox ? html`<p class="practice">${words.sandbox}</p>` : html``}
${journalFaults.length > 0 ? html`<div class="practice"><p>${words.journalNotInOrder}</p>${list(journalFaults)}</div>` : html``}
<dl><dt>${words.made}</dt><dd>${moment(facts.at)}</dd>
<dt>${words.signedBy}</dt><dd>${facts.identity}</dd><dt>${words.key}</dt><dd>${code(facts.fingerprint)}</dd>
<dt>${words.journal}</dt><dd>${facts.events} ${words.journalLine} ${code(facts.head)}</dd></dl>
<p>${words.withheldNote}</p>
<h3>${words.howTo}</h3><p>${words.howToText}</p>
<h3>${words.notProved}</h3>${list(notProved)}
<h3>${words.legend}</h3>
<dl class="legend">${words.legendItems.map(([name, text]) => html`<dt>${name}</dt><dd>${text}</dd>\n`)}</dl>
${[...told]}
</body></html>
`.text;
}
