import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createExtractiveDrafter } from "../../main/adapters/drafter/extractive";
import { createSourceParser } from "../../main/adapters/sources/parser";
import { createSourceReader } from "../../main/adapters/sources/reader";
import { sha256 } from "../../main/domain/hashing";
import type { DraftInput, SourceConfig } from "../../main/domain/ports";
import { checkQuotes } from "../../main/pipeline/briefing/check-quotes";
import { checkDraft } from "../../main/pipeline/briefing/draft-schema";
import { buildEditionDocument } from "../../main/pipeline/briefing/edition-document";
import { startSourceServer } from "../../main/sandbox/start-source-server";
import { contextFor } from "./loopback-server";

const samples = fileURLToPath(new URL("../../main/sandbox/samples", import.meta.url));

test("the twelve samples, read over HTTP, make an edition of nine proven facts with 17 links", async () => {
  const server = await startSourceServer({ dir: samples });
  const configs = (await (await fetch(server.indexUrl)).json()) as SourceConfig[];
  expect(configs).toHaveLength(12);
  const sources: (DraftInput["sources"][number] & { bytes: Uint8Array; type: string | null })[] = [];
  for (const config of configs) {
    const read = await createSourceReader().read(config, contextFor());
    if (read.kind === "failed") throw new Error(`${config.id}: ${read.error.code}`);
    const extraction = createSourceParser().extract({ ...read, format: config.format });
    if (extraction.kind === "unusable") throw new Error(`${config.id}: ${extraction.code}`);
    const newItemKeys = extraction.source.items.map((item) => item.key);
    sources.push({
      config,
      snapshotHash: sha256(read.bytes),
      extracted: extraction.source,
      newItemKeys,
      bytes: read.bytes,
      type: read.contentType,
    });
  }
  await server.close();

  const encodings = new Set(sources.map((source) => source.extracted.encoding));
  expect([...encodings].sort()).toEqual(["gb18030", "utf-8", "windows-1252"]);
  const drafted = await createExtractiveDrafter().draft(
    { edition: "2026-W30", language: "zh-CN", wanted: 9, sources },
    contextFor(),
  );
  const check = checkDraft(drafted.kind === "drafted" ? drafted.raw : null);
  if (check.kind === "invalid") throw new Error(check.faults.join("; "));
  expect(check.draft.facts).toHaveLength(9);

  // Proven from the bytes alone, as after a restart.
  const again = sources.map(({ config, snapshotHash, bytes, type }) => {
    const extraction = createSourceParser().extract({
      bytes,
      contentType: type,
      finalUrl: config.url,
      format: config.format,
    });
    return { sourceId: config.id, snapshotHash, extracted: extraction.kind === "extracted" ? extraction.source : null };
  });
  expect(checkQuotes(check.draft.facts, again)).toEqual([]);
  const cited = sources.map(({ config, extracted }) => ({ ...config, homepage: extracted.homepage }));
  expect(buildEditionDocument({ edition: "2026-W30", draft: check.draft, sources: cited }).links).toHaveLength(17);
});
