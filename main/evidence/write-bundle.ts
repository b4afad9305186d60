import type { Instant, Sha256, TaskId } from "../domain/ids";
import { addIncidents, addRecords, addSigners } from "./add-records";
import { BAG, bagFolder, EVIDENCE_FORMAT } from "./bag-layout";
import { BagWriter } from "./bag-writer";
import { type BundleAbout, selectionWord } from "./bundle-about";
import { BundleRefused } from "./bundle-refused";
import { ChainWalk } from "./chain-walk";
import type { EvidenceSource, TaskEvidence } from "./evidence-source";
import { filesCsv } from "./files-csv";
import type { Html } from "./html";
import { findingLine, journalCheckWord } from "./journal-check";
import { type LedgerRow, ledgerCsv, ledgerRow } from "./ledger-csv";
import { listFiles, listRecords } from "./list-files";
import { utc } from "./moments";
import { verifyReadme } from "./readme";
import { reportPage } from "./report";
import { reportIncidents } from "./report-incidents";
import { reportTask } from "./report-task";
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
  /** By what the tasks were chosen. */
  about: BundleAbout;
  tasks: readonly TaskId[];
  /** What a check of the workspace found wrong with it: said in the bundle, which is made nevertheless. */
  journalFaults: readonly string[];
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
    files.push(...listRecords(evidence), ...ofTask);
    ledger.push(ledgerRow(evidence));
    told.push(reportTask(evidence, ofTask, order.language));
  }
  const traces = source.readIncidents(order.about.kind === "everything" ? null : order.tasks);
  files.push(...(await addIncidents(bag, traces, written)));
  told.unshift(reportIncidents(traces, order.language));
  await addJournal(bag, source);
  await bag.add(BAG.ledger, ledgerCsv(ledger));
  await bag.add(BAG.files, filesCsv(files));
  const fingerprint = fingerprintOfSigner(order.signer);
  const { events, head } = source;
  const { identity } = order.signer;
  const { label, about, at } = order;
  const facts = {
    ...{ label, about, at, journalFaults: order.journalFaults.map(findingLine) },
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
    ["Selection", selectionWord(order.about)],
    ["Tasks", String(order.tasks.length)],
    ["Journal-Check", journalCheckWord(order.journalFaults)],
    ["Journal-Events", String(source.events)],
    ["Journal-Head-SHA256", source.head],
    ["Previous-Bag", order.previousBag ?? "none"],
    ["Signer-Identity", order.signer.identity],
    ["Signer-Fingerprint", fingerprint],
  ];
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

function countWithheld(files: readonly ListedFile[]): BundleSummary["withheld"] {
  const counts: BundleSummary["withheld"] = {};
  for (const { place } of files) if ("withheld" in place) counts[place.withheld] = (counts[place.withheld] ?? 0) + 1;
  return counts;
}
