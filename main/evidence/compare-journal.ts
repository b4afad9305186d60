import { BAG } from "./bag-layout";
import type { EvidenceSource } from "./evidence-source";
import { readInfo } from "./manifest";
import type { VerifiedBag } from "./verified-bag";

/** How a bundle's journal stands to one that is open. */
export type Comparison =
  /** Event for event the same, to the same last one. */
  | { result: "same"; events: number; journalEvents: number }
  /** The journal went on since; up to there it is the same. */
  | { result: "older_part"; events: number; journalEvents: number }
  /** The bundle has more than the journal: a backup was put back, or its tail was lost. */
  | { result: "journal_is_older"; events: number; journalEvents: number }
  /** They part at this event, the first that is another one. */
  | { result: "different"; events: number; journalEvents: number; at: number }
  /** It came from another workspace, by its own word. */
  | { result: "other_workspace"; events: number; journalEvents: number };

const MAX_INFO_BYTES = 1024 * 1024;

/** Holds a verified bundle's journal against another, line by line as both were hashed. @throws ZipFault */
export async function compareJournal(bag: VerifiedBag, journal: EvidenceSource): Promise<Comparison> {
  const { values } = readInfo(await bag.readText(BAG.info, MAX_INFO_BYTES));
  const journalEvents = journal.events;
  if (values.get("Workspace-Id") !== journal.workspaceId)
    return { result: "other_workspace", events: Number(values.get("Journal-Events")), journalEvents };
  const headers = journal.headers()[Symbol.iterator]();
  let events = 0;
  let equal = 0;
  await bag.readLines(BAG.events, (line) => {
    if (equal === events && headers.next().value === line) equal += 1;
    events += 1;
  });
  headers.return?.();
  if (equal < Math.min(events, journalEvents)) return { result: "different", events, journalEvents, at: equal + 1 };
  if (events === journalEvents) return { result: "same", events, journalEvents };
  return { result: events < journalEvents ? "older_part" : "journal_is_older", events, journalEvents };
}
