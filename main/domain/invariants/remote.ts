import type { OperationRow } from "../records";
import { wasApproved } from "./approvals";
import { collectEvidence, type Evidence, groupBy, type JournalSnapshot, type Violation } from "./snapshot";

/** What the remotes themselves hold, for tests and the T+1 reconciliation. */
export interface RemoteRecords {
  objects: readonly RemoteThing[];
  /** Every single mail that went out. */
  mailings: readonly RemoteMailing[];
}

export interface RemoteThing {
  system: "cms" | "mail";
  remoteId: string;
  /** The key it carries: the operation key of the create that made it. */
  key: string | null;
  /** Its place there: the page's slug or the campaign's name. */
  place: string;
  /** False once it was taken down. */
  isUp: boolean;
  /** Hash of what it shows now, where the remote tells. */
  contentHash: string | null;
}

export interface RemoteMailing {
  /** The operation key of the write that mailed it: a campaign's trigger or a single delivery. */
  key: string | null;
  /** The campaign's place, the same for all mails of an edition. */
  place: string;
  recipientId: string;
}

/**
 * Holds the remotes against the journal: at most one object per place, at most one mail per recipient and edition, nothing
 * there that the journal did not send under a living approval, nothing shown that was not in a request, nobody mailed who was
 * excluded, nothing still up of a task that says it was taken back without having done it.
 */
export function checkRemote(snapshot: JournalSnapshot, remote: RemoteRecords): Violation[] {
  const evidence = collectEvidence(snapshot);
  const sent = sentOperations(evidence);
  return [
    ...checkSingle(sent, remote),
    ...remote.objects.flatMap((thing) => checkObject(evidence, sent, thing)),
    ...checkMailings(evidence, sent, remote.mailings),
  ];
}

/** The place is the journal's where the key names one: a second page gets another address from the website. */
function checkSingle(sent: ReadonlyMap<string | null, OperationRow>, remote: RemoteRecords): Violation[] {
  const up = remote.objects.filter((thing) => thing.isUp);
  const places = [...groupBy(up, (thing) => `${thing.system} ${sent.get(thing.key)?.slot ?? thing.place}`)];
  const mails = [...groupBy(remote.mailings, (mailing) => `${mailing.place} ${mailing.recipientId}`)];
  return [
    ...places
      .filter(([, same]) => same.length > 1)
      .map(([place, same]) => violation("I03", place, `${same.length} objects: ${ids(same)}`)),
    ...mails
      .filter(([, same]) => same.length > 1)
      .map(([mail, same]) => violation("I03", mail, `${same.length} mails to one recipient`)),
  ];
}

const violation = (invariant: Violation["invariant"], subject: string, detail: string): Violation => ({
  invariant,
  subject,
  detail,
});

const ids = (things: readonly RemoteThing[]): string => things.map((thing) => thing.remoteId).join(", ");

/** The operations of which a request left, by key. */
function sentOperations(evidence: Evidence): ReadonlyMap<string | null, OperationRow> {
  const sent = evidence.snapshot.operations.filter((row) =>
    evidence.ofOperation(row.id).some((event) => event.type === "RequestSent"),
  );
  return new Map(sent.map((row) => [row.operationKey, row]));
}

function checkObject(
  evidence: Evidence,
  sent: ReadonlyMap<string | null, OperationRow>,
  thing: RemoteThing,
): Violation[] {
  const invariant = thing.system === "cms" ? "I02" : "I04";
  const subject = `${thing.system} ${thing.remoteId}`;
  const operation = sent.get(thing.key);
  if (!operation) return [violation(invariant, subject, "no request of the journal made it")];
  const found = checkTakenBack(evidence, operation, thing);
  if (!wasApproved(evidence, operation))
    found.push(violation(invariant, subject, `no approval was living when ${operation.operationKey} left`));
  if (thing.contentHash === null || thing.system !== "cms") return found;
  // An undo brings back an earlier meaning, whose bytes an earlier task had approved.
  const isKnown = [...sent.values()].some(
    (row) => row.slot === operation.slot && (row.requestContentHash === thing.contentHash || row.kind === "compensate"),
  );
  if (!isKnown) found.push(violation(invariant, subject, "it shows what no request carried"));
  return found;
}

const ENDED = new Set(["done", "not_needed", "closed_by_person"]);

/** What an undo that was done left behind is its own proof's matter; one that was not done has left it all. */
function checkTakenBack(evidence: Evidence, operation: OperationRow, thing: RemoteThing): Violation[] {
  const task = evidence.snapshot.tasks.find(({ id }) => id === operation.taskId);
  const entry = evidence.compensation(operation.compensationId);
  if (task?.state !== "compensated" || entry === null || ENDED.has(entry.state) || !thing.isUp) return [];
  return [
    violation("I07", `${thing.system} ${thing.remoteId}`, `it is up, but ${task.taskKey} says it is compensated`),
  ];
}

function checkMailings(
  evidence: Evidence,
  sent: ReadonlyMap<string | null, OperationRow>,
  mailings: readonly RemoteMailing[],
): Violation[] {
  const excluded = new Set(
    evidence.snapshot.recipients
      .filter((account) => account.outcome === "excluded")
      .map((account) => `${account.taskId} ${account.recipientId}`),
  );
  const keys = [...new Set(mailings.map(({ key }) => key))];
  const unapproved = keys.flatMap((key) => {
    const operation = sent.get(key);
    return operation && !wasApproved(evidence, operation) ? [operation.operationKey] : [];
  });
  return [
    ...unapproved.map((key) => violation("I04", key, "no approval was living when it was mailed")),
    ...mailings.flatMap((mailing) => {
      const operation = sent.get(mailing.key);
      const subject = `${mailing.place} ${mailing.recipientId}`;
      if (!operation) return [violation("I04", subject, "no request of the journal mailed it")];
      return excluded.has(`${operation.taskId} ${mailing.recipientId}`)
        ? [violation("I04", subject, "the recipient was excluded")]
        : [];
    }),
  ];
}
