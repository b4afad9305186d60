import { stat } from "node:fs/promises";
import { type EvidenceRows, openEvidenceRows } from "../../db/evidence-rows";
import { problemOf } from "../../db/problem";
import { createSshAgent } from "../adapters/ssh-agent";
import { agentSigner } from "../compose/agent-keys";
import { findSigner, identityIn } from "../compose/evidence-key";
import type { EvidenceOrder, EvidenceReport } from "../compose/evidence-report";
import { stampSignature } from "../compose/evidence-timestamp";
import { aboutOf, journalFaults, labelOf, orderFor, writeEvidence } from "../compose/evidence-write";
import { readBundleFacts } from "../evidence/bundle-facts";
import { compareJournal } from "../evidence/compare-journal";
import { hashFile } from "../evidence/hash-file";
import { countingSource, planBundle } from "../evidence/plan-bundle";
import { keyOfSeed, ownSigner, type Signer } from "../evidence/signing-key";
import { VerifiedBag } from "../evidence/verified-bag";
import { type BundleVerdict, verifyBundle } from "../evidence/verify-bundle";
import { ZipFault } from "../evidence/zip-fault";

type Tell = (report: EvidenceReport) => void;
type Export = Extract<EvidenceOrder, { kind: "export" }>;
type Opened = Extract<EvidenceReport, { kind: "opened" }>["bundle"];

/** Progress is told at most this often, and not for less than this. */
const PROGRESS_TIMES = 200;
const PROGRESS_BYTES = 256 * 1024;
const LONGEST_DETAIL = 4000;

/** Does one piece of evidence work for the app, away from its window, and tells what it came to. Never throws. */
export async function workOnEvidence(
  order: Exclude<EvidenceOrder, { kind: "stop" }>,
  tell: Tell,
  signal: AbortSignal,
): Promise<void> {
  try {
    if (order.kind === "open") return tell({ kind: "opened", bundle: await openBundle(order.file, order.workspace) });
    const opened = openEvidenceRows(order.workspace);
    if (opened.kind === "problem")
      return tell({ kind: "failed", reason: `${opened.problem.code}: ${opened.problem.detail}` });
    const { rows } = opened;
    try {
      const tasks = rows.select(order.selection);
      if (tasks.length === 0) return tell({ kind: "failed", reason: "no_tasks" });
      const ids = tasks.map(({ id }) => id);
      const about = aboutOf(order.selection);
      const faults = journalFaults(order.workspace);
      const counts = planBundle(rows, { tasks: ids, about, withBytes: order.withBytes });
      const plan = { label: labelOf(tasks), ...counts, journalFaults: faults };
      if (order.kind === "plan") return tell({ kind: "planned", plan });
      tell(await exportTasks(rows, { tasks, faults }, order, { tell, signal, of: plan.bytes }));
    } finally {
      rows.close();
    }
  } catch (error) {
    const { code, detail } = problemOf(error, order.kind === "open" ? order.file : order.workspace);
    tell({ kind: "failed", reason: `${code}: ${detail}`.slice(0, LONGEST_DETAIL) });
  }
}

async function exportTasks(
  rows: EvidenceRows,
  { tasks, faults }: { tasks: ReturnType<EvidenceRows["select"]>; faults: readonly string[] },
  order: Export,
  { tell, signal, of }: { tell: Tell; signal: AbortSignal; of: number },
): Promise<EvidenceReport> {
  const found = await signerOf(rows, order, { signal, onAsk: (key) => tell({ kind: "asking", key }) });
  if ("wrong" in found) return { kind: "failed", reason: found.wrong };
  const { withBytes, language, selection, out, owner, timestampUrl: url } = order;
  const stamp = url === null ? null : (signature: Uint8Array) => stampSignature(url, signature);
  let done = 0;
  let told = 0;
  const step = Math.max(PROGRESS_BYTES, of / PROGRESS_TIMES);
  const source = countingSource(rows, (bytes) => {
    done += bytes;
    if (done - told < step) return;
    told = done;
    tell({ kind: "progress", done: Math.min(done, of), of });
  });
  tell({ kind: "progress", done: 0, of });
  const bundle = orderFor(tasks, {
    ...{ selection, withBytes, language, signer: found.signer, previousBag: null, stamp },
    journalFaults: faults,
  });
  const written = await writeEvidence(source, bundle, { out, signal, owner });
  if (written.kind === "stopped") return { kind: "stopped" };
  if (written.kind === "refused") return { kind: "failed", reason: written.detail.slice(0, LONGEST_DETAIL) };
  const { summary, bytes, sha256 } = written;
  const { folder, events, head, fingerprint, tagManifestSha256: bag } = summary;
  const { label } = bundle;
  return {
    kind: "exported",
    ...{ label, folder, bytes, sha256, bag, events, head, fingerprint, workspaceId: rows.workspaceId },
    timestamp: summary.timestamp,
  };
}

async function signerOf(
  { workspaceId, kind }: EvidenceRows,
  { key, workspace }: Export,
  how: Parameters<typeof agentSigner>[2],
): Promise<{ signer: Signer } | { wrong: string }> {
  const identity = identityIn(workspaceId);
  if (key.from === "keychain") return { signer: ownSigner(identity, keyOfSeed(Buffer.from(key.seed, "hex"))) };
  if (key.from === "workspace") return findSigner({ workspace, workspaceId, kind, key: null, identity: null });
  const found = await agentSigner(createSshAgent(), { fingerprint: key.fingerprint, identity }, how);
  return "signer" in found ? found : { wrong: found.code };
}

/** Verified first; of a bundle that is not valid nothing is read, shown or compared. */
async function openBundle(file: string, workspace: string | null): Promise<Opened> {
  const { size: bytes } = await stat(file);
  const sha256 = await hashFile(file);
  const verdict = await verifyBundle(file, { signers: null, identity: null });
  const { signer, valid, label, events, head } = verdict;
  const shown = {
    ...{ file, bytes, sha256, label: label?.slice(0, 400) ?? null, events, head, bag: verdict.bag },
    checks: verdict.checks.map((check) => ({ ...check, detail: check.detail.slice(0, LONGEST_DETAIL) })),
    signer: signer && { identity: signer.identity.slice(0, 400), fingerprint: signer.fingerprint },
  };
  if (!valid) return { ...shown, valid, facts: null, comparison: null };
  try {
    return { ...shown, valid, ...(await readVerified(file, verdict, workspace)) };
  } catch (error) {
    // Exchanged while it was read, or signed by somebody whose records are none of ours: then it is as good as a bad one.
    if (!(error instanceof ZipFault || error instanceof SyntaxError)) throw error;
    const checks = [...shown.checks, { name: "records", ok: false, detail: error.message.slice(0, LONGEST_DETAIL) }];
    return { ...shown, checks, valid: false, facts: null, comparison: null };
  }
}

async function readVerified(
  file: string,
  { bag }: BundleVerdict,
  workspace: string | null,
): Promise<Pick<Opened, "facts" | "comparison">> {
  const opened = await VerifiedBag.open(file, bag);
  const journal = workspace === null ? null : openEvidenceRows(workspace);
  try {
    const facts = await readBundleFacts(opened);
    const comparison = journal?.kind === "opened" ? await compareJournal(opened, journal.rows) : null;
    return { facts, comparison };
  } finally {
    if (journal?.kind === "opened") journal.rows.close();
    await opened.close();
  }
}
