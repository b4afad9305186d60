import type { EventRow, IncidentRow, SuppressionRow } from "../records";
import { compareFacts } from "./compare-fact";
import { checkClosed, checkOpened } from "./incident-facts";
import { type Told, tell, type Violation } from "./snapshot";

/** What belongs to the journal as a whole and to no task, with the events that tell of it, in their order. */
export interface JournalRows {
  epoch: number;
  epochReconciled: number;
  suppressionVersion: number;
  suppressions: readonly SuppressionRow[];
  /** Those of no task: a raised epoch freezes everything until it is reconciled. */
  incidents: readonly IncidentRow[];
  events: readonly EventRow[];
}

/** A new journal begins with an epoch that there is nothing to reconcile for. */
const FIRST_EPOCH = 1;

/** I08: epoch, its reconciliation, its incidents and the list of the unsubscribed are what the events made them. */
export function checkJournalRows(rows: JournalRows): Violation[] {
  const events = rows.events.map(tell);
  if (events.some((event) => event.isWithheld)) return [];
  return [
    ...checkState(rows, events),
    ...checkEpochs(rows, events),
    ...checkOpened(rows.incidents, events),
    ...checkClosed(rows.incidents, events),
    ...checkSuppressions(rows, events),
  ];
}

const ofType = (events: readonly Told[], type: string): Told[] => events.filter((event) => event.type === type);
const say = (subject: string, detail: string): Violation => ({ invariant: "I08", subject, detail });

function checkState(rows: JournalRows, events: readonly Told[]): Violation[] {
  const lastOf = (type: string, name: string, otherwise: number) => {
    const last = ofType(events, type).at(-1);
    return last ? last.payload[name] : otherwise;
  };
  return compareFacts("I08", "journal", [
    ["epoch", rows.epoch, lastOf("EpochRaised", "epoch", FIRST_EPOCH)],
    ["epochReconciled", rows.epochReconciled, lastOf("EpochReconciled", "epoch", FIRST_EPOCH)],
    ["suppressionVersion", rows.suppressionVersion, lastOf("SuppressionChanged", "version", 0)],
  ]);
}

function checkEpochs(rows: JournalRows, events: readonly Told[]): Violation[] {
  return ofType(events, "EpochRaised").flatMap(({ seq, at, actor, payload }) => {
    const place = `epoch ${String(payload["epoch"])}`;
    const row = rows.incidents.find(({ rule, scopeValue }) => rule === "journal_epoch" && scopeValue === place);
    if (!row) return [say(place, `event ${seq} raised it, no row of an incident says so`)];
    return compareFacts("I08", place, [
      ["openedAt", row.openedAt, at],
      ["openedBy", row.openedBy, actor],
    ]);
  });
}

function checkSuppressions(rows: JournalRows, events: readonly Told[]): Violation[] {
  // The last word about somebody stands: who was released is on the list no more.
  const last = new Map(ofType(events, "SuppressionChanged").map((event) => [event.payload["recipientId"], event]));
  const told = new Map([...last].filter(([, event]) => event.payload["released"] !== true));
  const kept = new Map<unknown, SuppressionRow>(rows.suppressions.map((row) => [row.recipientId, row]));
  const missing = [...told].filter(([id]) => id !== undefined && !kept.has(id));
  return [
    ...missing.map(([id, { seq }]) => say(String(id), `event ${seq} took the recipient off every list, no row does`)),
    ...rows.suppressions.flatMap((row) => {
      const event = told.get(row.recipientId);
      if (!event) return [say(row.recipientId, "the row says unsubscribed, the events do not")];
      return compareFacts("I08", row.recipientId, [
        ["version", row.version, event.payload["version"]],
        ["reason", row.reason, event.reason],
        ["at", row.at, event.at],
      ]);
    }),
  ];
}
