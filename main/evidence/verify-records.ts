import { sha256 } from "../domain/hashing";
import { BAG } from "./bag-layout";
import type { TaskOnChain } from "./chain-walk";
import type { VerifyRun } from "./verify-run";

/** A record that was found to be what was signed for. */
export interface PayloadRecord {
  name: string;
  bytes: Buffer;
}

export type Fields = Readonly<Record<string, unknown>>;

/** The record as an object; null where it is none. */
export function parseRecord({ bytes }: PayloadRecord): Fields | null {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return typeof value === "object" && value !== null ? (value as Fields) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Each task's record says what the chain says: how many events, the last one's hash, and the state it is in. */
export function verifyTasks(
  run: VerifyRun,
  records: readonly PayloadRecord[],
  onChain: ReadonlyMap<string, TaskOnChain>,
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
  run.judge("tasks", faults, `${tasks.length} end where the journal says`);
}

/** What an approval binds, wherever its record says it beside the statement. */
const BOUND = [
  "taskId",
  "scope",
  "intentKey",
  "contentHash",
  "pageUrl",
  "bodyHash",
  "audienceHash",
  "approver",
] as const;

/** The ids of approvals in what an event put into its task's context: by a person's event each was given. */
export function approvalsIn(body: PayloadRecord): string[] {
  const context = parseRecord(body)?.["context"];
  if (typeof context !== "object" || context === null) return [];
  return Object.entries(context as Fields).flatMap(([name, id]) =>
    name.endsWith("ApprovalId") && typeof id === "string" ? [id] : [],
  );
}

/**
 * Who gave each approval, by the journal's own events, as far as their contents are there.
 * @param actors whose event has which body
 */
export function givenBy(
  records: readonly PayloadRecord[],
  actors: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const bodies = records.filter(({ name }) => name.startsWith(BAG.bodies));
  return new Map(
    bodies.flatMap((body) => {
      const actor = actors.get(body.name.slice(BAG.bodies.length, -".json".length)) ?? "";
      return approvalsIn(body).map((id) => [id, actor] as const);
    }),
  );
}

/** Each approval's record is about the very statement beside it, says the same, and was given by whom the journal names. */
export function verifyApprovals(
  run: VerifyRun,
  records: readonly PayloadRecord[],
  given: ReadonlyMap<string, string>,
): void {
  const approvals = records.filter(({ name }) => name.startsWith(BAG.approvals));
  const statements = new Map(
    approvals.filter(({ name }) => name.endsWith(".statement.json")).map((one) => [one.name, one]),
  );
  const rows = approvals.filter(({ name }) => name.endsWith(".json") && !statements.has(name));
  const faults = rows.flatMap((row) => {
    const fields = parseRecord(row);
    const statement = statements.get(row.name.replace(/\.json$/, ".statement.json"));
    if (fields === null || statement === undefined) return [`${row.name} has no statement`];
    if (fields["statementSha256"] !== sha256(statement.bytes))
      return [`${statement.name} is not the statement agreed to`];
    const agreed = parseRecord(statement) ?? {};
    const other = BOUND.find((key) => agreed[key] !== fields[key]);
    if (other !== undefined) return [`${row.name} and its statement differ in ${other}`];
    const by = given.get(String(fields["id"]));
    return by === undefined || by === fields["approver"]
      ? []
      : [`${row.name} says that ${String(fields["approver"])} agreed, the journal ${by}`];
  });
  const there = new Set(rows.map((row) => parseRecord(row)?.["id"]));
  for (const [id, by] of given) if (!there.has(id)) faults.push(`the approval ${id} that ${by} gave is not there`);
  if (statements.size !== rows.length) faults.push(`${statements.size} statements for ${rows.length} approvals`);
  run.judge("approvals", faults, `${rows.length}, each as its statement says`);
}
