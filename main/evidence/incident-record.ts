import { canonicalJson, sha256 } from "../domain/hashing";
import type { EventRow, RecoveryItemRow } from "../domain/records";
import { BAG, fileOfId } from "./bag-layout";
import type { IncidentTrace } from "./evidence-source";
import { readable, utc } from "./moments";
import type { ListedFile } from "./withheld";

/** A record as it is written: its place, its bytes, and how the list of files names it. */
export interface RecordFile {
  path: string;
  text: string;
  listed: ListedFile;
}

/** An event as a record points to it: by its number, and by what the chain's own line says of it. */
export const eventMark = ({ seq, at, type, actor, taskId, reason, payloadHash }: EventRow) => ({
  ...{ seq, at: utc(at), type, actor, taskId, reason, payloadHash },
});

/** What was shown when it was closed, as the event tells it: everything but the names of the incident itself. */
export function inventoryOf(payload: string | null): Readonly<Record<string, unknown>> | null {
  if (payload === null) return null;
  const { incidentId: _id, rule: _rule, kind: _kind, ...shown } = JSON.parse(payload) as Record<string, unknown>;
  return shown;
}

/** `data/incidents/ID.json`: what was frozen and why, when it was opened and ended, and the closing's inventory. */
export function incidentRecord(trace: IncidentTrace): RecordFile {
  const { row, opened, ended, worked } = trace;
  const value = {
    ...readable(row),
    opened: opened && eventMark(opened),
    worked: worked.map(eventMark),
    ended: ended && { ...eventMark(ended), shown: inventoryOf(ended.payload) },
  };
  return recordFile(`${BAG.incidents}${fileOfId(row.id)}.json`, value, { kind: "incident", taskId: row.taskId ?? "" });
}

/** `data/recovery/ID.json`: something that a person had to see to, and how far it was taken. */
export const recoveryRecord = (row: RecoveryItemRow): RecordFile =>
  recordFile(`${BAG.recovery}${fileOfId(row.id)}.json`, readable(row), { kind: "recovery-item", taskId: row.taskId });

function recordFile(path: string, value: object, of: Pick<ListedFile, "kind" | "taskId">): RecordFile {
  const text = `${canonicalJson(value)}\n`;
  const nothing = { mediaType: "application/json", title: "", url: "", licence: "" };
  const bytes = Buffer.byteLength(text);
  return { path, text, listed: { ...of, hash: sha256(text), bytes, ...nothing, place: { path } } };
}
