import type { Sha256 } from "../domain/ids";
import { BAG, fileOfId } from "./bag-layout";
import type { EvidenceSource, TaskEvidence } from "./evidence-source";
import { recoveryRecord } from "./incident-record";
import { type ListedFile, listArtifact, type WithheldReason } from "./withheld";

/** Every frozen file of a task and every request that left, each with its place in the bundle or the reason why it has none. */
export function listFiles(
  source: EvidenceSource,
  { artifacts, operations }: TaskEvidence,
  withBytes: boolean,
): ListedFile[] {
  const isKept = (hash: Sha256) => source.frozen(hash) !== null;
  const listed = artifacts.map((row) => listArtifact(row, withBytes, isKept));
  for (const { id, taskId, kind, phase, requestBytesHash: hash } of operations) {
    if (hash === null) continue;
    // Everything but the page's own request may be addressed to somebody.
    const reason: WithheldReason | null =
      kind !== "publish" ? "addresses" : !isKept(hash) ? "not_kept" : withBytes ? null : "choice";
    const place = reason === null ? { path: `${BAG.operations}${fileOfId(id)}.request` } : { withheld: reason };
    const nothing = { mediaType: "", title: "", url: "", licence: "" };
    listed.push({
      taskId,
      kind: `request ${kind}.${phase}`,
      hash,
      bytes: source.frozen(hash)?.bytes ?? null,
      ...nothing,
      place,
    });
  }
  return listed;
}

/** Records of a task that are listed like files: what a person had to see to. */
export const listRecords = ({ recoveryItems }: Pick<TaskEvidence, "recoveryItems">): ListedFile[] =>
  recoveryItems.map((row) => recoveryRecord(row).listed);
