import { canonicalJson, sha256 } from "../domain/hashing";
import type { EventRow } from "../domain/records";
import { approvalSignersFile, registeredKeys } from "./approval-signers";
import { BAG, fileOfId } from "./bag-layout";
import type { BagWriter } from "./bag-writer";
import { BundleRefused } from "./bundle-refused";
import { csv } from "./csv";
import type { IncidentTrace, TaskEvidence } from "./evidence-source";
import { incidentRecord, recoveryRecord } from "./incident-record";
import { readable, utc } from "./moments";
import type { ListedFile } from "./withheld";

/** The task's rows as files, and the contents of its events under their hashes. */
export async function addRecords(bag: BagWriter, evidence: TaskEvidence, written: Set<string>): Promise<void> {
  const { task, events, operations, attempts, approvals, compensations, reconciliations, audiences, recipients } =
    evidence;
  const json = (path: string, value: unknown) => bag.add(path, `${canonicalJson(value)}\n`);
  await json(`${BAG.tasks}${fileOfId(task.id)}.json`, { ...readable(task), audiences: audiences.map(readable) });
  for (const row of approvals) {
    const { statement, ...rest } = row;
    // The very bytes that were agreed to, so that anybody can hash them.
    await bag.add(`${BAG.approvals}${fileOfId(row.id)}.statement.json`, statement);
    if (row.signature !== null) await bag.add(`${BAG.approvals}${fileOfId(row.id)}.statement.json.sig`, row.signature);
    await json(`${BAG.approvals}${fileOfId(row.id)}.json`, { ...readable(rest), statementSha256: sha256(statement) });
  }
  for (const row of operations) {
    const tries = attempts.filter(({ operationId }) => operationId === row.id).map(readable);
    await json(`${BAG.operations}${fileOfId(row.id)}.json`, { ...readable(row), attempts: tries });
  }
  for (const row of reconciliations) await json(`${BAG.reconciliations}${fileOfId(row.id)}.json`, readable(row));
  for (const row of compensations) await json(`${BAG.compensations}${fileOfId(row.id)}.json`, readable(row));
  const accounts = recipients.map((row) => [row.recipientId, row.group, row.outcome, utc(row.at), row.code]);
  const head = ["recipient_id", "group", "outcome", "at", "code"];
  await bag.add(`${BAG.receipts}recipients-${fileOfId(task.id)}.csv`, csv([head, ...accounts]));
  for (const row of evidence.recoveryItems) {
    const { path, text } = recoveryRecord(row);
    await bag.add(path, text);
  }
  await addBodies(bag, [...events, ...(evidence.registrations ?? [])], written);
}

async function addBodies(bag: BagWriter, events: readonly EventRow[], written: Set<string>): Promise<void> {
  for (const { seq, payload, payloadHash } of events) {
    const path = `${BAG.bodies}${payloadHash}.json`;
    if (payload === null || written.has(path)) continue;
    if (sha256(payload) !== payloadHash)
      throw new BundleRefused(`the contents of event ${seq} are not what was recorded`);
    written.add(path);
    await bag.add(path, payload);
  }
}

/** The incidents, with the contents of the events that tell of them, whosever task they belong to. */
export async function addIncidents(
  bag: BagWriter,
  traces: readonly IncidentTrace[],
  written: Set<string>,
): Promise<ListedFile[]> {
  const listed: ListedFile[] = [];
  for (const trace of traces) {
    const { path, text, listed: file } = incidentRecord(trace);
    await bag.add(path, text);
    listed.push(file);
    const { opened, ended, worked } = trace;
    await addBodies(
      bag,
      [opened, ...worked, ended].filter((event) => event !== null),
      written,
    );
  }
  return listed;
}

/** The keys that approvals were signed with, once: the journal's, so that every task says the same. */
export async function addSigners(
  bag: BagWriter,
  { registrations = [] }: TaskEvidence,
  written: Set<string>,
): Promise<void> {
  if (registrations.length === 0 || written.has(BAG.approvalSigners)) return;
  written.add(BAG.approvalSigners);
  await bag.add(BAG.approvalSigners, approvalSignersFile(registeredKeys(registrations)));
}
