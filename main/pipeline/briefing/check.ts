import { HASH_RULE_VERSION } from "../../domain/hash-rule";
import { sha256 } from "../../domain/hashing";
import { Bug } from "../../domain/ids";
import { operationKeyOf, publishIntentKey, slotOf } from "../../domain/keys";
import type { LinkCheck } from "../../domain/ports";
import type { Work, WorkContext } from "../../engine/runtime";
import { checkQuotes } from "./check-quotes";
import { countShortfall, type DraftDocument } from "./draft-schema";
import { buildEditionDocument, canonicalContentBytes, type EditionDocument } from "./edition-document";
import { type ThawedSource, thawSources } from "./extracted-sources";
import { contextOf, freezeJson, freezeText, requireContext, thawJson } from "./frozen";
import { readOrigins } from "./origins";
import type { BriefingPorts } from "./ports";
import type { ContentPackage, LinkReport } from "./records";
import { renderEmail } from "./render-email";
import { renderPage } from "./render-page";

/**
 * Checks the draft and freezes the package (domain 3): every quote at its place in a frozen source, every link judged, the
 * page rendered as it will be sent, everything named by hash, the receipt numbered.
 */
export function checkWork(ports: BriefingPorts): Work {
  return async (context) => {
    const { task } = context.view;
    const draftHash = contextOf(task, "editedDraftHash") ?? requireContext(task, "draftHash");
    const draft = thawJson<DraftDocument>(ports.blobs, draftHash);
    const sources = thawSources(ports, context.view, readOrigins(context.view));
    const faults = checkQuotes(
      draft.facts,
      sources.map((source) => ({
        sourceId: source.config.id,
        snapshotHash: source.snapshotHash,
        extracted: source.extracted,
      })),
    );
    if (faults.length > 0) {
      context.execute({
        type: "transition",
        taskId: task.id,
        event: "CheckBlocked",
        blockedReason: "fact_evidence",
        payload: { faults: faults.map((fault) => ({ ...fault })) },
      });
      return;
    }
    const document = documentOf(task.edition, draft, sources);
    ports.crash.reach("before-call:links");
    const answers = await checkLinks(ports, context, document.links);
    ports.crash.reach("after-call:links");
    if (answers === null) return;
    const links = judgeOffline(answers);
    const report = freezeJson(ports.blobs, "link-report", { format: "imprimatur-links/1", links } satisfies LinkReport);
    const broken = links.filter((link) => link.verdict === "broken");
    if (broken.length > 0) {
      const payload = {
        broken: broken.length,
        links: links.length,
        codes: broken.map((link) => link.code ?? String(link.httpStatus ?? "—")),
      };
      context.execute({
        type: "transition",
        taskId: task.id,
        event: "CheckBlocked",
        blockedReason: "link_failure",
        payload,
        artifacts: [report],
        evidenceRefs: [report.hash],
      });
      return;
    }
    passCheck(ports, context, { draft, draftHash, document, links, report, sources });
  };
}

const NO_NETWORK = new Set(["dns", "unreachable"]);

/**
 * Where not one name outside this computer could be looked up, the links were not judged: we are offline. They are warnings
 * for the editor's eyes then; a single dead name among living ones is a broken link.
 */
export function judgeOffline(links: readonly LinkCheck[]): LinkCheck[] {
  const isLocal = (url: string) => /^https?:\/\/(127\.|localhost[:/]|\[::1\])/.test(url);
  const outside = links.filter((link) => !isLocal(link.url));
  const isOffline =
    outside.length > 0 && outside.every((link) => link.verdict === "broken" && NO_NETWORK.has(link.code ?? ""));
  return links.map((link) =>
    isOffline && !isLocal(link.url) ? { ...link, verdict: "timeout", code: "offline" } : link,
  );
}

export function documentOf(edition: string, draft: DraftDocument, sources: readonly ThawedSource[]): EditionDocument {
  return buildEditionDocument({
    edition,
    draft,
    sources: sources.map(({ config, extracted }) => ({
      id: config.id,
      title: config.title,
      url: config.url,
      licence: config.licence,
      homepage: extracted?.homepage ?? null,
    })),
  });
}

interface Checked {
  draft: DraftDocument;
  draftHash: string;
  document: EditionDocument;
  links: readonly LinkCheck[];
  report: ReturnType<typeof freezeJson>;
  sources: readonly ThawedSource[];
}

function passCheck(ports: BriefingPorts, context: WorkContext, checked: Checked): void {
  const { task } = context.view;
  const { document, draft, links, report } = checked;
  const contentHash = sha256(canonicalContentBytes(document));
  const operationKey = operationKeyOf(publishIntentKey(task.taskKey, task.taskVersion, contentHash), "create", null);
  const page = freezeText(ports.blobs, "page", renderPage({ document, operationKey }), "text/html; charset=utf-8");
  const plannedUrl = ports.cms.requests.plannedUrl(ports.cms.requests.slugOf(slotOf("publish", task.taskKey)));
  const emailPreview = freezeText(
    ports.blobs,
    "email-preview",
    renderEmail({ document, email: draft.email, pageUrl: plannedUrl }).html,
    "text/html; charset=utf-8",
  );
  const checkReceiptId = `C-${ports.receiptsSoFar() + 1}`;
  // Counted here and not where it was drafted: the editor may have left a fact out since.
  const shortfall = countShortfall(draft, ports.wantedFacts);
  const warnings = warningsOf(checked, shortfall, context);
  const frozen: ContentPackage = {
    format: "imprimatur-package/1",
    document,
    contentHash,
    hashRuleVersion: HASH_RULE_VERSION,
    operationKey,
    pageHash: page.hash,
    draftHash: checked.draftHash as ContentPackage["draftHash"],
    linkReportHash: report.hash,
    emailPreviewHash: emailPreview.hash,
    plannedUrl,
    email: draft.email,
    sources: checked.sources.map((source) => ({
      sourceId: source.config.id,
      snapshotHash: source.snapshotHash as ContentPackage["draftHash"],
    })),
    checkReceiptId,
    warnings,
  };
  const pack = freezeJson(ports.blobs, "package", frozen);
  context.execute({
    type: "transition",
    taskId: task.id,
    event: "CheckPassed",
    artifacts: [report, page, emailPreview, pack],
    evidenceRefs: [pack.hash, report.hash, page.hash],
    payload: {
      receipt: checkReceiptId,
      facts: document.facts.length,
      links: countVerdicts(links),
      warnings: warnings.length,
    },
    context: {
      draftHash: checked.draftHash,
      editedDraftHash: null,
      packageHash: pack.hash,
      contentHash,
      pageHash: page.hash,
      linkReportHash: report.hash,
      checkReceiptId,
      linkCount: links.length,
      factCount: draft.facts.length,
      shortfall,
      warnings: warnings.join("\n"),
      rechecks: 0,
      changedSources: null,
    },
  });
}

function countVerdicts(links: readonly LinkCheck[]): Record<string, number> {
  const counts: Record<string, number> = { all: links.length };
  for (const link of links) counts[link.verdict] = (counts[link.verdict] ?? 0) + 1;
  return counts;
}

/** What does not stop the edition and must be ticked one by one: links that need eyes, sources missing, too few facts. */
function warningsOf(checked: Checked, shortfall: number, context: WorkContext): string[] {
  const links = checked.links.flatMap((link, index) =>
    link.verdict === "ok" ? [] : [`link_${link.verdict}:${index}`],
  );
  const progress = context.view.step("collecting")?.checkpoint["sources"] as
    | Record<string, { state: string }>
    | undefined;
  const failed = Object.entries(progress ?? {}).flatMap(([id, source]) =>
    source.state === "failed" ? [`source_failed:${id}`] : [],
  );
  return [...links, ...failed, ...(shortfall > 0 ? [`shortfall:${shortfall}`] : [])];
}

/** A few at a time; a link that gives no answer is a warning, so one time-out each and no retry. */
async function checkLinks(
  ports: BriefingPorts,
  context: WorkContext,
  urls: readonly string[],
): Promise<LinkCheck[] | null> {
  const policy = context.view.definition.policies["links"];
  if (!policy) throw new Bug("checking without a policy for links");
  const found = new Map<string, LinkCheck>();
  const queue = [...urls];
  const worker = async () => {
    for (let url = queue.shift(); url !== undefined && !context.signal.aborted; url = queue.shift()) {
      const timeout = context.clock.timeout(policy.callTimeoutMs);
      try {
        found.set(url, await ports.links.check(url, { signal: timeout.signal, now: context.clock.now() }));
      } finally {
        timeout.cancel();
      }
    }
  };
  await Promise.all(Array.from({ length: policy.parallel }, worker));
  if (context.signal.aborted) return null;
  return urls.map(
    (url) =>
      found.get(url) ?? { url, verdict: "timeout", httpStatus: null, finalUrl: null, hops: 0, code: "not_checked" },
  );
}
