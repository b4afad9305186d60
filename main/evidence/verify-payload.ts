import { createHash } from "node:crypto";
import { BAG } from "./bag-layout";
import { ChainWalk } from "./chain-walk";
import { LineSplitter } from "./line-splitter";
import { givenBy, type PayloadRecord, verifyApprovals, verifyTasks } from "./verify-records";
import type { VerifyRun } from "./verify-run";
import { isAboutSigning, verifySignatures } from "./verify-signatures";
import type { ZipEntry } from "./zip-directory";
import { ZipFault } from "./zip-fault";
import type { ZipArchive } from "./zip-reader";

export interface PayloadFile {
  name: string;
  /** As the manifest has it. */
  digest: string;
  entry: ZipEntry;
}

/** Records of one task or approval; a longer one is none of ours. */
const MAX_RECORD_BYTES = 16 * 1024 * 1024;

const isRecord = (name: string): boolean => name.startsWith(BAG.tasks) || name.startsWith(BAG.approvals);
/** An event's contents may be worth keeping, but one that is as long as this registers no key and gives no approval. */
const MAX_BODY_BYTES = 64 * 1024;
const isShortBody = ({ name, entry }: PayloadFile): boolean =>
  name.startsWith(BAG.bodies) && entry.bytes <= MAX_BODY_BYTES;

/**
 * Hashes every payload file once, walking the journal's chain on the way; what was read is judged only where its bytes were
 * the signed ones.
 */
export async function verifyPayload(
  run: VerifyRun,
  archive: ZipArchive,
  files: readonly PayloadFile[],
  info: ReadonlyMap<string, string>,
): Promise<{ events: number | null; head: string | null }> {
  const named = new Map<string, number>();
  const registrations = new Set<string>();
  const actors = new Map<string, string>();
  const walk = new ChainWalk((payloadHash, seq, type, actor) => {
    actors.set(payloadHash, String(actor));
    if (!named.has(payloadHash)) named.set(payloadHash, seq);
    if (type === "SignerRegistered") registrations.add(payloadHash);
  });
  const lines = new LineSplitter((line) => walk.step(line));
  const faults: string[] = [];
  const good = new Set<string>();
  const records: PayloadRecord[] = [];
  let bytes = 0;
  for (const file of files) {
    const kept: Uint8Array[] = [];
    const keeps = (isRecord(file.name) && file.entry.bytes <= MAX_RECORD_BYTES) || isShortBody(file);
    const fault = await hashFault(archive, file, (piece) => {
      bytes += piece.length;
      if (file.name === BAG.events) lines.push(piece);
      if (keeps) kept.push(Buffer.from(piece));
    });
    if (fault !== null) faults.push(`${file.name} ${fault}`);
    else {
      good.add(file.name);
      const whole = Buffer.concat(kept);
      if (keeps && (isRecord(file.name) || isAboutSigning(whole))) records.push({ name: file.name, bytes: whole });
    }
  }
  lines.end();
  run.judge("payload", faults, `${files.length} files unchanged, ${bytes} bytes`);
  const oxum = `${bytes}.${files.length}`;
  run.answer(
    "oxum",
    info.get("Payload-Oxum") === oxum,
    `${oxum}, and ${BAG.info} says ${info.get("Payload-Oxum") ?? "nothing"}`,
  );
  if (!good.has(BAG.events)) return { events: null, head: null };
  if (lines.isTorn) walk.faults.push("the last line is cut off");
  run.judge("chain", walk.faults, `${walk.events} events follow one another, ${walk.tasks.size} tasks`);
  verifyHead(run, walk, info);
  verifyBodies(run, files, named, walk.events);
  verifyTasks(run, records, walk.tasks);
  verifyApprovals(run, records, givenBy(records, actors));
  verifySignatures(run, records, { seqOfBody: named, registrations });
  return { events: walk.events, head: walk.head };
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
  named: ReadonlyMap<string, number>,
  events: number,
): void {
  const bodies = files.filter(({ name }) => name.startsWith(BAG.bodies));
  const faults = bodies.flatMap(({ name, digest }) => {
    if (name !== `${BAG.bodies}${digest}.json`) return [`${name} does not have the hash it is named by`];
    return named.has(digest) ? [] : [`${name} belongs to no event`];
  });
  run.judge(
    "bodies",
    faults,
    `${bodies.length} of ${named.size} contents of ${events} events are there, the rest is withheld`,
  );
}
