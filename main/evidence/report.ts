import type { Instant } from "../domain/ids";
import type { TaskEvidence } from "./evidence-source";
import { Html, html } from "./html";
import { utc, wallClock } from "./moments";
import { REPORT_WORDS, type ReportLanguage, type ReportWords } from "./report-words";
import type { ListedFile } from "./withheld";

/** What stands at the head of the report. */
export interface ReportFacts {
  label: string;
  at: Instant;
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
  .practice { border: 2px solid; padding: 0.5rem 1rem; font-weight: 600; }
  @media print {
    :root { color-scheme: light; } body { font-size: 10pt; max-width: none; margin: 0; padding: 0; }
    thead { display: table-header-group; } tr, dl { break-inside: avoid; } h2, h3 { break-after: avoid; }
    @page { margin: 18mm 15mm; }
  }`);

const code = (text: string | null): Html => (text === null ? html`` : html`<code>${text}</code>`);

const moment = (at: Instant): Html => html`<time datetime="${utc(at)}">${utc(at)}</time>`;

function table(heads: readonly string[], rows: readonly (readonly (Html | string | number | null)[])[]): Html {
  const cells = (row: (typeof rows)[number]) => row.map((cell) => html`<td>${cell ?? ""}</td>`);
  return html`<table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>
${rows.map((row) => html`<tr>${cells(row)}</tr>\n`)}</tbody></table>`;
}

function section(
  title: string,
  words: ReportWords,
  heads: readonly string[],
  rows: Parameters<typeof table>[1],
  count: number = rows.length,
): Html {
  const body = rows.length === 0 ? html`<p>${words.none}</p>` : table(heads, rows);
  return html`<h3>${title} (${count})</h3>\n${body}\n`;
}

/** When an effect left, or was made ready to. */
const leftAt = (row: { requestSentAt: Instant | null; preparedAt: Instant }): Instant =>
  row.requestSentAt ?? row.preparedAt;

/** One task told as its records have it: what was agreed to, what left, what was asked, who got it. */
export function reportTask(evidence: TaskEvidence, files: readonly ListedFile[], language: ReportLanguage): Html {
  const words = REPORT_WORDS[language];
  const { task, events, approvals, operations, attempts, reconciliations, compensations, recipients } = evidence;
  const tried = (id: string) =>
    attempts
      .filter((row) => row.operationId === id)
      .map((row) => `${row.number}: ${row.outcome ?? "?"} ${row.rawCode ?? ""}`);
  const counts = new Map<string, number>();
  for (const { outcome } of recipients) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return html`<h2>${words.edition} ${task.edition} · ${task.state}</h2>
<dl><dt>ID</dt><dd>${code(task.id)}</dd><dt>Key</dt><dd>${code(`${task.taskKey} v${task.taskVersion}`)}</dd>
<dt>${words.state}</dt><dd>${task.state} · ${moment(task.stateSince)}</dd></dl>
${section(
  words.approvals,
  words,
  [words.scope, words.by, words.time, words.until, words.bound, words.signedBy, words.ended],
  approvals.map((row) => [
    row.scope,
    row.approver,
    moment(row.issuedAt),
    moment(row.expiresAt),
    code([row.contentHash, row.pageUrl, row.bodyHash, row.audienceHash].filter((hash) => hash !== null).join(" ")),
    row.signedBy === null ? words.notSigned : code(row.signedBy),
    (row.revokedAt ?? row.endedAt) ? moment(row.revokedAt ?? row.endedAt ?? 0) : null,
  ]),
)}
${section(
  words.operations,
  words,
  [words.effect, words.state, words.time, words.tries, words.remote],
  [...operations]
    .sort((a, b) => leftAt(a) - leftAt(b))
    .map((row) => [
      `${row.kind}.${row.phase}${row.recipientId === null ? "" : ` ${row.recipientId}`}`,
      row.state,
      moment(leftAt(row)),
      tried(row.id).join("; "),
      [row.remoteId, row.remoteUrl].filter((part) => part !== null).join(" "),
    ]),
)}
${section(
  words.looks,
  words,
  [words.time, words.effect, words.verdict, words.remote],
  reconciliations.map((row) => [moment(row.at), code(row.operationId), row.verdict, row.chosenRemoteId]),
)}
${section(words.recipients, words, [words.state, words.recipients], [...counts], recipients.length)}
${section(
  words.undo,
  words,
  [words.what, words.grade, words.state],
  compensations.map((row) => [`${row.service}: ${row.action}`, row.grade, row.state]),
)}
${section(
  words.events,
  words,
  [words.time, words.local, words.what, words.by, words.reason],
  events.map((row) => [
    moment(row.at),
    `${wallClock(row.at, row.zone)} ${row.zone}`,
    row.toState === null ? row.type : `${row.type} → ${row.toState}`,
    row.actor,
    row.reason,
  ]),
)}
${section(
  words.files,
  words,
  [words.what, words.sha256, words.bytes, words.licence, words.place],
  files.map((file) => [
    [file.kind, file.title].filter((part) => part !== "").join(": "),
    code(file.hash),
    file.bytes,
    file.licence,
    "path" in file.place ? code(file.place.path) : words.withheld[file.place.withheld],
  ]),
)}`;
}

/** The whole page. */
export function reportPage(facts: ReportFacts, tasks: readonly Html[], language: ReportLanguage): string {
  const words = REPORT_WORDS[language];
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${new Html(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${words.title}: ${facts.label}</title>
<style>${STYLE}</style></head><body>
<h1>${words.title}: ${facts.label}</h1>
${facts.isSandbox ? html`<p class="practice">${words.sandbox}</p>` : html``}
<dl><dt>${words.made}</dt><dd>${moment(facts.at)}</dd>
<dt>${words.signedBy}</dt><dd>${facts.identity}</dd><dt>${words.key}</dt><dd>${code(facts.fingerprint)}</dd>
<dt>${words.journal}</dt><dd>${facts.events} ${words.journalLine} ${code(facts.head)}</dd></dl>
<p>${words.withheldNote}</p>
<h3>${words.howTo}</h3><p>${words.howToText}</p>
<h3>${words.notProved}</h3><ul>${words.notProvedItems.map((item) => html`<li>${item}</li>`)}</ul>
${[...tasks]}
</body></html>
`.text;
}
