import type { JournalSnapshot } from "../domain/invariants";
import type { EventRow, RecipientAccountRow, RecoveryItemRow, TaskRow } from "../domain/records";
import { BAG, fileOfId } from "./bag-layout";
import { type ChainNotes, eventRow } from "./chain-notes";
import { readCsv } from "./csv-rows";
import type { TaskEvidence } from "./evidence-source";
import type { PayloadReader } from "./payload-reader";
import { type Fields, storedRow } from "./stored-row";
import type { PayloadRecord } from "./verify-records";
import { parseRecord } from "./verify-records";

/** A task as a bundle has it, put together from its records and the journal's lines. */
export interface HeldTask {
  evidence: TaskEvidence;
  snapshot: JournalSnapshot;
  /** Events whose contents are not in the bundle. */
  withheld: number;
}

const rowsIn = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.filter((row) => typeof row === "object" && row !== null).map(storedRow) : [];

/**
 * Reads everything that a bundle has of a task.
 * @returns null where the record is none
 * @throws ZipFault where a file is no longer what was verified
 */
export async function readHeldTask(
  record: PayloadRecord,
  reader: PayloadReader,
  notes: ChainNotes,
): Promise<HeldTask | null> {
  const fields = parseRecord(record);
  const id = fields?.["id"];
  if (fields === null || typeof id !== "string" || typeof fields["context"] !== "object") return null;
  const { audiences, ...row } = fields;
  const events: EventRow[] = [];
  for (const event of notes.eventsOf(id))
    events.push(eventRow(event, await readBody(reader, event.header.payloadHash)));
  const of = async (folder: string) => (await reader.recordsOf(id, folder)).map(storedRow);
  const effects = await of(BAG.operations);
  const rows = {
    events,
    operations: effects.map(({ attempts: _attempts, ...operation }) => operation),
    attempts: effects.flatMap(({ attempts }) => rowsIn(attempts)),
    approvals: await withStatements(reader, await of(BAG.approvals)),
    compensations: await of(BAG.compensations),
    reconciliations: await of(BAG.reconciliations),
    audiences: rowsIn(audiences),
    recipients: await readRecipients(reader, id),
    // Held for themselves, with the keys' own events.
    registrations: [],
  } as unknown as Omit<JournalSnapshot, "tasks" | "isWhole">;
  const task = storedRow(row) as unknown as TaskRow;
  const recoveryItems = (await of(BAG.recovery)) as unknown as RecoveryItemRow[];
  return {
    evidence: { ...rows, task, recoveryItems, artifacts: [] },
    snapshot: { ...rows, tasks: [task], isWhole: false },
    withheld: events.filter(({ payload }) => payload === null).length,
  };
}

/** The approvals' words lie beside their records. */
async function withStatements(reader: PayloadReader, rows: readonly Fields[]): Promise<Fields[]> {
  const found: Fields[] = [];
  for (const row of rows) {
    const bytes = await reader.read(`${BAG.approvals}${fileOfId(String(row["id"]))}.statement.json`);
    found.push({ ...row, statement: bytes?.toString("utf8") ?? "" });
  }
  return found;
}

/** An event's contents by their hash; null where they are not in the bundle, or something else lies under that name. */
export async function readBody(reader: PayloadReader, payloadHash: unknown): Promise<string | null> {
  const name = `${BAG.bodies}${String(payloadHash)}.json`;
  if (reader.digest(name) !== payloadHash) return null;
  return (await reader.read(name))?.toString("utf8") ?? null;
}

async function readRecipients(reader: PayloadReader, taskId: string): Promise<RecipientAccountRow[]> {
  const text = (await reader.read(`${BAG.receipts}recipients-${fileOfId(taskId)}.csv`))?.toString("utf8") ?? "";
  const [, ...rows] = readCsv(text) ?? [];
  return rows.map(([recipientId, group, outcome, at, code]) => ({
    ...{ taskId, recipientId, group, outcome },
    at: Date.parse(at ?? ""),
    code: code === "" ? null : code,
  })) as RecipientAccountRow[];
}
