import type { OperationRow } from "../records";
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
 * there that the journal did not send, nothing shown that was not in a request, nobody mailed who was excluded.
 */
export function checkRemote(snapshot: JournalSnapshot, remote: RemoteRecords): Violation[] {
  const evidence = collectEvidence(snapshot);
  const sent = sentOperations(evidence);
  return [
    ...checkSingle(remote),
    ...remote.objects.flatMap((thing) => checkObject(sent, thing)),
    ...checkMailings(evidence, sent, remote.mailings),
  ];
}

function checkSingle(remote: RemoteRecords): Violation[] {
  const up = remote.objects.filter((thing) => thing.isUp);
  const places = [...groupBy(up, (thing) => `${thing.system} ${thing.place}`)];
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

function checkObject(sent: ReadonlyMap<string | null, OperationRow>, thing: RemoteThing): Violation[] {
  const invariant = thing.system === "cms" ? "I02" : "I04";
  const subject = `${thing.system} ${thing.remoteId}`;
  const operation = sent.get(thing.key);
  if (!operation) return [violation(invariant, subject, "no request of the journal made it")];
  if (thing.contentHash === null || thing.system !== "cms") return [];
  // An undo brings back an earlier meaning, whose bytes an earlier task had approved.
  const isKnown = [...sent.values()].some(
    (row) => row.slot === operation.slot && (row.requestContentHash === thing.contentHash || row.kind === "compensate"),
  );
  return isKnown ? [] : [violation(invariant, subject, "it shows what no request carried")];
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
  return mailings.flatMap((mailing) => {
    const operation = sent.get(mailing.key);
    const subject = `${mailing.place} ${mailing.recipientId}`;
    if (!operation) return [violation("I04", subject, "no request of the journal mailed it")];
    return excluded.has(`${operation.taskId} ${mailing.recipientId}`)
      ? [violation("I04", subject, "the recipient was excluded")]
      : [];
  });
}
