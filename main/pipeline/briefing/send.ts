import type { OperationIntent } from "../../domain/commands";
import { HASH_RULE_VERSION } from "../../domain/hash-rule";
import { sha256 } from "../../domain/hashing";
import { Bug } from "../../domain/ids";
import { sendIntentKey, slotOf } from "../../domain/keys";
import type { OperationRow } from "../../domain/records";
import type { TaskView } from "../../domain/view";
import type { PreparedRequest, Work } from "../../engine/runtime";
import { audienceRecords, computeAudience } from "./audience";
import { contextOf, freezeJson, freezeText, requireContext, thawJson } from "./frozen";
import type { BriefingPorts } from "./ports";
import type { ContentPackage } from "./records";
import { bodyHashInput, type EditionEmail, type EmailWords, renderEmail } from "./render-email";
import { campaignUndo, mailingUndo } from "./undo-plans";
import { readAndCompare } from "./verify-page";

/** Opens the send review: the e-mail rendered for the proved address, the audience computed and frozen. */
export function openSendReviewWork(ports: BriefingPorts): Work {
  return async (context) => {
    const { task } = context.view;
    const email = renderFor(ports, context.view);
    const artifact = freezeJson(ports.blobs, "email", email);
    // The same bytes once more on their own, so that the review's frame can show exactly what will be mailed.
    const html = freezeText(ports.blobs, "email-html", email.html, "text/html; charset=utf-8");
    const records = audienceRecords(ports, task, computeAudience(ports, context.view.suppressionVersion()));
    context.execute({
      type: "transition",
      taskId: task.id,
      event: "SendReviewOpened",
      artifacts: [artifact, html, records.artifact],
      audience: records.audience,
      evidenceRefs: [artifact.hash, records.artifact.hash, requireContext(task, "captureHash")],
      payload: { recipients: records.context.audienceCount, excluded: records.audience.snapshot.excluded },
      context: {
        ...records.context,
        emailHash: artifact.hash,
        bodyHash: sha256(bodyHashInput(email)),
        sendRejected: 0,
      },
    });
  };
}

/** Somebody unsubscribed or was imported while the review was open: shown, and whatever was approved is void. */
export function refreshAudienceWork(ports: BriefingPorts): Work {
  return async (context) => {
    const { task } = context.view;
    const records = audienceRecords(ports, task, computeAudience(ports, context.view.suppressionVersion()));
    context.execute({
      type: "transition",
      taskId: task.id,
      event: "AudienceChanged",
      artifacts: [records.artifact],
      audience: records.audience,
      evidenceRefs: [records.artifact.hash],
      payload: { recipients: records.context.audienceCount, excluded: records.audience.snapshot.excluded },
      context: records.context,
    });
  };
}

function renderFor(ports: BriefingPorts, view: TaskView): EditionEmail {
  const pack = thawJson<ContentPackage>(ports.blobs, requireContext(view.task, "packageHash"));
  const words = contextOf(view.task, "emailWordsHash");
  const email = words === null ? pack.email : thawJson<EmailWords>(ports.blobs, words);
  return renderEmail({ document: pack.document, email, pageUrl: requireContext(view.task, "pageUrl") });
}

/** The two operations of a mailing: a campaign that can still be held back, then its start, which cannot be undone. */
export function sendIntents(ports: BriefingPorts, view: TaskView): OperationIntent[] {
  const { task } = view;
  const hashes = {
    contentHash: null,
    pageUrl: requireContext(task, "pageUrl"),
    bodyHash: requireContext(task, "bodyHash"),
    audienceHash: requireContext(task, "audienceHash"),
  };
  const slot = slotOf("send", task.taskKey);
  const common = {
    intentKey: sendIntentKey(task.taskKey, task.taskVersion, hashes),
    kind: "send" as const,
    adapter: ports.mail.name,
    target: ports.mail.target,
    slot,
    recipientId: null,
    hashes,
    hashRuleVersion: HASH_RULE_VERSION,
    // The campaign follows a person's decision; its start follows by itself, so nothing fallible may come after it (I07).
  };
  return [
    {
      ...common,
      phase: "create",
      after: null,
      automatic: false,
      compensation: campaignUndo(ports, view, slot),
    },
    {
      ...common,
      phase: "trigger",
      after: 0,
      automatic: true,
      compensation: mailingUndo(ports, view, slot),
    },
  ];
}

/** The exact bytes of a mailing's request, with body, audience and page taken anew right before the call (I04). */
export async function prepareSend(
  ports: BriefingPorts,
  view: TaskView,
  operation: OperationRow,
): Promise<PreparedRequest> {
  const email = thawJson<EditionEmail>(ports.blobs, requireContext(view.task, "emailHash"));
  const computed = computeAudience(ports, view.suppressionVersion());
  const recomputed = {
    contentHash: null,
    pageUrl: requireContext(view.task, "pageUrl"),
    bodyHash: sha256(bodyHashInput(email)),
    audienceHash: computed.audienceHash,
  };
  if (operation.phase === "trigger") {
    const create = view.operations().find((row) => row.id === operation.afterId);
    const bytes = ports.mail.requests.trigger({ operationKey: operation.operationKey });
    return { kind: "ready", bytes, bytesHash: ports.blobs.put(bytes), recomputed, remoteId: create?.remoteId ?? null };
  }
  const page = await readAndCompare(ports, view, recomputed.pageUrl);
  if (page.comparison === null && page.read.kind === "failed")
    return { kind: "wait", until: ports.clock.now() + 15_000 };
  if (page.comparison?.matches !== true)
    return {
      kind: "blocked",
      intent: {
        event: "SendBlocked",
        blockedReason: "page_mismatch",
        payload: { httpStatus: page.read.kind === "read" ? page.read.httpStatus : null },
      },
    };
  return keptOrBuilt(ports, view, operation, email, computed.frozen.recipients, recomputed);
}

function keptOrBuilt(
  ports: BriefingPorts,
  view: TaskView,
  operation: OperationRow,
  email: EditionEmail,
  recipients: readonly { id: string }[],
  recomputed: Extract<PreparedRequest, { kind: "ready" }>["recomputed"],
): PreparedRequest {
  const kept = ports.customers.keptRequest(operation.id);
  if (kept !== null) return { kind: "ready", bytes: kept, bytesHash: sha256(kept), recomputed, remoteId: null };
  const ids = recipients.map((recipient) => recipient.id);
  const addresses = ports.customers.addressesFor(ids);
  const { intentKey, operationKey, intentHash, slot } = operation;
  const bytes = ports.mail.requests.create({
    operationKey,
    intentKey,
    name: slot,
    ...email,
    bodyHash: recomputed.bodyHash ?? "",
    audienceHash: recomputed.audienceHash ?? "",
    intentHash,
    taskId: view.task.id,
    pageUrl: recomputed.pageUrl ?? "",
    recipients: ids.map((id) => ({ id, address: addressOf(addresses, id) })),
  });
  const bytesHash = ports.customers.keepRequest(operation.id, bytes);
  if (bytesHash === null) throw new Bug("a mail request was kept already with other bytes");
  return { kind: "ready", bytes, bytesHash, recomputed, remoteId: null };
}

function addressOf(addresses: ReadonlyMap<string, string>, id: string): string {
  const address = addresses.get(id);
  if (address === undefined) throw new Bug(`recipient ${id} of the audience has no address`);
  return address;
}
