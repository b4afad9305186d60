import { createHash } from "node:crypto";
import { BAG } from "./bag-layout";
import { ChainNotes } from "./chain-notes";
import { ChainWalk } from "./chain-walk";
import { readHeldTask } from "./held-task";
import { type LedgerRow, ledgerRow } from "./ledger-csv";
import { LineSplitter } from "./line-splitter";
import { MAX_RECORD_BYTES, type PayloadFile, PayloadReader } from "./payload-reader";
import { isFormFault } from "./stored-row";
import { FileList } from "./verify-files";
import { type DuplicateLook, duplicateLooks, eventsNamed, verifyIncidents } from "./verify-incidents";
import { approvalsGiven, type PayloadRecord, parseRecord, verifyApprovals, verifyTasks } from "./verify-records";
import { rowFaults, verifyLedger } from "./verify-rows";
import type { VerifyRun } from "./verify-run";
import { isAboutSigning, verifySignatures } from "./verify-signatures";
import { Retelling, type TagTexts, verifyTexts } from "./verify-texts";
import { ZipFault } from "./zip-fault";
import type { ZipArchive } from "./zip-reader";

const KEPT_FOLDERS = [BAG.tasks, BAG.approvals, BAG.incidents];
const isRecord = (name: string): boolean => KEPT_FOLDERS.some((folder) => name.startsWith(folder));
/** An event's contents may be worth keeping, but one that is as long as this registers no key and gives no approval. */
const MAX_BODY_BYTES = 64 * 1024;
const isShortBody = ({ name, entry }: PayloadFile): boolean =>
  name.startsWith(BAG.bodies) && entry.bytes <= MAX_BODY_BYTES;

/** What the first reading came to. */
interface Hashed {
  faults: string[];
  bytes: number;
  /** Records of tasks, approvals and incidents, and short events' contents about signing: few, and held in memory. */
  records: PayloadRecord[];
  reader: PayloadReader;
}

/**
 * Hashes every payload file, walking the journal's chain on the way; what was read is judged only where its bytes were the
 * signed ones. Then each task's records are read once more and held against its events, one task at a time.
 */
export async function verifyPayload(
  run: VerifyRun,
  archive: ZipArchive,
  files: readonly PayloadFile[],
  tags: { info: ReadonlyMap<string, string>; texts: TagTexts },
): Promise<{ events: number | null; head: string | null }> {
  const { info } = tags;
  const hashed = await hashRecords(archive, files);
  const { faults, records, reader } = hashed;
  const notes = new ChainNotes(
    records.filter(isTask).flatMap((record) => idOf(record) ?? []),
    new Set(records.filter(isIncident).flatMap((record) => eventsNamed(parseRecord(record) ?? {}))),
  );
  const walk = new ChainWalk((event) => notes.take(event));
  const lines = new LineSplitter((line) => walk.step(line));
  const journal = files.find(({ name }) => name === BAG.events);
  const fault = journal && (await hashFault(archive, journal, (piece) => lines.push(piece)));
  lines.end();
  if (fault) faults.push(`${BAG.events} ${fault}`);
  const bytes = hashed.bytes + (journal?.entry.bytes ?? 0);
  const isIntact = run.judge("payload", faults, `${files.length} files unchanged, ${bytes} bytes`);
  const oxum = `${bytes}.${files.length}`;
  run.answer(
    "oxum",
    info.get("Payload-Oxum") === oxum,
    `${oxum}, and ${BAG.info} says ${info.get("Payload-Oxum") ?? "nothing"}`,
  );
  if (journal === undefined || fault) return { events: null, head: null };
  if (lines.isTorn) walk.faults.push("the last line is cut off");
  const isChain = run.judge("chain", walk.faults, `${walk.events} events follow one another, ${walk.tasks.size} tasks`);
  verifyHead(run, walk, info);
  verifyBodies(run, files, notes, walk.events);
  verifyTasks(run, records, walk.tasks, info);
  const given = approvalsGiven(records, notes.bodies);
  verifyApprovals(run, records, given);
  verifySignatures(run, records, notes, given);
  if (isIntact && isChain) await verifyTold(run, records, { reader, notes }, tags);
  return { events: walk.events, head: walk.head };
}

const isTask = ({ name }: PayloadRecord): boolean => name.startsWith(BAG.tasks);
const isIncident = ({ name }: PayloadRecord): boolean => name.startsWith(BAG.incidents);
function idOf(record: PayloadRecord): string | null {
  const id = parseRecord(record)?.["id"];
  return typeof id === "string" ? id : null;
}

/** Everything but the journal, which is read last: by then it is known of which events more than a hash is needed. */
async function hashRecords(archive: ZipArchive, files: readonly PayloadFile[]): Promise<Hashed> {
  const hashed: Hashed = { faults: [], bytes: 0, records: [], reader: new PayloadReader(archive, files) };
  for (const file of files) {
    if (file.name === BAG.events) continue;
    const kept: Uint8Array[] = [];
    const isNoted = PayloadReader.isNoted(file);
    const keeps = (isRecord(file.name) && file.entry.bytes <= MAX_RECORD_BYTES) || isShortBody(file) || isNoted;
    const fault = await hashFault(archive, file, (piece) => {
      hashed.bytes += piece.length;
      if (keeps) kept.push(Buffer.from(piece));
    });
    if (fault !== null) {
      hashed.faults.push(`${file.name} ${fault}`);
      continue;
    }
    if (!keeps) continue;
    const bytes = Buffer.concat(kept);
    if (isNoted) hashed.reader.note(file.name, bytes);
    if (isRecord(file.name) || (isShortBody(file) && isAboutSigning(bytes)))
      hashed.records.push({ name: file.name, bytes });
  }
  return hashed;
}

/** Holds the tasks' records, the ledger and the incidents against what the events say. */
async function verifyTold(
  run: VerifyRun,
  records: readonly PayloadRecord[],
  { reader, notes }: { reader: PayloadReader; notes: ChainNotes },
  { info, texts }: { info: ReadonlyMap<string, string>; texts: TagTexts },
): Promise<void> {
  const faults: string[] = [];
  const ledger: LedgerRow[] = [];
  const looks: DuplicateLook[] = [];
  const tasks = new Set<string>();
  const list = new FileList((await reader.read(BAG.files))?.toString("utf8") ?? "");
  const unlisted: string[] = [];
  const retelling = new Retelling((await reader.read(BAG.report))?.toString("utf8") ?? "");
  let withheld = 0;
  for (const record of records.filter(isTask)) {
    const held = await readHeldTask(record, reader, notes);
    if (held === null) {
      faults.push(`${record.name} is no record of a task`);
      continue;
    }
    tasks.add(held.evidence.task.id);
    withheld += held.withheld === 0 ? 0 : 1;
    try {
      faults.push(...rowFaults(held));
      retelling.addTask(held, list.linesOf(held.evidence.task.id));
      unlisted.push(...list.taskFaults(held));
      ledger.push(ledgerRow(held.evidence));
      looks.push(...duplicateLooks(held));
    } catch (error) {
      if (!isFormFault(error)) throw error;
      faults.push(`${record.name} and what belongs to it are not of this form`);
    }
  }
  for (const id of reader.taskIds())
    if (!tasks.has(id)) faults.push(`there are records of task ${id}, which is not there`);
  const open = withheld === 0 ? null : `the records of ${withheld} tasks, since contents of their events are withheld`;
  run.judge("rows", faults, `the records of ${tasks.size - withheld} tasks say what their events say`, open);
  verifyLedger(run, (await reader.read(BAG.ledger))?.toString("utf8") ?? null, ledger);
  list.verify(run, reader, unlisted);
  await retelling.addIncidents(records.filter(isIncident), notes, reader);
  verifyTexts(run, texts, info, retelling);
  if (!info.has("Selection"))
    return run.leaveOpen("incidents", "the bundle was made by a program that put none into it");
  await verifyIncidents(run, records.filter(isIncident), { notes, reader, tasks, looks });
}

async function hashFault(
  archive: ZipArchive,
  { entry, digest }: PayloadFile,
  take: (piece: Uint8Array) => void,
): Promise<string | null> {
  const hash = createHash("sha256");
  try {
    await archive.read(entry, (piece) => {
      hash.update(piece);
      take(piece);
    });
  } catch (error) {
    if (error instanceof ZipFault) return error.message;
    throw error;
  }
  return hash.digest("hex") === digest ? null : "was changed";
}

/** A chain alone does not notice that its tail was cut: where it ends is said under the signature. */
function verifyHead(run: VerifyRun, walk: ChainWalk, info: ReadonlyMap<string, string>): void {
  const [events, head] = [info.get("Journal-Events"), info.get("Journal-Head-SHA256")];
  const isWhole = events === String(walk.events) && head === walk.head;
  const said = `${BAG.info} says ${events ?? "?"} events and head ${head?.slice(0, 16) ?? "?"}`;
  const found = `the journal has ${walk.events} and ${walk.head.slice(0, 16)}`;
  run.answer("head", isWhole, isWhole ? `${walk.events} events, head ${walk.head}` : `${said}, ${found}`);
}

/** The contents of events, as far as they are there, are named by their own hash and belong to an event. */
function verifyBodies(
  run: VerifyRun,
  files: readonly PayloadFile[],
  { bodies: named }: ChainNotes,
  events: number,
): void {
  const bodies = files.filter(({ name }) => name.startsWith(BAG.bodies));
  const faults = bodies.flatMap(({ name, digest }) => {
    if (name !== `${BAG.bodies}${digest}.json`) return [`${name} does not have the hash it is named by`];
    return named.has(digest) ? [] : [`${name} belongs to no event`];
  });
  const left = named.size - bodies.length;
  const rest = left === 0 ? "" : `; ${left} more are withheld, and their hashes are in the chain`;
  // Events that say the same share their contents: fewer of them than events means nothing.
  run.judge("bodies", faults, `${bodies.length} different contents for ${events} events${rest}`);
}
