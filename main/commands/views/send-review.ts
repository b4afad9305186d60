import { readSendReview, type SendReviewRows } from "../../../db/queries/send-review";
import type { Input, Output } from "../../../preload/contract";
import type { OperationIntent } from "../../domain/commands";
import { sha256 } from "../../domain/hashing";
import type { Sha256, TaskId } from "../../domain/ids";
import { operationKeyOf } from "../../domain/keys";
import type { TaskView } from "../../domain/view";
import { newestApproval } from "./approval-view";
import { audienceChanges, countGroups } from "./audience-changes";
import { confirmationOf, dryRunSigned, drySendApproval } from "./dry-approvals";
import { type FrozenAudience, type FrozenEmail, type FrozenPackage, readFrozen, readFrozenJson } from "./frozen";
import type { PageProofs } from "./page-proof";
import { dryContext, type ViewPorts } from "./view-ports";

type Review = NonNullable<Output<"sendReview.get">>;

/**
 * The last look before mails leave: page, text and audience, each with its proof, and what an approval would call.
 * @returns null as long as no send review was opened.
 */
export function sendReviewView(
  ports: ViewPorts,
  proofs: PageProofs,
  asked: Input<"sendReview.get">,
): Output<"sendReview.get"> {
  const clock = ports.clock();
  return ports.queries.consistent(() => {
    const view = ports.queries.tasks.view(asked.taskId as TaskId);
    if (!view) return null;
    const names = readNames(view);
    if (names === null) return null;
    const rows = readSendReview(ports.queries, view.task);
    const pack = readFrozen<FrozenPackage>(ports.blobs, names.packageHash, "imprimatur-package/1");
    const proof = proofs.of(view, pack, rows.proof);
    if (proof === null) return null;
    return { ...assemble(ports, view, { names, pack, rows, clock }), proof };
  });
}

/** The values that a send review stands on. All of them are there once it was opened. */
interface Names {
  packageHash: string;
  pageUrl: string;
  emailHash: string;
  bodyHash: string;
  audienceHash: string;
  audienceArtifactHash: string;
  /** What was on the table before the audience changed while this edition waited. */
  audienceBeforeHash: string | null;
}

function readNames(view: TaskView): Names | null {
  const text = (name: keyof Names) => {
    const value = view.task.context[name];
    return typeof value === "string" ? value : null;
  };
  const [packageHash, pageUrl, emailHash] = [text("packageHash"), text("pageUrl"), text("emailHash")];
  const [bodyHash, audienceHash, audienceArtifactHash] = [
    text("bodyHash"),
    text("audienceHash"),
    text("audienceArtifactHash"),
  ];
  if (packageHash === null || pageUrl === null || emailHash === null) return null;
  if (bodyHash === null || audienceHash === null || audienceArtifactHash === null) return null;
  const audienceBeforeHash = text("audienceBeforeHash");
  return { packageHash, pageUrl, emailHash, bodyHash, audienceHash, audienceArtifactHash, audienceBeforeHash };
}

interface Parts {
  names: Names;
  pack: FrozenPackage;
  rows: SendReviewRows;
  clock: Review["clock"];
}

function assemble(ports: ViewPorts, view: TaskView, { names, pack, rows, clock }: Parts): Omit<Review, "proof"> {
  const { task } = view;
  const email = readFrozenJson<FrozenEmail>(ports.blobs, names.emailHash);
  const frozen = readFrozen<FrozenAudience>(ports.blobs, names.audienceArtifactHash, "imprimatur-audience/1");
  const audience = audienceView(ports, frozen, rows.previous, names.audienceBeforeHash);
  const { pageUrl, bodyHash, audienceHash } = names;
  const made = drySendApproval(ports, view);
  const { open: canApprove, unmet } = dryRunSigned(ports, view, made, dryContext(ports, view, clock.now));
  const trustedAt = ports.trusted.read().at;
  const approval = newestApproval(view, "send", trustedAt);
  const expiresAt =
    approval?.state === "living" ? approval.expiresAt : trustedAt + view.definition.deadlines.approvalTtlMs;
  return {
    taskId: task.id,
    edition: task.edition,
    state: task.state,
    stateVersion: task.stateVersion,
    pageUrl,
    bodyHash,
    audienceHash,
    subject: email.subject,
    intro: emailIntro(ports, view, pack),
    bodyText: email.text,
    previewUrl: `app://preview/${sha256(email.html)}`,
    audience,
    confirmation: confirmationOf(task.edition, audience.count),
    approval,
    willCall: { ...willCall("command" in made ? (made.command.operations ?? []) : []), expiresAt },
    canApprove,
    unmet,
    clock,
  };
}

/** The words the editor wrote for this mailing, or those of the package. */
function emailIntro(ports: ViewPorts, view: TaskView, pack: FrozenPackage): string {
  const words = view.task.context["emailWordsHash"];
  return typeof words === "string" ? readFrozenJson<{ intro: string }>(ports.blobs, words).intro : pack.email.intro;
}

function audienceView(
  ports: ViewPorts,
  frozen: FrozenAudience,
  previous: SendReviewRows["previous"],
  shownBefore: string | null,
): Review["audience"] {
  const read = (hash: string | null | undefined) =>
    hash && ports.blobs.has(hash as Sha256)
      ? readFrozen<FrozenAudience>(ports.blobs, hash as Sha256, "imprimatur-audience/1")
      : null;
  const before = read(previous?.audienceArtifactHash);
  const earlier = read(shownBefore);
  const changes = audienceChanges(before, frozen);
  // What changed since the editor last looked is said too; what both comparisons say is said once.
  const since = earlier === null ? [] : audienceChanges(earlier, frozen);
  const isNew = (row: (typeof since)[number]) =>
    !changes.some((other) => other.recipientId === row.recipientId && other.change === row.change);
  return {
    count: frozen.recipients.length,
    groups: countGroups(frozen),
    changes: [...changes, ...since.filter(isNew)],
    suppressed: frozen.excluded.length,
    suppressionVersion: frozen.suppressionVersion,
    comparedWith: before === null ? null : (previous?.edition ?? null),
  };
}

/** Every call that an approval would allow; the undo shown is that of the call which is hardest to undo. */
function willCall(intents: readonly OperationIntent[]): Omit<Review["willCall"], "expiresAt"> {
  const undos = intents.flatMap((intent) => (intent.compensation ? [intent.compensation] : []));
  const hardest = undos.reduce<(typeof undos)[number] | null>(
    (worst, undo) => (worst === null || undo.grade > worst.grade ? undo : worst),
    null,
  );
  return {
    provider: intents[0]?.adapter ?? "",
    operationKeys: intents.map((intent) => operationKeyOf(intent.intentKey, intent.phase, intent.recipientId)),
    undo: hardest?.action ?? "none",
    undoGrade: hardest?.grade ?? "D",
  };
}
