import type { Instant } from "../domain/ids";
import type { ApprovalRow } from "../domain/records";
import type { TaskEvidence } from "./evidence-source";
import { type Html, html } from "./html";
import { wallClock } from "./moments";
import { code, moment, named, section } from "./report-parts";
import { REPORT_WORDS, type ReportLanguage } from "./report-words";
import { parseFields } from "./stored-row";
import type { ListedFile } from "./withheld";

/** Warnings that are named; the statement has all of them. */
const NAMED = 12;

/** When an effect left, or was made ready to. */
const leftAt = (row: { requestSentAt: Instant | null; preparedAt: Instant }): Instant =>
  row.requestSentAt ?? row.preparedAt;

/** What a person was warned of and agreed to nevertheless, as it stands in the statement. */
function acknowledgedIn({ statement }: ApprovalRow): Html {
  const { acknowledged } = parseFields(Buffer.from(statement)) ?? {};
  const ids = Array.isArray(acknowledged) ? acknowledged.map(String) : [];
  const more = ids.length > NAMED ? ` … (${ids.length})` : "";
  return html`${ids.slice(0, NAMED).join(", ")}${more}`;
}

/** One task told as its records have it: what was agreed to, what left, what was asked, who got it. */
export function reportTask(evidence: TaskEvidence, files: readonly ListedFile[], language: ReportLanguage): Html {
  const words = REPORT_WORDS[language];
  const { task, events, approvals, operations, attempts, reconciliations } = evidence;
  const { compensations, recipients, recoveryItems } = evidence;
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
  [words.scope, words.by, words.givenAndUntil, words.bound, words.acknowledged, words.signedBy, words.ended],
  approvals.map((row) => [
    row.scope,
    row.approver,
    html`${moment(row.issuedAt)}<br>${moment(row.expiresAt)}`,
    named([
      [words.contentHash, row.contentHash],
      [words.packageHash, row.packageHash],
      [words.pageUrl, row.pageUrl],
      [words.bodyHash, row.bodyHash],
      [words.audienceHash, row.audienceHash],
      [words.checkReceipt, row.checkReceiptId],
    ]),
    acknowledgedIn(row),
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
  words.recovery,
  words,
  [words.what, words.state, words.by, words.until, words.method],
  recoveryItems.map((row) => [
    html`${row.kind}<div>${code(row.subject)}</div>`,
    row.stage,
    row.owner,
    moment(row.dueAt),
    [row.method, row.verification, row.review].filter((part) => part !== null).join(" · "),
  ]),
)}
${section(
  words.events,
  words,
  [words.number, words.time, words.local, words.what, words.by, words.reason],
  events.map((row) => [
    row.seq,
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
