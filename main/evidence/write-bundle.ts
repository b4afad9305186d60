import { canonicalJson, sha256 } from "../domain/hashing";
import type { Instant, Sha256, TaskId } from "../domain/ids";
import { approvalSignersFile, registeredKeys } from "./approval-signers";
import { BAG, bagFolder, EVIDENCE_FORMAT, fileOfId } from "./bag-layout";
import { BagWriter } from "./bag-writer";
import { ChainWalk } from "./chain-walk";
import { csv } from "./csv";
import type { EvidenceSource, TaskEvidence } from "./evidence-source";
import type { Html } from "./html";
import { type LedgerRow, ledgerCsv, ledgerRow } from "./ledger-csv";
import { listFiles } from "./list-files";
import { readable, utc } from "./moments";
import { verifyReadme } from "./readme";
import { reportPage, reportTask } from "./report";
import type { ReportLanguage } from "./report-words";
import { fingerprintOfSigner, type Signer } from "./signing-key";
import { VERIFY_SCRIPT } from "./verify-script";
import type { ListedFile, WithheldReason } from "./withheld";
import type { ByteSink } from "./zip-writer";

/** What came of asking somebody else for the time: the whole answer, or why there is none. */
export type Stamp = { kind: "stamped"; at: string; answer: Uint8Array } | { kind: "none"; reason: string };

export interface BundleOrder {
  /** What people call it: names the folder inside and heads the report. */
  label: string;
  tasks: readonly TaskId[];
  /** False: hashes and records only, no frozen bytes. */
  withBytes: boolean;
  language: ReportLanguage;
  at: Instant;
  software: string;
  signer: Signer;
  /** SHA-256 of an earlier bag's tag manifest that this one follows, or null. */
  previousBag: string | null;
  /** Lets somebody else say when the signature was there. Null: nobody is asked. */
  stamp: ((signature: Uint8Array) => Promise<Stamp>) | null;
}

export interface BundleSummary {
  folder: string;
  events: number;
  head: Sha256;
  fingerprint: string;
  tagManifestSha256: string;
  payloadFiles: number;
  payloadBytes: number;
  withheld: Partial<Record<WithheldReason, number>>;
  /** Null where nobody was asked. */
  timestamp: { at: string } | { missing: string } | null;
}

/** The workspace itself is not in order, so that no proof can be made of it. The message is for people. */
export class BundleRefused extends Error {
  override readonly name = "BundleRefused";
}

/**
 * Writes the evidence of some tasks, with the whole journal's chain, as a signed bag into a ZIP. Memory grows with the records
 * of one task and a line per file, not with bytes or events.
 * @param signal stops the work between two pieces; what was written by then is for the caller to throw away
 * @throws BundleRefused where the journal's own chain is broken; the signal's reason; whatever reading or writing throws.
 */
export async function writeBundle(
  source: EvidenceSource,
  order: BundleOrder,
  sink: ByteSink,
  signal?: AbortSignal,
): Promise<BundleSummary> {
  const folder = bagFolder(order.label);
  const stoppable: ByteSink = {
    write: (bytes) => {
      signal?.throwIfAborted();
      return sink.write(bytes);
    },
  };
  const bag = new BagWriter(stoppable, folder, order.at);
  const files: ListedFile[] = [];
  const ledger: LedgerRow[] = [];
  const told: Html[] = [];
  const written = new Set<string>();
  for (const id of order.tasks) {
    const evidence = source.readTask(id);
    await addRecords(bag, evidence, written);
    await addSigners(bag, evidence, written);
    const ofTask = await addFiles(bag, source, evidence, order.withBytes, written);
    files.push(...ofTask);
    ledger.push(ledgerRow(evidence));
    told.push(reportTask(evidence, ofTask, order.language));
  }
  await addJournal(bag, source);
  await bag.add(BAG.ledger, ledgerCsv(ledger));
  await bag.add(BAG.files, filesCsv(files));
  const fingerprint = fingerprintOfSigner(order.signer);
  const { events, head } = source;
  const { identity } = order.signer;
  const facts = {
    label: order.label,
    at: order.at,
    isSandbox: source.kind === "sandbox",
    identity,
    fingerprint,
    events,
    head,
  };
  await bag.add(BAG.report, reportPage(facts, told, order.language));
  const tags = { info: bagInfo(source, order, fingerprint), readme: verifyReadme(facts), script: VERIFY_SCRIPT };
  let timestamp: BundleSummary["timestamp"] = null;
  const finished = await bag.finish(tags, order.signer, async (signature) => {
    const stamp = await order.stamp?.(signature);
    if (stamp === undefined) return null;
    timestamp = stamp.kind === "stamped" ? { at: stamp.at } : { missing: stamp.reason };
    return stamp.kind === "stamped" ? stamp.answer : null;
  });
  return { folder, events, head, fingerprint, ...finished, withheld: countWithheld(files), timestamp };
}

function bagInfo(source: EvidenceSource, order: BundleOrder, fingerprint: string): [string, string][] {
  return [
    ["Evidence-Format", EVIDENCE_FORMAT],
    ["External-Identifier", order.label],
    ["Bagging-Date", utc(order.at).slice(0, 10)],
    ["Created-At", utc(order.at)],
    ["Bag-Software-Agent", order.software],
    ["Workspace-Id", source.workspaceId],
    ["Workspace-Kind", source.kind],
    ["Workspace-Epoch", String(source.epoch)],
    ["Tasks", String(order.tasks.length)],
    ["Journal-Events", String(source.events)],
    ["Journal-Head-SHA256", source.head],
    ["Previous-Bag", order.previousBag ?? "none"],
    ["Signer-Identity", order.signer.identity],
    ["Signer-Fingerprint", fingerprint],
  ];
}

/** The task's rows as files, and the contents of its events under their hashes. */
async function addRecords(bag: BagWriter, evidence: TaskEvidence, written: Set<string>): Promise<void> {
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
  for (const { seq, payload, payloadHash } of [...events, ...(evidence.registrations ?? [])]) {
    const path = `${BAG.bodies}${payloadHash}.json`;
    if (payload === null || written.has(path)) continue;
    if (sha256(payload) !== payloadHash)
      throw new BundleRefused(`the contents of event ${seq} are not what was recorded`);
    written.add(path);
    await bag.add(path, payload);
  }
}

/** The keys that approvals were signed with, once: the journal's, so that every task says the same. */
async function addSigners(bag: BagWriter, { registrations = [] }: TaskEvidence, written: Set<string>): Promise<void> {
  if (registrations.length === 0 || written.has(BAG.approvalSigners)) return;
  written.add(BAG.approvalSigners);
  await bag.add(BAG.approvalSigners, approvalSignersFile(registeredKeys(registrations)));
}

/** Frozen bytes and the requests that left, each in the bundle or listed with the reason why not. */
async function addFiles(
  bag: BagWriter,
  source: EvidenceSource,
  evidence: TaskEvidence,
  withBytes: boolean,
  written: Set<string>,
): Promise<ListedFile[]> {
  const listed = listFiles(source, evidence, withBytes);
  for (const { hash, place } of listed) {
    if (!("path" in place) || written.has(place.path)) continue;
    const file = source.frozen(hash);
    if (file === null) throw new BundleRefused(`frozen bytes ${hash} went away meanwhile`);
    written.add(place.path);
    const found = await bag.addStream(place.path, file.bytes, file.chunks());
    if (found !== hash) throw new BundleRefused(`frozen bytes ${hash} are damaged; fsck names everything that is`);
  }
  return listed;
}

/** The chain is walked as it is written: a bundle of a broken journal would prove nothing, and look as if it did. */
async function addJournal(bag: BagWriter, source: EvidenceSource): Promise<void> {
  const walk = new ChainWalk(() => undefined);
  const lines = function* () {
    for (const header of source.headers()) {
      walk.step(header);
      yield Buffer.from(`${header}\n`, "utf8");
    }
  };
  await bag.addStream(BAG.events, source.headerBytes, lines());
  if (walk.faultCount > 0) throw new BundleRefused(`the journal's own chain is broken: ${walk.faults.join("; ")}`);
  if (walk.head !== source.head) throw new BundleRefused("the journal's last event is not what its hash says");
}

function filesCsv(files: readonly ListedFile[]): string {
  const head = [
    "task_id",
    "kind",
    "sha256",
    "bytes",
    "media_type",
    "title",
    "url",
    "licence",
    "path",
    "left_out_because",
  ];
  const rows = files.map(({ taskId, kind, hash, bytes, mediaType, title, url, licence, place }) => {
    const where = "path" in place ? [place.path, ""] : ["", place.withheld];
    return [taskId, kind, hash, bytes, mediaType, title, url, licence, ...where];
  });
  return csv([head, ...rows]);
}

function countWithheld(files: readonly ListedFile[]): BundleSummary["withheld"] {
  const counts: BundleSummary["withheld"] = {};
  for (const { place } of files) if ("withheld" in place) counts[place.withheld] = (counts[place.withheld] ?? 0) + 1;
  return counts;
}
