import { lastApprovedPackage, lastPublishedPackage } from "../../../db/queries/content-review";
import type { Input, Output } from "../../../preload/contract";
import type { TaskId } from "../../domain/ids";
import { operationKeyOf } from "../../domain/keys";
import type { ExtractedSource, Fact } from "../../domain/ports";
import type { TaskView } from "../../domain/view";
import { newestApproval } from "./approval-view";
import { dryContentApproval, dryRunSigned } from "./dry-approvals";
import type { Extractions } from "./extractions";
import { type FrozenLinkReport, type FrozenPackage, readFrozen, type SourceOrigin } from "./frozen";
import { packageText } from "./package-text";
import { readOrigins, type SourceView, sourceViews } from "./source-views";
import { dryContext, type ViewPorts } from "./view-ports";
import { openWarnings, warningViews } from "./warning-views";
import { diffTexts, segmenterFor } from "./word-diff";

type Review = NonNullable<Output<"contentReview.get">>;
type Choice = Review["comparedWith"]["choice"];

/** Stages in which a newer package is on its way: the frozen one can be read, never approved. */
const BEFORE_THE_GATE = ["created", "collecting", "drafting", "checking"];

/**
 * The frozen package of a task with everything a decision about it rests on.
 * @returns null as long as nothing was frozen.
 */
export async function contentReviewView(
  ports: ViewPorts,
  extractions: Extractions,
  asked: Input<"contentReview.get">,
): Promise<Output<"contentReview.get">> {
  const configs = await ports.sources();
  const clock = ports.clock();
  const read = ports.queries.consistent(() => {
    const view = ports.queries.tasks.view(asked.taskId as TaskId);
    const packageHash = view?.task.context["packageHash"];
    if (!view || typeof packageHash !== "string") return null;
    const pack = readFrozen<FrozenPackage>(ports.blobs, packageHash, "imprimatur-package/1");
    const origins = readOrigins(view);
    const sources = frozenSources(sourceViews(view, origins, configs), pack, origins);
    const review = assemble(ports, view, { packageHash, pack, sources, clock, choice: asked.compareWith });
    return { review, pack, origins };
  });
  if (read === null) return null;
  const facts = await factViews(extractions, read.pack, read.origins);
  return { ...read.review, facts };
}

interface Parts {
  packageHash: string;
  pack: FrozenPackage;
  sources: SourceView[];
  clock: Review["clock"];
  choice: Choice | undefined;
}

function assemble(ports: ViewPorts, view: TaskView, parts: Parts): Omit<Review, "facts"> {
  const { packageHash, pack, sources, clock } = parts;
  const { task } = view;
  const { contentHash, hashRuleVersion, checkReceiptId: checkReceipt, document, email } = pack;
  const { title, intro, language } = document;
  const report = readFrozen<FrozenLinkReport>(ports.blobs, pack.linkReportHash, "imprimatur-links/1");
  const links = report.links.map(({ url, verdict, httpStatus, finalUrl }) => ({ url, verdict, httpStatus, finalUrl }));
  const compared = compare(ports, view, parts, parts.choice ?? "last_approved");
  const trustedAt = ports.trusted.read().at;
  const approval = newestApproval(view, "publish", trustedAt);
  const made = dryContentApproval(ports, view);
  const { open: canApprove, unmet } = dryRunSigned(ports, view, made, dryContext(ports, view, clock.now));
  return {
    taskId: task.id,
    edition: task.edition,
    state: task.state,
    stateVersion: task.stateVersion,
    current: !BEFORE_THE_GATE.includes(stageOf(view)),
    packageHash,
    contentHash,
    hashRuleVersion,
    checkReceipt,
    title,
    intro,
    language,
    sources,
    links,
    warnings: warningViews(openWarnings(task, pack), report, sources),
    previewUrl: `app://preview/${pack.pageHash}`,
    emailPreviewUrl: `app://preview/${pack.emailPreviewHash}`,
    email,
    ...compared,
    approval,
    willCall: willCall(ports, view, pack, approval?.state === "living" ? approval.expiresAt : null, trustedAt),
    canApprove,
    unmet,
    clock,
  };
}

/** Where the task is on its main path: a blocked or waiting one is still in the stage it left. */
const stageOf = ({ task }: TaskView): string => task.resumeState ?? task.state;

/** The package names the snapshots it was checked with; a collection that began anew since does not change them. */
function frozenSources(
  sources: readonly SourceView[],
  pack: FrozenPackage,
  origins: ReadonlyMap<string, SourceOrigin>,
): SourceView[] {
  const named = new Map(pack.sources.map((source) => [source.sourceId, source.snapshotHash]));
  return sources.map((source) => {
    const hash = named.get(source.id);
    if (hash === undefined || hash === source.snapshotHash) return source;
    const origin = origins.get(hash);
    const { finalUrl = null, fetchedAt = null } = origin ?? {};
    return { ...source, state: "frozen", snapshotHash: hash, finalUrl, fetchedAt, errorCode: null };
  });
}

function compare(
  ports: ViewPorts,
  view: TaskView,
  { packageHash, pack }: Parts,
  choice: Choice,
): Pick<Review, "comparedWith" | "diff"> {
  const found =
    choice === "nothing"
      ? null
      : choice === "last_approved"
        ? lastApprovedPackage(ports.queries, view.task, packageHash)
        : lastPublishedPackage(ports.queries, view.task);
  const hash = found?.packageHash as Parameters<typeof ports.blobs.has>[0] | undefined;
  // What had to go by its licence cannot be compared with; everything is then new to the eye.
  const before = hash !== undefined && ports.blobs.has(hash) ? packageText(readPackage(ports, hash)) : null;
  const diff = diffTexts(before ?? "", packageText(pack), segmenterFor(pack.document.language));
  const isThere = found !== null && before !== null;
  return {
    comparedWith: { choice, hash: isThere ? found.packageHash : null, edition: isThere ? found.edition : null },
    diff,
  };
}

const readPackage = (ports: ViewPorts, hash: string): FrozenPackage =>
  readFrozen<FrozenPackage>(ports.blobs, hash, "imprimatur-package/1");

function willCall(
  ports: ViewPorts,
  view: TaskView,
  pack: FrozenPackage,
  livingUntil: number | null,
  trustedAt: number,
): Review["willCall"] {
  const [intent] = ports.pipeline.publishIntents(view);
  const undo = intent?.compensation ?? null;
  return {
    site: ports.site,
    url: pack.plannedUrl,
    operationKey: intent ? operationKeyOf(intent.intentKey, intent.phase, intent.recipientId) : pack.operationKey,
    undo: undo?.action ?? "none",
    undoGrade: undo?.grade ?? "D",
    expiresAt: livingUntil ?? trustedAt + view.definition.deadlines.approvalTtlMs,
  };
}

async function factViews(
  extractions: Extractions,
  pack: FrozenPackage,
  origins: ReadonlyMap<string, SourceOrigin>,
): Promise<Review["facts"]> {
  const facts: Review["facts"] = [];
  for (const fact of pack.document.facts) {
    const { id, headline, statement, quote, url, sourceId, snapshotHash, start, end } = fact;
    const origin = origins.get(snapshotHash);
    const extracted = origin?.sourceId === sourceId ? await extractions.of(snapshotHash, origin) : null;
    const quoteFound = extracted !== null && isQuoted(extracted, fact);
    const sourceTitle = origin?.title ?? sourceId;
    facts.push({ id, headline, statement, quote, url, sourceId, sourceTitle, snapshotHash, start, end, quoteFound });
  }
  return facts;
}

/** Exactly these words at exactly this place, within one item: a span across two joins what nobody wrote together. */
function isQuoted({ text, items }: ExtractedSource, { quote, start, end }: Fact): boolean {
  if (quote.trim() === "" || text.slice(start, end) !== quote) return false;
  return items.some((item) => item.start <= start && end <= item.end);
}
