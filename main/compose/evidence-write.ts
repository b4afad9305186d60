import type { EvidenceRows, EvidenceSelection, SelectedTask } from "../../db/evidence-rows";
import { fsck } from "../../db/fsck";
import { problemOf } from "../../db/problem";
import { createSystemClock } from "../adapters/clock";
import type { BundleAbout } from "../evidence/bundle-about";
import { BundleRefused } from "../evidence/bundle-refused";
import { type ReportLanguage, reportLanguage } from "../evidence/report-words";
import { type Signer, SigningRefused } from "../evidence/signing-key";
import { type BundleOrder, type BundleSummary, writeBundle } from "../evidence/write-bundle";
import { PendingFile } from "./evidence-file";
import { workspaceAround } from "./workspace-folder";

interface Choices {
  selection: EvidenceSelection;
  /** From `journalFaults`. */
  journalFaults: readonly string[];
  withBytes: boolean;
  /** Null: that of the first task. */
  language: ReportLanguage | null;
  signer: Signer;
  previousBag: string | null;
  stamp: BundleOrder["stamp"];
}

/** What a bundle of these tasks is to be, made now. */
export function orderFor(tasks: readonly SelectedTask[], { language, selection, ...choices }: Choices): BundleOrder {
  return {
    ...choices,
    about: aboutOf(selection),
    label: labelOf(tasks),
    tasks: tasks.map(({ id }) => id),
    language: language ?? reportLanguage(tasks[0]?.language ?? ""),
    // To the second: finer is not what a person's clock knows.
    at: Math.floor(createSystemClock().now() / 1000) * 1000,
    software: "Imprimatur",
  };
}

/** By what the tasks were chosen, as the bundle says it. */
export const aboutOf = (selection: EvidenceSelection): BundleAbout =>
  selection.kind === "task" ? { kind: "edition" } : selection;

const LONGEST_FAULT = 300;

/**
 * What a check of the workspace finds wrong with it. A bundle is made nevertheless, and says so: that something is wrong may be
 * the very thing to be shown. Frozen bytes are left out, since each is hashed when it is packed.
 */
export function journalFaults(workspace: string): string[] {
  const { checks } = fsck(workspace, { withoutBytes: true });
  return checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`.slice(0, LONGEST_FAULT));
}

/** What people call these tasks together: one edition, or the first and the last. */
export function labelOf(tasks: readonly SelectedTask[]): string {
  const [first, last] = [tasks[0]?.edition ?? "", tasks[tasks.length - 1]?.edition ?? ""];
  return first === last ? first : `${first} – ${last}`;
}

export type Written =
  | { kind: "written"; summary: BundleSummary; bytes: number; sha256: string }
  | { kind: "stopped" }
  | { kind: "refused"; detail: string };

/**
 * Writes the bundle beside its name and gives it the name at the end; on any failure and when told to stop, nothing is left.
 * @param owner the process that cleans up should this one be ended
 */
export async function writeEvidence(
  rows: Pick<EvidenceRows, keyof Parameters<typeof writeBundle>[0]>,
  order: BundleOrder,
  target: { out: string; signal: AbortSignal; owner?: number },
): Promise<Written> {
  const { out, signal, owner } = target;
  const workspace = workspaceAround(out);
  if (workspace !== null) return { kind: "refused", detail: `${out} lies in the workspace ${workspace}` };
  let file: PendingFile | null = null;
  try {
    file = await PendingFile.create(out, owner);
    const summary = await writeBundle(rows, order, file, signal);
    signal.throwIfAborted();
    await file.keep();
    return { kind: "written", summary, bytes: file.bytes, sha256: file.digest() };
  } catch (error) {
    await file?.discard();
    if (signal.aborted) return { kind: "stopped" };
    if (error instanceof BundleRefused || error instanceof SigningRefused)
      return { kind: "refused", detail: error.message };
    const problem = problemOf(error, out);
    return { kind: "refused", detail: `${problem.code}: ${problem.detail}` };
  }
}
