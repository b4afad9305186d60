import { HASH_RULE_VERSION } from "../../domain/hash-rule";
import { sha256 } from "../../domain/hashing";
import { Bug, type Sha256 } from "../../domain/ids";
import type { PageRead, RemoteObject } from "../../domain/ports";
import type { CompensationRow, OperationRow } from "../../domain/records";
import type { TaskView } from "../../domain/view";
import type { PreparedRequest, UndoAsked, UndoProof } from "../../engine/runtime";
import { askFor, confirmedForward, NOTHING_BOUND, proveObject, receiptOf, undoIntent } from "../../engine/undo-look";
import { canonicalContentBytes } from "./edition-document";
import { freezeBytes, thawJson, thawText } from "./frozen";
import { comparePage } from "./page-compare";
import type { BriefingPorts } from "./ports";
import { createKeyOf } from "./publish";
import type { ContentPackage } from "./records";

/** What an entry wants the page to be: gone for readers, or an earlier content again. */
type Target = { kind: "down" } | { kind: "content"; contentHash: Sha256; packageHash: Sha256 };

function targetOf(entry: CompensationRow): Target {
  const args = JSON.parse(entry.args) as Readonly<Record<string, string | null>>;
  if (args["targetState"] === "draft") return { kind: "down" };
  const { previousContentHash: contentHash, previousPackageHash: packageHash } = args;
  if (!contentHash || !packageHash) throw new Bug(`the undo entry ${entry.id} does not say what was there before`);
  return { kind: "content", contentHash: contentHash as Sha256, packageHash: packageHash as Sha256 };
}

const isPublic = (object: RemoteObject): boolean => object.state === "published";

const isReached = (target: Target, object: RemoteObject | null): boolean => {
  if (target.kind === "down") return object === null || !isPublic(object);
  return object !== null && isPublic(object) && object.contentHash === target.contentHash;
};

/** "Still this content?" (S45). Anything else there is somebody's newer work, and is not overwritten (S46). */
export async function askPage(ports: BriefingPorts, view: TaskView, entry: CompensationRow): Promise<UndoAsked> {
  const forward = confirmedForward(view, entry);
  const target = targetOf(entry);
  const shown = await askFor(ports.clock, ports.cms.adapter, forward, createKeyOf(view, forward));
  if (shown.kind === "failed") return shown;
  if (shown.kind === "late") return { kind: "wait", until: shown.until };
  const { object } = shown;
  const seen = receiptOf(object);
  if (isReached(target, object)) return { kind: "reached", seen };
  if (object === null || !isPublic(object) || object.contentHash !== forward.contentHash)
    return { kind: "changed", seen: { ...seen, expected: forward.contentHash } };
  const contentHash = target.kind === "content" ? target.contentHash : null;
  return {
    kind: "holds",
    seen,
    forwardId: forward.id,
    intent: undoIntent(view, entry, forward, { contentHash }),
    requestFor: (operation) => requestFor(ports, view, operation, target, object),
  };
}

/** The bytes name the state to reach and the revision they were made for, so that the remote refuses what came in between. */
function requestFor(
  ports: BriefingPorts,
  view: TaskView,
  operation: OperationRow,
  target: Target,
  object: RemoteObject,
): PreparedRequest {
  const { remoteId, revision } = object;
  const { operationKey, intentHash, requestBytesHash } = operation;
  const kept = requestBytesHash === null ? null : ports.blobs.get(requestBytesHash);
  if (target.kind === "down") {
    const bytes =
      kept ?? ports.cms.requests.status({ operationKey, status: "draft", expectedRevision: revision ?? null });
    return { kind: "ready", bytes, bytesHash: ports.blobs.put(bytes), recomputed: NOTHING_BOUND, remoteId };
  }
  const pack = thawJson<ContentPackage>(ports.blobs, target.packageHash);
  if (pack.hashRuleVersion !== HASH_RULE_VERSION) throw new Bug("values under different hash rules are not compared");
  const recomputed = { ...NOTHING_BOUND, contentHash: sha256(canonicalContentBytes(pack.document)) };
  const bytes =
    kept ??
    ports.cms.requests.update({
      operationKey,
      expectedRevision: revision ?? 0,
      title: pack.document.title,
      html: thawText(ports.blobs, pack.pageHash),
      contentHash: target.contentHash,
      intentHash,
      taskId: view.task.id,
    });
  return { kind: "ready", bytes, bytesHash: ports.blobs.put(bytes), recomputed, remoteId };
}

/** The website's own word, before any cache: what it holds now. */
export const proveOrigin = (ports: BriefingPorts, view: TaskView, entry: CompensationRow): Promise<UndoProof> =>
  proveObject(
    ports.clock,
    ports.cms.adapter,
    confirmedForward(view, entry),
    (object) => isReached(targetOf(entry), object),
    "origin_differs",
  );

/** What readers get, through caches and redirects: nothing any more, or the earlier page, text and every link of it. */
export async function provePublicPage(
  ports: BriefingPorts,
  view: TaskView,
  entry: CompensationRow,
): Promise<UndoProof> {
  const target = targetOf(entry);
  const pageUrl = pageUrlOf(ports, view, entry);
  const policy = view.definition.policies["probe"];
  const timeout = ports.clock.timeout(policy?.callTimeoutMs ?? 20_000);
  let read: PageRead;
  try {
    read = await ports.probe.read(pageUrl, { signal: timeout.signal, now: ports.clock.now() });
  } finally {
    timeout.cancel();
  }
  const nextAt = ports.clock.now() + (policy?.waitsMs[0] ?? 20_000);
  if (read.kind === "failed") {
    const { code } = read.error;
    const seen = { pageUrl, code };
    return { kind: "not_yet", code, class: "transient", nextAt, seen, artifacts: [], evidenceRefs: [], calls: 1 };
  }
  const capture = freezeBytes(ports.blobs, "page-capture", read.bytes, read.mediaType);
  const found = { artifacts: [capture], evidenceRefs: [capture.hash], calls: 1 };
  const judged = judgePage(ports, target, read);
  const { httpStatus, ageSeconds } = read;
  const seen = { pageUrl, httpStatus, ageSeconds, ...judged.seen };
  return judged.code === null
    ? { ...found, kind: "proved", seen }
    : { ...found, kind: "not_yet", code: judged.code, class: null, nextAt, seen };
}

function judgePage(
  ports: BriefingPorts,
  target: Target,
  read: Extract<PageRead, { kind: "read" }>,
): { code: string | null; seen: Readonly<Record<string, unknown>> } {
  const { httpStatus } = read;
  // Gone is what the server itself calls gone: an error page or a redirect elsewhere says nothing about the page.
  const isGone = httpStatus === 404 || httpStatus === 410;
  if (target.kind === "down")
    return { code: isGone ? null : httpStatus === 200 ? "page_still_there" : `http_${httpStatus}`, seen: {} };
  if (httpStatus !== 200) return { code: `http_${httpStatus}`, seen: {} };
  const pack = thawJson<ContentPackage>(ports.blobs, target.packageHash);
  const comparison = comparePage({
    expectedHtml: thawText(ports.blobs, pack.pageHash),
    publicBytes: read.bytes,
    contentType: read.mediaType,
    pageUrl: read.finalUrl,
  });
  const { matches, textEqual, titleEqual, missingLinks, extraLinks } = comparison;
  const counted = { missingLinks: missingLinks.length, extraLinks: extraLinks.length };
  const seen = { matches, textEqual, titleEqual, ...counted, textHash: sha256(comparison.observedTextHashInput) };
  return { code: matches ? null : "page_mismatch", seen };
}

/** Where the page was confirmed to be; else where it was planned. */
function pageUrlOf(ports: BriefingPorts, view: TaskView, entry: CompensationRow): string {
  const forward = confirmedForward(view, entry);
  return forward.remoteUrl ?? ports.cms.requests.plannedUrl(ports.cms.requests.slugOf(forward.slot));
}
