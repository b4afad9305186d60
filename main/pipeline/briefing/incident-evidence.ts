import type { IncidentEvidence, NewArtifact } from "../../domain/commands";
import { Bug } from "../../domain/ids";
import type { OperationRow } from "../../domain/records";
import type { TaskView } from "../../domain/view";
import { freezeBytes, requireContext } from "./frozen";
import type { BriefingPorts } from "./ports";
import { createKeyOf } from "./publish";
import { readAndCompare } from "./verify-page";

export type ObservedEvidence = Pick<IncidentEvidence, "objects" | "canonicalId" | "captureHash" | "provedContentHash">;

/**
 * What can be observed about two pages in one place: each object as the website has it, what the public gets at its address,
 * and whether the one that shall stay is the approved page. Nothing is changed by looking.
 */
export async function observeDuplicate(
  ports: BriefingPorts,
  view: TaskView,
  operation: OperationRow,
  canonicalId: string | null,
): Promise<{ evidence: ObservedEvidence; artifacts: NewArtifact[] }> {
  if (operation.kind !== "publish") throw new Bug("only pages have a public address to look at");
  const { operationKey, slot, phase, target } = operation;
  const timeout = ports.clock.timeout(ports.cms.adapter.manifest.callTimeoutMs);
  try {
    const createKey = createKeyOf(view, operation);
    const call = { signal: timeout.signal, now: ports.clock.now() };
    const answer = await ports.cms.adapter.look({ operationKey, createKey, slot, phase, remoteId: null, target }, call);
    const found = answer.kind === "seen" ? answer.objects.filter((object) => object.externalKey === createKey) : [];
    const objects = await Promise.all(
      found.map(async ({ remoteId, url, state }) => {
        const read = url === null ? null : await ports.probe.read(url, { ...call, now: ports.clock.now() });
        return { remoteId, url, state, publicStatus: read?.kind === "read" ? read.httpStatus : null };
      }),
    );
    const canonicalUrl = objects.find((object) => object.remoteId === canonicalId)?.url ?? null;
    const proof = canonicalUrl === null ? null : await readAndCompare(ports, view, canonicalUrl);
    const isProved = proof?.comparison?.matches === true && proof.read.kind === "read";
    const capture =
      isProved && proof.read.kind === "read"
        ? freezeBytes(ports.blobs, "page-capture", proof.read.bytes, proof.read.mediaType)
        : null;
    const provedContentHash = isProved ? requireContext(view.task, "contentHash") : null;
    return {
      evidence: { objects, canonicalId, captureHash: capture?.hash ?? null, provedContentHash },
      artifacts: capture === null ? [] : [capture],
    };
  } finally {
    timeout.cancel();
  }
}
