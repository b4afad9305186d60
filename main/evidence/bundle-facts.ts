import { BAG } from "./bag-layout";
import { readInfo } from "./manifest";
import { utc } from "./moments";
import type { VerifiedBag } from "./verified-bag";

/** What a verified bundle tells, for reading: every value is text from the bundle, and as such untrusted. */
export interface BundleFacts {
  workspaceId: string;
  workspaceKind: string;
  createdAt: string;
  taskCount: number;
  tasks: { id: string; edition: string; key: string; version: string; state: string; stateSince: string }[];
  approvals: {
    id: string;
    scope: string;
    approver: string;
    issuedAt: string;
    expiresAt: string;
    signedBy: string;
    ended: string;
  }[];
  operations: {
    id: string;
    kind: string;
    phase: string;
    state: string;
    sentAt: string;
    remote: string;
    tries: string;
  }[];
  incidents: { id: string; rule: string; frozen: string; openedAt: string; endedAt: string; reason: string }[];
  /** Events of the tasks that are in the bundle. */
  eventCount: number;
  events: { seq: number; at: string; type: string; toState: string; actor: string; reason: string }[];
}

/** A page can show these; how many there are is said. */
const SHOWN_RECORDS = 200;
const SHOWN_EVENTS = 500;
const MAX_RECORD_BYTES = 16 * 1024 * 1024;
const MAX_TEXT = 300;

type Fields = Readonly<Record<string, unknown>>;

/** Reads what a person wants to know of a bundle. @throws ZipFault where a file is no longer what was verified. */
export async function readBundleFacts(bag: VerifiedBag): Promise<BundleFacts> {
  const { values } = readInfo(await bag.readText(BAG.info, MAX_RECORD_BYTES));
  const tasks = await readRecords(bag, BAG.tasks);
  const approvals = await readRecords(bag, BAG.approvals);
  const operations = await readRecords(bag, BAG.operations);
  const incidents = await readRecords(bag, BAG.incidents);
  const ids = new Set(bag.pathsIn(BAG.tasks).map((path) => path.slice(BAG.tasks.length, -".json".length)));
  const events: BundleFacts["events"] = [];
  let eventCount = 0;
  await bag.readLines(BAG.events, (line) => {
    const event = JSON.parse(line) as Fields;
    if (!ids.has(text(event["taskId"]))) return;
    eventCount += 1;
    if (events.length < SHOWN_EVENTS) events.push(eventOf(event));
  });
  return {
    workspaceId: cut(values.get("Workspace-Id") ?? ""),
    workspaceKind: cut(values.get("Workspace-Kind") ?? ""),
    createdAt: cut(values.get("Created-At") ?? ""),
    taskCount: ids.size,
    tasks: tasks.map(taskOf),
    approvals: approvals.map(approvalOf),
    operations: operations.map(operationOf).sort((a, b) => (a.sentAt < b.sentAt ? -1 : 1)),
    incidents: incidents.map(incidentOf),
    eventCount,
    events,
  };
}

async function readRecords(bag: VerifiedBag, folder: string): Promise<Fields[]> {
  const paths = bag.pathsIn(folder).filter((path) => path.endsWith(".json") && !path.endsWith(".statement.json"));
  const records: Fields[] = [];
  for (const path of paths.slice(0, SHOWN_RECORDS))
    records.push(JSON.parse(await bag.readText(path, MAX_RECORD_BYTES)) as Fields);
  return records;
}

const cut = (value: string): string => (value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value);
const text = (value: unknown): string =>
  typeof value === "string" ? cut(value) : typeof value === "number" ? String(value) : "";

const taskOf = (row: Fields): BundleFacts["tasks"][number] => ({
  id: text(row["id"]),
  edition: text(row["edition"]),
  key: text(row["taskKey"]),
  version: text(row["taskVersion"]),
  state: text(row["state"]),
  stateSince: text(row["stateSince"]),
});

const approvalOf = (row: Fields): BundleFacts["approvals"][number] => ({
  id: text(row["id"]),
  scope: text(row["scope"]),
  approver: text(row["approver"]),
  issuedAt: text(row["issuedAt"]),
  expiresAt: text(row["expiresAt"]),
  signedBy: text(row["signedBy"]),
  ended: text(row["revokedAt"] ?? row["endedAt"]),
});

const operationOf = (row: Fields): BundleFacts["operations"][number] => {
  const attempts = Array.isArray(row["attempts"]) ? (row["attempts"] as Fields[]) : [];
  return {
    id: text(row["id"]),
    kind: text(row["kind"]),
    phase: text(row["phase"]),
    state: text(row["state"]),
    sentAt: text(row["requestSentAt"] ?? row["preparedAt"]),
    remote: [text(row["remoteId"]), text(row["remoteUrl"])].filter((part) => part !== "").join(" "),
    tries: attempts.map((tried) => `${text(tried["outcome"])} ${text(tried["rawCode"])}`.trim()).join("; "),
  };
};

const incidentOf = (row: Fields): BundleFacts["incidents"][number] => {
  const ended = typeof row["ended"] === "object" && row["ended"] !== null ? (row["ended"] as Fields) : {};
  return {
    id: text(row["id"]),
    rule: text(row["rule"]),
    frozen: `${text(row["scope"])} ${text(row["scopeValue"])}`,
    openedAt: text(row["openedAt"]),
    endedAt: text(ended["at"]),
    reason: text(ended["reason"]),
  };
};

const eventOf = (row: Fields): BundleFacts["events"][number] => ({
  seq: Number(row["seq"]),
  at: typeof row["at"] === "number" ? utc(row["at"]) : "",
  type: text(row["type"]),
  toState: text(row["toState"]),
  actor: text(row["actor"]),
  reason: text(row["reason"]),
});
