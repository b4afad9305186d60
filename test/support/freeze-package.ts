import type { NewArtifact } from "../../main/domain/commands";
import { HASH_RULE_VERSION } from "../../main/domain/hash-rule";
import { sha256 } from "../../main/domain/hashing";
import { operationKeyOf, publishIntentKey, slotOf } from "../../main/domain/keys";
import type { LinkCheck } from "../../main/domain/ports";
import type { TaskRow } from "../../main/domain/records";
import type { DraftDocument } from "../../main/pipeline/briefing/draft-schema";
import { buildEditionDocument, canonicalContentBytes } from "../../main/pipeline/briefing/edition-document";
import { freezeJson, freezeText } from "../../main/pipeline/briefing/frozen";
import type { BriefingPorts } from "../../main/pipeline/briefing/ports";
import type { ContentPackage, LinkReport } from "../../main/pipeline/briefing/records";
import { renderEmail } from "../../main/pipeline/briefing/render-email";
import { renderPage } from "../../main/pipeline/briefing/render-page";
import type { SampleSource } from "./sample-sources";

export interface FrozenSource {
  source: SampleSource;
  hash: string;
}

/** What a check may find besides: other verdicts on links (by their place), warnings. */
export interface CheckFindings {
  links?: Readonly<Record<number, Partial<LinkCheck>>>;
  warnings?: readonly string[];
}

/** Freezes everything a passed check freezes, and says what the task's context then holds. */
export function freezePackage(
  ports: BriefingPorts,
  task: TaskRow,
  drafted: { draft: DraftDocument; draftHash: string; sources: readonly FrozenSource[] },
  findings: CheckFindings,
): { artifacts: NewArtifact[]; context: Record<string, string | number | null> } {
  const { blobs } = ports;
  const { draft, draftHash, sources } = drafted;
  const document = buildEditionDocument({
    edition: task.edition,
    draft,
    sources: sources.map(({ source }) => ({ ...source.config, homepage: `https://${source.config.id}.example/` })),
  });
  const contentHash = sha256(canonicalContentBytes(document));
  const operationKey = operationKeyOf(publishIntentKey(task.taskKey, task.taskVersion, contentHash), "create", null);
  const ok = { verdict: "ok" as const, httpStatus: 200, hops: 0, code: null };
  const links = document.links.map((url, index) => ({ url, finalUrl: url, ...ok, ...findings.links?.[index] }));
  const plannedUrl = ports.cms.requests.plannedUrl(ports.cms.requests.slugOf(slotOf("publish", task.taskKey)));
  const report = freezeJson(blobs, "link-report", { format: "imprimatur-links/1", links } satisfies LinkReport);
  const page = freezeText(blobs, "page", renderPage({ document, operationKey }), "text/html; charset=utf-8");
  const { html } = renderEmail({ document, email: draft.email, pageUrl: plannedUrl });
  const preview = freezeText(blobs, "email-preview", html, "text/html; charset=utf-8");
  const checkReceiptId = `C-${task.stateVersion}`;
  const warnings = findings.warnings ?? [];
  const pack = freezeJson(blobs, "package", {
    format: "imprimatur-package/1",
    document,
    contentHash,
    hashRuleVersion: HASH_RULE_VERSION,
    operationKey,
    pageHash: page.hash,
    draftHash: draftHash as ContentPackage["draftHash"],
    linkReportHash: report.hash,
    emailPreviewHash: preview.hash,
    plannedUrl,
    email: draft.email,
    sources: sources.map(({ source, hash }) => ({
      sourceId: source.config.id,
      snapshotHash: hash as ContentPackage["draftHash"],
    })),
    checkReceiptId,
    warnings,
  } satisfies ContentPackage);
  return {
    artifacts: [report, page, preview, pack],
    context: {
      draftHash,
      editedDraftHash: null,
      packageHash: pack.hash,
      contentHash,
      pageHash: page.hash,
      linkReportHash: report.hash,
      checkReceiptId,
      linkCount: links.length,
      warnings: warnings.join("\n"),
    },
  };
}
