import type { IncidentEvidence, NewArtifact } from "../../domain/commands";
import { Bug } from "../../domain/ids";
import type { ObservedForIncident } from "../../domain/incident-command";
import { isMailing } from "../../domain/operation";
import type { RemoteObject } from "../../domain/ports";
import type { OperationRow } from "../../domain/records";
import type { TaskView } from "../../domain/view";
import { freezeBytes, requireContext } from "./frozen";
import type { BriefingPorts } from "./ports";
import { createKeyOf } from "./publish";
import { readAndCompare } from "./verify-page";

export type ObservedEvidence = Pick<IncidentEvidence, "objects" | "canonicalId" | "captureHash" | "provedContentHash">;

/** What is observed and the bytes that go with it. */
interface Observed<Evidence> {
  evidence: Evidence;
  artifacts: NewArtifact[];
}

/**
 * What can be observed about two objects in one place: each as the remote has it, what the public gets at a page's address, and
 * whether the one that shall stay is what was approved. Nothing is changed by looking.
 */
export async function observeDuplicate(
  ports: BriefingPorts,
  view: TaskView,
  operation: OperationRow,
  canonicalId: string | null,
): Promise<Observed<ObservedEvidence>> {
  const { operationKey, slot, phase, target, kind } = operation;
  if (kind !== "publish" && !isMailing(kind)) throw new Bug("only pages and mailings can be looked at");
  const { adapter } = kind === "publish" ? ports.cms : ports.mail;
  const timeout = ports.clock.timeout(adapter.manifest.callTimeoutMs);
  try {
    const createKey = createKeyOf(view, operation);
    const call = { signal: timeout.signal, now: ports.clock.now() };
    const answer = await adapter.look({ operationKey, createKey, slot, phase, remoteId: null, target }, call);
    const found = answer.kind === "seen" ? answer.objects.filter((object) => object.externalKey === createKey) : [];
    const objects = await Promise.all(
      found.map(async ({ remoteId, url, state }) => {
        const read = url === null ? null : await ports.probe.read(url, { ...call, now: ports.clock.now() });
        return { remoteId, url, state, publicStatus: read?.kind === "read" ? read.httpStatus : null };
      }),
    );
    const canonical = found.find((object) => object.remoteId === canonicalId) ?? null;
    const proved =
      kind === "publish" ? await provePage(ports, view, canonical?.url ?? null) : proveMailing(operation, canonical);
    return { evidence: { objects, canonicalId, ...proved.evidence }, artifacts: proved.artifacts };
  } finally {
    timeout.cancel();
  }
}

/** The public page of the task, as a reader gets it at this moment, held against the approved one. */
export const observePage = (ports: BriefingPorts, view: TaskView): Promise<Observed<ObservedForIncident>> => {
  const { pageUrl } = view.task.context;
  return provePage(ports, view, typeof pageUrl === "string" ? pageUrl : null);
};

const UNPROVED: ObservedForIncident = { captureHash: null, provedContentHash: null };

async function provePage(
  ports: BriefingPorts,
  view: TaskView,
  url: string | null,
): Promise<Observed<ObservedForIncident>> {
  const proof = url === null ? null : await readAndCompare(ports, view, url);
  if (proof?.comparison?.matches !== true || proof.read.kind !== "read") return { evidence: UNPROVED, artifacts: [] };
  const capture = freezeBytes(ports.blobs, "page-capture", proof.read.bytes, proof.read.mediaType);
  const provedContentHash = requireContext(view.task, "contentHash");
  return { evidence: { captureHash: capture.hash, provedContentHash }, artifacts: [capture] };
}

/** A mailing has no page: the provider's own word for its body is what is held against the approved one. */
function proveMailing({ bodyHash }: OperationRow, canonical: RemoteObject | null): Observed<ObservedForIncident> {
  const isSame = bodyHash !== null && canonical?.contentHash === bodyHash;
  return { evidence: { captureHash: null, provedContentHash: isSame ? bodyHash : null }, artifacts: [] };
}
