import { Bug } from "../../domain/ids";
import type { ExtractedSource, SourceConfig, SourceFormat } from "../../domain/ports";
import type { TaskView } from "../../domain/view";
import type { BriefingPorts } from "./ports";
import type { CollectCheckpoint, SourceOrigin } from "./records";

/** A frozen source laid out again from its frozen bytes, never from memory. */
export interface ThawedSource {
  config: SourceConfig;
  snapshotHash: string;
  origin: SourceOrigin;
  /** Null when the bytes no longer give a text: then nothing may quote it. */
  extracted: ExtractedSource | null;
}

/** Derives the text of every frozen source of the task's newest collection, in the order of the sources' list. */
export function thawSources(
  ports: Pick<BriefingPorts, "blobs" | "parser">,
  view: TaskView,
  origins: ReadonlyMap<string, SourceOrigin>,
): ThawedSource[] {
  const checkpoint = view.step("collecting")?.checkpoint as Partial<CollectCheckpoint> | undefined;
  const sources = Object.entries(checkpoint?.sources ?? {});
  return sources.flatMap(([id, progress]) => {
    if (progress.state !== "frozen" || progress.hash === null) return [];
    const origin = origins.get(progress.hash);
    if (!origin) throw new Bug(`the snapshot of source ${id} has no origin in the journal`);
    return [
      {
        config: configOf(origin),
        snapshotHash: progress.hash,
        origin,
        extracted: extractFrozen(ports, progress.hash, origin),
      },
    ];
  });
}

/** The extraction rule applied to frozen bytes; the same bytes always give the same text. */
export function extractFrozen(
  ports: Pick<BriefingPorts, "blobs" | "parser">,
  hash: string,
  origin: SourceOrigin,
): ExtractedSource | null {
  const bytes = ports.blobs.get(hash as never);
  const { contentType, finalUrl } = origin;
  const extraction = ports.parser.extract({ bytes, contentType, finalUrl, format: origin.format as SourceFormat });
  return extraction.kind === "extracted" ? extraction.source : null;
}

const configOf = (origin: SourceOrigin): SourceConfig => ({
  id: origin.sourceId,
  title: origin.title,
  url: origin.url,
  format: origin.format as SourceFormat,
  licence: origin.licence,
  required: origin.required,
});
