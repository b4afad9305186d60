import type { TransitionCommand } from "../../domain/commands";
import { HASH_RULE_VERSION } from "../../domain/hash-rule";
import { sha256 } from "../../domain/hashing";
import { publishIntentKey, sendIntentKey } from "../../domain/keys";
import type { TaskContext } from "../../domain/records";
import { type Unmet, unmet } from "../../domain/unmet";
import type { TaskView } from "../../domain/view";
import { additionsOf, computeAudience } from "./audience";
import { checkDraft, type DraftDocument } from "./draft-schema";
import { draftTransition, presentDraft } from "./draft-transition";
import { canonicalContentBytes } from "./edition-document";
import { contextOf, freezeJson, requireContext, thawJson } from "./frozen";
import type { BriefingPorts } from "./ports";
import { publishIntents } from "./publish";
import type { ContentPackage, FrozenAudience } from "./records";
import { bodyHashInput, type EditionEmail } from "./render-email";
import { sendIntents } from "./send";

/** What the editor saw when she approved: sent back as it was, held against what is there now. */
export interface ContentSeen {
  packageHash: string;
  contentHash: string;
  comparedWith: { choice: string; hash: string | null };
  acknowledged: readonly string[];
  readSections: readonly string[];
}

export interface SendSeen {
  pageUrl: string;
  bodyHash: string;
  audienceHash: string;
  typed: string;
  acknowledgedAdditions: readonly string[];
}

export interface ContentEditInput {
  title: string;
  intro: string;
  /** The facts to keep, in their new order. */
  facts: readonly { id: string; headline: string; statement: string }[];
}

/** A command to execute, or what stands against making one. */
export type Made = { command: TransitionCommand } | { unmet: Unmet[] };

/** The approval of the content: bound to the package the editor saw, its hash taken anew at the click (domain 3). */
export function contentApproval(ports: BriefingPorts, view: TaskView, seen: ContentSeen): Made {
  const { task } = view;
  const packageHash = contextOf(task, "packageHash");
  if (packageHash === null) return { unmet: [unmet("package_missing")] };
  const pack = thawJson<ContentPackage>(ports.blobs, packageHash);
  const recomputedContentHash = sha256(canonicalContentBytes(pack.document));
  return {
    command: {
      type: "transition",
      taskId: task.id,
      event: "ContentApproved",
      payload: {
        packageHash: seen.packageHash,
        contentHash: seen.contentHash,
        recomputedContentHash,
        acknowledged: seen.acknowledged,
        readSections: seen.readSections,
      },
      evidenceRefs: [packageHash, pack.linkReportHash, pack.pageHash],
      approval: {
        scope: "publish",
        intentKey: publishIntentKey(task.taskKey, task.taskVersion, recomputedContentHash),
        hashRuleVersion: HASH_RULE_VERSION,
        contentHash: recomputedContentHash,
        packageHash,
        pageUrl: null,
        bodyHash: null,
        audienceHash: null,
        checkReceiptId: pack.checkReceiptId,
        evidence: [
          packageHash,
          pack.linkReportHash,
          pack.pageHash,
          ...pack.sources.map((source) => source.snapshotHash),
        ],
        comparedWith: seen.comparedWith,
        acknowledged: seen.acknowledged,
      },
    },
  };
}

/** What must be typed to send: the edition and the exact count, so that the hand knows what the eye has read. */
export const sendConfirmation = (edition: string, count: number): string => `${edition} ${count}`;

/** The approval of the mailing: bound to page, body and audience, each taken anew at the click (I04). */
export function sendApproval(ports: BriefingPorts, view: TaskView, seen: SendSeen): Made {
  const { task } = view;
  if (contextOf(task, "emailHash") === null || contextOf(task, "audienceArtifactHash") === null)
    return { unmet: [unmet("audience_missing")] };
  const pageUrl = requireContext(task, "pageUrl");
  const bodyHash = sha256(bodyHashInput(thawJson<EditionEmail>(ports.blobs, requireContext(task, "emailHash"))));
  const { audienceHash } = computeAudience(ports, view.suppressionVersion());
  const frozen = thawJson<FrozenAudience>(ports.blobs, requireContext(task, "audienceArtifactHash"));
  const payload = {
    pageUrl: seen.pageUrl,
    bodyHash: seen.bodyHash,
    audienceHash: seen.audienceHash,
    recomputed_pageUrl: pageUrl,
    recomputed_bodyHash: bodyHash,
    recomputed_audienceHash: audienceHash,
    typed: seen.typed,
    confirmation: sendConfirmation(task.edition, frozen.recipients.length),
    additions: additionsOf(ports, task, frozen),
    acknowledgedAdditions: seen.acknowledgedAdditions,
  };
  const evidence = [
    requireContext(task, "captureHash"),
    requireContext(task, "emailHash"),
    requireContext(task, "audienceArtifactHash"),
  ];
  return {
    command: {
      type: "transition",
      taskId: task.id,
      event: "SendApproved",
      payload,
      evidenceRefs: evidence,
      operations: sendIntents(ports, view),
      approval: {
        scope: "send",
        intentKey: sendIntentKey(task.taskKey, task.taskVersion, { pageUrl, bodyHash, audienceHash }),
        hashRuleVersion: HASH_RULE_VERSION,
        contentHash: contextOf(task, "contentHash"),
        packageHash: contextOf(task, "packageHash"),
        pageUrl,
        bodyHash,
        audienceHash,
        checkReceiptId: contextOf(task, "checkReceiptId"),
        evidence,
        comparedWith: { choice: "last_audience", hash: ports.previous(task)?.audienceArtifactHash ?? null },
        acknowledged: seen.acknowledgedAdditions,
      },
    },
  };
}

/** The editor's edit as a new draft: quotes and sources stay, words and order change; it goes back through checking. */
export function contentEdit(
  ports: BriefingPorts,
  view: TaskView,
  basePackageHash: string | null,
  edit: ContentEditInput,
): Made {
  const { task } = view;
  const draftHash = presentDraft(task);
  if (draftHash === null) return { unmet: [unmet("draft_missing")] };
  if (basePackageHash !== null && basePackageHash !== contextOf(task, "packageHash"))
    return { unmet: [unmet("package_changed", { seen: basePackageHash, now: contextOf(task, "packageHash") ?? "—" })] };
  const draft = thawJson<DraftDocument>(ports.blobs, draftHash);
  const known = new Map(draft.facts.map((fact) => [fact.id, fact]));
  const facts = edit.facts.flatMap((change) => {
    const fact = known.get(change.id);
    return fact ? [{ ...fact, headline: change.headline, statement: change.statement }] : [];
  });
  const checked = checkDraft({ ...draft, title: edit.title, intro: edit.intro, facts });
  if (checked.kind === "invalid" || facts.length !== edit.facts.length)
    return {
      unmet: [unmet("draft_invalid", { faults: checked.kind === "invalid" ? checked.faults.join("; ") : "facts" })],
    };
  return { command: draftTransition(view, freezeJson(ports.blobs, "draft", checked.draft)) };
}

/** New words for the e-mail. While the send review is open they end it: body and approval belong together. */
export function emailEdit(ports: BriefingPorts, view: TaskView, words: { subject: string; intro: string }) {
  const { task } = view;
  const artifact = freezeJson(ports.blobs, "email-words", words);
  const context = { emailWordsHash: artifact.hash, sendRejected: 0 };
  const common = { taskId: task.id, artifacts: [artifact], evidenceRefs: [artifact.hash], context };
  if (task.state === "awaiting_send_approval")
    return { ...common, type: "transition" as const, event: "SendRejected", reason: "the e-mail was edited" };
  return { ...common, type: "note" as const, event: "EmailEdited", operationId: null, payload: {} };
}

/** Leaves `blocked` by one of its ways; what was rejected or cancelled on the way in is prepared anew under a fresh guard. */
export function unblocking(
  ports: BriefingPorts,
  view: TaskView,
  way: { to: string; evidence: string; newDeadlineAt?: number },
): TransitionCommand {
  const { task } = view;
  const wayOut = {
    to: way.to,
    evidence: way.evidence,
    ...(way.newDeadlineAt === undefined ? {} : { newDeadlineAt: way.newDeadlineAt }),
  };
  const intents =
    way.to === "publishing" ? publishIntents(ports, view) : way.to === "sending" ? sendIntents(ports, view) : [];
  const again = intents.filter((intent) =>
    view
      .operations()
      .some(
        (row) =>
          row.intentKey === intent.intentKey &&
          row.phase === intent.phase &&
          (row.state === "rejected" || row.state === "cancelled"),
      ),
  );
  const operations =
    again.length === 0
      ? {}
      : {
          operations: again.map((intent) => ({
            ...intent,
            after: again.length === intents.length ? intent.after : null,
          })),
        };
  // The old proof is not carried along: the page is proved anew, from the first probe on.
  const provedAnew: TaskContext = { nextProbeAt: 0, probeAttempts: 0, verifiedContentHash: null, captureHash: null };
  const context = way.to === "publishing" ? { context: provedAnew } : {};
  return { type: "transition", taskId: task.id, event: "Unblocked", wayOut, ...operations, ...context };
}
