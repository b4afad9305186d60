import type { OperationIntent } from "../../domain/commands";
import { HASH_RULE_VERSION } from "../../domain/hash-rule";
import { sha256 } from "../../domain/hashing";
import type { Sha256 } from "../../domain/ids";
import { publishIntentKey, slotOf } from "../../domain/keys";
import type { OperationRow } from "../../domain/records";
import { standingOf } from "../../domain/standing";
import type { TaskView } from "../../domain/view";
import type { PreparedRequest, Work } from "../../engine/runtime";
import { canonicalContentBytes } from "./edition-document";
import { requireContext, thawJson, thawText } from "./frozen";
import type { BriefingPorts } from "./ports";
import type { ContentPackage } from "./records";
import { renderPage } from "./render-page";
import { pageUndo } from "./undo-plans";

/** Starts publishing: the intent with its undo, in the transaction that moves the task (I02, I07). */
export function startPublishWork(ports: BriefingPorts): Work {
  return async (context) => {
    const { view } = context;
    const found = recompute(ports, view);
    if (found.contentHash !== view.task.context["contentHash"]) {
      // Something is no longer what was approved: back through checking, the old approval is dead (domain 3, ArtifactChanged).
      const draftHash = requireContext(view.task, "draftHash");
      context.execute({
        type: "transition",
        taskId: view.task.id,
        event: "ArtifactChanged",
        context: { editedDraftHash: draftHash },
      });
      return;
    }
    context.execute({
      type: "transition",
      taskId: view.task.id,
      event: "PublishStarted",
      operations: publishIntents(ports, view),
    });
  };
}

/**
 * The operations that carry out the approved content: a create; an update where the place has an object already; and where
 * that object was taken down before, its publishing as well.
 */
export function publishIntents(ports: BriefingPorts, view: TaskView): OperationIntent[] {
  const { task } = view;
  const contentHash = requireContext(task, "contentHash");
  const slot = slotOf("publish", task.taskKey);
  const intentKey = publishIntentKey(task.taskKey, task.taskVersion, contentHash);
  const before = standingOf(view.slotOperations(slot).filter((row) => row.intentKey !== intentKey));
  const wasUp = before?.isUp === true && before.contentHash !== null;
  const packageHash = wasUp ? ports.approvedPackage(task.taskKey, before.contentHash as Sha256) : null;
  const common = {
    intentKey,
    kind: "publish" as const,
    adapter: ports.cms.name,
    target: ports.cms.target,
    slot,
    recipientId: null,
    hashes: { contentHash, pageUrl: null, bodyHash: null, audienceHash: null },
    hashRuleVersion: HASH_RULE_VERSION,
  };
  const write: OperationIntent = {
    ...common,
    phase: before === null ? "create" : "update",
    after: null,
    automatic: false,
    compensation: pageUndo(ports, view, slot, wasUp ? { contentHash: before.contentHash, packageHash } : null),
  };
  // A new page in two phases: an invisible draft, a look at it, then its publishing by id, which may be repeated (domain 6).
  const isDraftFirst = before === null && ports.cms.twoPhase === true;
  if (!isDraftFirst && (before === null || before.isUp)) return [write];
  return [write, { ...common, phase: "publish", after: 0, automatic: true, compensation: null }];
}

/** The content hash taken anew from the frozen package, and the page it must equal. */
function recompute(ports: BriefingPorts, view: TaskView) {
  const pack = thawJson<ContentPackage>(ports.blobs, requireContext(view.task, "packageHash"));
  const html = thawText(ports.blobs, pack.pageHash);
  const rendered = renderPage({ document: pack.document, operationKey: pack.operationKey });
  // The page that leaves must be the approved content rendered, byte for byte: else the hash would speak of other bytes.
  const contentHash = rendered === html ? sha256(canonicalContentBytes(pack.document)) : sha256(html);
  return { pack, html, contentHash };
}

/** The exact bytes of a publishing request: kept from the first time on, never rebuilt (domain 1). */
export async function preparePublish(
  ports: BriefingPorts,
  view: TaskView,
  operation: OperationRow,
): Promise<PreparedRequest> {
  const { pack, html, contentHash } = recompute(ports, view);
  const recomputed = { contentHash, pageUrl: null, bodyHash: null, audienceHash: null };
  const existing = standingOf(view.slotOperations(operation.slot))?.create ?? null;
  const remoteId = operation.phase === "create" ? null : (existing?.remoteId ?? null);
  if (operation.requestBytesHash !== null) {
    return {
      kind: "ready",
      bytes: ports.blobs.get(operation.requestBytesHash),
      bytesHash: operation.requestBytesHash,
      recomputed,
      remoteId,
    };
  }
  const common = {
    operationKey: operation.operationKey,
    title: pack.document.title,
    html,
    contentHash,
    intentHash: operation.intentHash,
    taskId: view.task.id,
  };
  if (operation.phase === "create") {
    const { slot, intentKey } = operation;
    const bytes = ports.cms.requests.create({
      ...common,
      slug: ports.cms.requests.slugOf(slot),
      intentKey,
      language: pack.document.language,
      status: isFirstOfTwo(view, operation) ? "draft" : "published",
    });
    return { kind: "ready", bytes, bytesHash: ports.blobs.put(bytes), recomputed, remoteId };
  }
  if (operation.phase === "publish") {
    // Whatever revision the update before it made; what readers then get is held against the approved page anyway.
    const { operationKey } = operation;
    const bytes = ports.cms.requests.status({ operationKey, status: "published", expectedRevision: null });
    return { kind: "ready", bytes, bytesHash: ports.blobs.put(bytes), recomputed, remoteId };
  }
  const revision = await revisionOf(ports, view, operation, remoteId);
  if (revision === null) return { kind: "wait", until: ports.clock.now() + 30_000 };
  const bytes = ports.cms.requests.update({ ...common, expectedRevision: revision });
  return { kind: "ready", bytes, bytesHash: ports.blobs.put(bytes), recomputed, remoteId };
}

/** A create that is followed by its own publishing makes a draft only. */
const isFirstOfTwo = (view: TaskView, create: OperationRow): boolean =>
  view.operations().some((row) => row.phase === "publish" && row.afterId === create.id);

/** An update says which revision it was made for; which one is there now is asked right before (domain 9). */
async function revisionOf(
  ports: BriefingPorts,
  view: TaskView,
  operation: OperationRow,
  remoteId: string | null,
): Promise<number | null> {
  const { adapter } = ports.cms;
  const timeout = ports.clock.timeout(adapter.manifest.callTimeoutMs);
  try {
    const { operationKey, slot, phase, target } = operation;
    const answer = await adapter.look(
      { operationKey, createKey: createKeyOf(view, operation), slot, phase, remoteId, target },
      { signal: timeout.signal, now: ports.clock.now() },
    );
    return answer.kind === "seen" ? (answer.objects[0]?.revision ?? null) : null;
  } finally {
    timeout.cancel();
  }
}

/** The key under which the remote object of an operation was made. */
export function createKeyOf(view: TaskView, operation: OperationRow): string {
  if (operation.phase === "create") return operation.operationKey;
  const create =
    view.operations().find((row) => row.id === operation.afterId) ??
    view.slotOperations(operation.slot).find((row) => row.phase === "create" && row.state === "confirmed");
  return create?.operationKey ?? operation.operationKey;
}
