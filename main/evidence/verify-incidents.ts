import { canonicalJson } from "../domain/hashing";
import { BAG, fileOfId } from "./bag-layout";
import { type ChainNotes, eventRow } from "./chain-notes";
import type { ChainedEvent } from "./chain-walk";
import { type HeldTask, readBody } from "./held-task";
import { eventMark, inventoryOf } from "./incident-record";
import type { PayloadReader } from "./payload-reader";
import { type Fields, parseFields, storedRow } from "./stored-row";
import { type PayloadRecord, parseRecord } from "./verify-records";
import type { VerifyRun } from "./verify-run";

/** A look that saw two objects in one place. */
export interface DuplicateLook {
  seq: number;
  slot: string;
}

/** The looks of a task by which an incident was opened, or found open. */
export function duplicateLooks({ snapshot: { events, operations } }: HeldTask): DuplicateLook[] {
  return events.flatMap(({ seq, operationId, payload }) => {
    const told = payload === null ? null : parseFields(Buffer.from(payload));
    const slot = operations.find(({ id }) => id === operationId)?.slot;
    const isOne = told?.["verdict"] === "duplicate" && told["by"] === "reconciliation" && slot !== undefined;
    return isOne ? [{ seq, slot }] : [];
  });
}

/** What the incidents' records are held against. */
interface Told {
  notes: ChainNotes;
  reader: PayloadReader;
  /** Tasks that the bundle is about. */
  tasks: ReadonlySet<string>;
  looks: readonly DuplicateLook[];
}

/** Numbers of the events that a record of an incident points to. */
export function eventsNamed({ opened, ended, worked }: Fields): number[] {
  return [opened, ended, ...(Array.isArray(worked) ? worked : [])].flatMap((mark) => seqOf(mark) ?? []);
}

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});
const seqOf = (mark: unknown): number | null => {
  const { seq } = fieldsOf(mark);
  return typeof seq === "number" ? seq : null;
};

/**
 * Each incident's record says what its events say, down to the inventory of its closing; none that the events tell of is missing.
 * Where an event's contents are withheld, it stays open whether there is one more.
 */
export async function verifyIncidents(run: VerifyRun, records: readonly PayloadRecord[], told: Told): Promise<void> {
  const faults: string[] = [];
  const known = new Map<string, Fields>();
  for (const record of records) {
    const fields = parseRecord(record);
    if (fields === null || record.name !== `${BAG.incidents}${fileOfId(String(fields["id"]))}.json`) {
      faults.push(`${record.name} is no record of an incident`);
      continue;
    }
    known.set(String(fields["id"]), storedRow(fields));
    for (const fault of await recordFaults(storedRow(fields), told)) faults.push(`${record.name} ${fault}`);
  }
  const { missing, withheld } = await findMissing(known, told);
  faults.push(...missing);
  const open = withheld === 0 ? null : `${withheld} events about incidents, since their contents are withheld`;
  run.judge("incidents", faults, `${records.length}, each as its events say`, open);
}

async function recordFaults(row: Fields, told: Told): Promise<string[]> {
  const { opened, ended, worked, openedAt, openedBy, closedAt } = row;
  const [first, last] = [eventOf(opened, told), eventOf(ended, told)];
  const marks = [opened, ended, ...(Array.isArray(worked) ? worked : [])].filter((mark) => mark !== null);
  const strange = marks.filter((mark) => !isMarkOf(mark, eventOf(mark, told)));
  if (strange.length > 0)
    return strange.map((mark) => `says of event ${seqOf(mark) ?? "?"} what the journal does not say`);
  if (first === null) return ["names no event that opened it"];
  const differs = (field: string, said: unknown, event: unknown) =>
    said === event ? [] : [`says ${field} ${shown(said)}, the events ${shown(event)}`];
  return [
    ...differs("openedAt", openedAt, first.header.at),
    ...differs("openedBy", openedBy, first.header.actor),
    ...(await openingFaults(row, first, told)),
    ...differs("closedAt", closedAt, last?.header.type === "IncidentClosed" ? last.header.at : null),
    ...(last === null ? [] : await closingFaults(row, last, told)),
  ];
}

const shown = (value: unknown): string => (value === null || value === undefined ? "nothing" : String(value));

function eventOf(mark: unknown, { notes }: Told): ChainedEvent | null {
  const seq = seqOf(mark);
  return seq === null ? null : notes.event(seq);
}

/** Whether a mark repeats the chain's own line. */
function isMarkOf(mark: unknown, event: ChainedEvent | null): boolean {
  if (event === null) return false;
  const { shown: _shown, ...said } = fieldsOf(mark);
  return canonicalJson(said) === canonicalJson(eventMark(eventRow(event, null)));
}

/** What froze, and why: by a person's or a rule's opening, by the epoch, or by the place in which two objects were seen. */
async function openingFaults(row: Fields, event: ChainedEvent, { reader }: Told): Promise<string[]> {
  const body = await bodyOf(event, reader);
  if (body === null) return [];
  const { type } = event.header;
  const expected: Fields =
    type === "IncidentOpened"
      ? {
          id: body["incidentId"],
          rule: body["rule"],
          kind: body["kind"],
          scope: body["scope"],
          scopeValue: body["scopeValue"],
        }
      : type === "EpochRaised"
        ? { rule: "journal_epoch", scope: "all", scopeValue: `epoch ${String(body["epoch"])}` }
        : {
            rule: body["verdict"] === "duplicate" ? "duplicate_remote" : null,
            scope: "slot",
            ...(await slotOf(event, reader)),
          };
  return Object.entries(expected)
    .filter(([field, value]) => row[field] !== value)
    .map(([field, value]) => `says ${field} ${shown(row[field])}, the events ${shown(value)}`);
}

async function slotOf(event: ChainedEvent, reader: PayloadReader): Promise<{ scopeValue?: unknown }> {
  const { operationId } = eventRow(event, null);
  const record = await reader.read(`${BAG.operations}${fileOfId(operationId ?? "")}.json`);
  return record === null ? {} : { scopeValue: parseFields(record)?.["slot"] };
}

async function closingFaults({ id, rule, ended }: Fields, event: ChainedEvent, { reader }: Told): Promise<string[]> {
  const body = await bodyOf(event, reader);
  if (body === null) return [];
  const said = fieldsOf(ended)["shown"];
  const isShown = canonicalJson(said ?? null) === canonicalJson(inventoryOf(canonicalJson(body)));
  return [
    ...(event.header.type !== "IncidentClosed" || (body["incidentId"] === id && body["rule"] === rule)
      ? []
      : [`was closed by no such event, which is about ${shown(body["incidentId"])}`]),
    ...(isShown ? [] : [`says of its closing what event ${event.seq} does not say`]),
  ];
}

async function bodyOf({ header }: ChainedEvent, reader: PayloadReader): Promise<Fields | null> {
  const body = await readBody(reader, header.payloadHash);
  return body === null ? null : parseFields(Buffer.from(body));
}

/** Incidents that events tell of and no record does. */
async function findMissing(
  known: ReadonlyMap<string, Fields>,
  { notes, reader, tasks, looks }: Told,
): Promise<{ missing: string[]; withheld: number }> {
  const missing: string[] = [];
  let withheld = 0;
  const openings = new Set([...known.values()].map(({ opened }) => seqOf(opened)));
  for (const event of notes.aboutIncidents()) {
    const { type, taskId, at } = event.header;
    if (type === "EpochReconciled") continue;
    if (type === "EpochRaised") {
      const touches = [...tasks].some((id) => notes.eventsOf(id).some(({ header }) => Number(header.at) >= Number(at)));
      if (touches && !openings.has(event.seq)) missing.push(`event ${event.seq} raised the epoch, no incident says so`);
      continue;
    }
    const body = await bodyOf(event, reader);
    if (body === null) withheld += taskId === null || tasks.has(String(taskId)) ? 1 : 0;
    else if (!known.has(String(body["incidentId"])))
      missing.push(`the incident ${shown(body["incidentId"])} that event ${event.seq} tells of is not there`);
  }
  for (const { seq, slot } of looks)
    if (![...known.values()].some((row) => wasOpenAt(row, slot, seq)))
      missing.push(`event ${seq} saw two objects in ${slot}, no incident says so`);
  return { missing, withheld };
}

const wasOpenAt = ({ scope, scopeValue, opened, ended }: Fields, slot: string, seq: number): boolean =>
  scope === "slot" &&
  scopeValue === slot &&
  (seqOf(opened) ?? 0) <= seq &&
  seq <= (seqOf(ended) ?? Number.POSITIVE_INFINITY);
