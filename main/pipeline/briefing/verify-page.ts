import { sha256 } from "../../domain/hashing";
import { Bug } from "../../domain/ids";
import type { PageRead } from "../../domain/ports";
import type { OperationRow } from "../../domain/records";
import type { TaskView } from "../../domain/view";
import type { Work } from "../../engine/runtime";
import { contextOf, freezeBytes, requireContext, thawText } from "./frozen";
import { comparePage, type PageComparison } from "./page-compare";
import type { BriefingPorts } from "./ports";

/**
 * Fetches the public page as a reader would and holds it against the approved one: text, title, every link (I04). A stale
 * cache is waited out at the policy's pace; what never matches goes to a person.
 */
export function probeWork(ports: BriefingPorts): Work {
  return async (context) => {
    const { view, clock } = context;
    const { task } = view;
    const policy = view.definition.policies["probe"];
    const operation = publishedOperation(view);
    if (!policy || operation === null) throw new Bug("a probe without a policy or a confirmed operation");
    // Confirmed by a person's verdict there is an id and no address: then the page must be where it was planned.
    const { requests } = ports.cms;
    const pageUrl = operation.remoteUrl ?? requests.plannedUrl(requests.slugOf(operation.slot));
    const { read, comparison } = await readAndCompare(ports, view, pageUrl);
    const number = Number(contextOf(task, "probeAttempts") ?? 0) + 1;
    const capture = read.kind === "read" ? freezeBytes(ports.blobs, "page-capture", read.bytes, read.mediaType) : null;
    const noted = context.execute({
      type: "note",
      taskId: task.id,
      event: "ProbeAttempted",
      operationId: operation.id,
      payload: probePayload(number, read, comparison),
      context: { probeAttempts: number, nextProbeAt: clock.now() + (policy.waitsMs[0] ?? 20_000) },
      artifacts: capture === null ? [] : [capture],
      evidenceRefs: capture === null ? [] : [capture.hash],
      calls: 1,
    });
    if (noted.result !== "applied") return;
    if (comparison?.matches === true && capture !== null) {
      const proof = {
        captureHash: capture.hash,
        pageUrl,
        verifiedContentHash: requireContext(task, "contentHash"),
        verifiedAt: clock.now(),
      };
      const payload = { ...probePayload(number, read, comparison), textHash: sha256(comparison.observedTextHashInput) };
      context.execute({
        type: "note",
        taskId: task.id,
        event: "PageVerified",
        operationId: operation.id,
        payload,
        context: proof,
        evidenceRefs: [capture.hash],
      });
      return;
    }
    if (number >= policy.maxCalls)
      context.execute({
        type: "transition",
        taskId: task.id,
        event: "PublishBlocked",
        blockedReason: "page_mismatch",
        payload: probePayload(number, read, comparison),
        context: { probeAttempts: 0 },
      });
  };
}

/** One read of the public page within the probe's own time limit, compared with the page that was approved. */
export async function readAndCompare(
  ports: BriefingPorts,
  view: TaskView,
  pageUrl: string,
): Promise<{ read: PageRead; comparison: PageComparison | null }> {
  const policy = view.definition.policies["probe"];
  const timeout = ports.clock.timeout(policy?.callTimeoutMs ?? 20_000);
  try {
    ports.crash.reach("before-call:probe");
    const read = await ports.probe.read(pageUrl, { signal: timeout.signal, now: ports.clock.now() });
    ports.crash.reach("after-call:probe");
    if (read.kind !== "read" || read.httpStatus !== 200) return { read, comparison: null };
    const expectedHtml = thawText(ports.blobs, requireContext(view.task, "pageHash"));
    return {
      read,
      comparison: comparePage({
        expectedHtml,
        publicBytes: read.bytes,
        contentType: read.mediaType,
        pageUrl: read.finalUrl,
      }),
    };
  } finally {
    timeout.cancel();
  }
}

/** The confirmed operation that put the present content on the site. */
export function publishedOperation(view: TaskView): OperationRow | null {
  const contentHash = contextOf(view.task, "contentHash");
  return (
    view
      .operations()
      .find((row) => row.kind === "publish" && row.state === "confirmed" && row.contentHash === contentHash) ?? null
  );
}

function probePayload(attempt: number, read: PageRead, comparison: PageComparison | null): Record<string, unknown> {
  if (read.kind === "failed") return { attempt, matches: false, code: read.error.code };
  return {
    attempt,
    matches: comparison?.matches ?? false,
    httpStatus: read.httpStatus,
    ageSeconds: read.ageSeconds,
    textEqual: comparison?.textEqual ?? false,
    titleEqual: comparison?.titleEqual ?? false,
    missingLinks: comparison?.missingLinks.length ?? null,
    extraLinks: comparison?.extraLinks.length ?? null,
  };
}
