import { differsFromStatement } from "../domain/approval-signature";
import { sha256 } from "../domain/hashing";
import type { ApprovalRow } from "../domain/records";
import { BAG } from "./bag-layout";
import type { BodyOwner } from "./chain-notes";
import type { TaskOnChain } from "./chain-walk";
import { type Fields, parseFields, storedRow } from "./stored-row";
import type { VerifyRun } from "./verify-run";

/** A record that was found to be what was signed for. */
export interface PayloadRecord {
  name: string;
  bytes: Buffer;
}

/** The record as an object; null where it is none. */
export const parseRecord = ({ bytes }: PayloadRecord): Fields | null => parseFields(bytes);

/** Each task's record says what the chain says: how many events, the last one's hash, and the state it is in. */
export function verifyTasks(
  run: VerifyRun,
  records: readonly PayloadRecord[],
  onChain: ReadonlyMap<string, TaskOnChain>,
  info: ReadonlyMap<string, string>,
): void {
  const tasks = records.filter(({ name }) => name.startsWith(BAG.tasks));
  const faults = tasks.flatMap((record) => {
    const { id, taskSeq, taskHead, state } = parseRecord(record) ?? {};
    const chain = typeof id === "string" ? onChain.get(id) : undefined;
    if (chain === undefined) return [`${record.name} is of no task in the journal`];
    const isSame = chain.taskSeq === taskSeq && chain.head === taskHead && chain.state === state;
    return isSame
      ? []
      : [`${record.name} says ${String(state)}, the journal ${chain.state ?? "nothing"}, or their ends differ`];
  });
  if (info.get("Tasks") !== String(tasks.length))
    faults.push(`${BAG.info} says ${info.get("Tasks") ?? "?"} tasks, there are ${tasks.length}`);
  if (info.get("Selection") === "everything" && tasks.length < onChain.size)
    faults.push(`the journal has ${onChain.size} tasks, and everything was chosen`);
  run.judge("tasks", faults, `${tasks.length} end where the journal says`);
}

/** Records of approvals, without the statements and signatures beside them. */
export const approvalRows = (records: readonly PayloadRecord[]): PayloadRecord[] =>
  records.filter(
    ({ name }) => name.startsWith(BAG.approvals) && name.endsWith(".json") && !name.endsWith(".statement.json"),
  );

const hashOf = (bodyName: string): string => bodyName.slice(BAG.bodies.length, -".json".length);

/** Which event gave each approval, and whose it is: by the journal's own events, as far as their contents are there. */
export function approvalsGiven(
  records: readonly PayloadRecord[],
  owners: ReadonlyMap<string, BodyOwner>,
): ReadonlyMap<string, BodyOwner> {
  const given = new Map<string, BodyOwner>();
  for (const body of records) {
    const owner = body.name.startsWith(BAG.bodies) ? owners.get(hashOf(body.name)) : undefined;
    const context = owner && parseRecord(body)?.["context"];
    if (owner === undefined || typeof context !== "object" || context === null) continue;
    for (const [name, id] of Object.entries(context as Fields))
      if (name.endsWith("ApprovalId") && typeof id === "string") given.set(id, owner);
  }
  return given;
}

/**
 * Each approval's record is about the very statement beside it, says the same in everything that was agreed to, and was given by
 * whom the journal names.
 */
export function verifyApprovals(
  run: VerifyRun,
  records: readonly PayloadRecord[],
  given: ReadonlyMap<string, BodyOwner>,
): void {
  const statements = new Map(
    records.filter(({ name }) => name.endsWith(".statement.json")).map((one) => [one.name, one]),
  );
  const rows = approvalRows(records).map((record) => ({ record, fields: parseRecord(record) }));
  const faults = rows.flatMap(({ record: { name }, fields }) => {
    const statement = statements.get(name.replace(/\.json$/, ".statement.json"));
    if (fields === null || statement === undefined) return [`${name} has no statement`];
    if (fields["statementSha256"] !== sha256(statement.bytes))
      return [`${statement.name} is not the statement agreed to`];
    const row = { ...storedRow(fields), statement: statement.bytes.toString("utf8") };
    const other = differsFromStatement(row as unknown as ApprovalRow);
    if (other !== null) return [`${name} and its statement differ in ${other}`];
    const by = given.get(String(fields["id"]))?.actor;
    return by === undefined || by === fields["approver"]
      ? []
      : [`${name} says that ${String(fields["approver"])} agreed, the journal ${by}`];
  });
  const there = new Set(rows.map(({ fields }) => fields?.["id"]));
  for (const [id, { actor }] of given)
    if (!there.has(id)) faults.push(`the approval ${id} that ${actor} gave is not there`);
  if (statements.size !== rows.length) faults.push(`${statements.size} statements for ${rows.length} approvals`);
  const ungiven = rows.filter(({ fields }) => !given.has(String(fields?.["id"]))).length;
  const open = ungiven === 0 ? null : `who gave ${ungiven} approvals, since the contents of those events are withheld`;
  run.judge("approvals", faults, `${rows.length}, each as its statement says`, open);
}
