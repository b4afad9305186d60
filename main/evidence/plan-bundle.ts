import type { TaskId } from "../domain/ids";
import type { EvidenceSource } from "./evidence-source";
import { listFiles } from "./list-files";
import type { WithheldReason } from "./withheld";

/** What a bundle would hold and what it would leave out, before anything of it is written. */
export interface BundlePlan {
  events: number;
  /** Journal lines, contents of events and frozen bytes, as they are before they are packed. */
  bytes: number;
  included: { kind: string; files: number; bytes: number }[];
  /** Titles are those of sources, as far as there are any: untrusted text. */
  withheld: { reason: WithheldReason; kind: string; files: number; titles: string[]; licences: string[] }[];
}

/** Titles that are named of each kind that is left out; the count says the rest. */
const NAMED = 5;

/** Counts what `writeBundle` would write for these tasks. Opens no frozen file. */
export function planBundle(source: EvidenceSource, tasks: readonly TaskId[], withBytes: boolean): BundlePlan {
  const included = new Map<string, BundlePlan["included"][number]>();
  const withheld = new Map<string, BundlePlan["withheld"][number]>();
  let bytes = source.headerBytes;
  for (const id of tasks) {
    const evidence = source.readTask(id);
    for (const { payload } of evidence.events) bytes += payload === null ? 0 : Buffer.byteLength(payload);
    for (const { kind, bytes: size, title, licence, place } of listFiles(source, evidence, withBytes)) {
      if ("path" in place) {
        const row = included.get(kind) ?? { kind, files: 0, bytes: 0 };
        included.set(kind, { kind, files: row.files + 1, bytes: row.bytes + (size ?? 0) });
        bytes += size ?? 0;
        continue;
      }
      const key = `${place.withheld} ${kind}`;
      const row = withheld.get(key) ?? { reason: place.withheld, kind, files: 0, titles: [], licences: [] };
      row.files += 1;
      if (title !== "" && row.titles.length < NAMED) row.titles.push(title);
      if (licence !== "" && row.licences.length < NAMED && !row.licences.includes(licence)) row.licences.push(licence);
      withheld.set(key, row);
    }
  }
  return { events: source.events, bytes, included: [...included.values()], withheld: [...withheld.values()] };
}

/** The same source, telling how many bytes of it were read; what for is none of its business. */
export function countingSource(source: EvidenceSource, onRead: (bytes: number) => void): EvidenceSource {
  return {
    ...source,
    headers: function* () {
      for (const header of source.headers()) {
        onRead(Buffer.byteLength(header) + 1);
        yield header;
      }
    },
    readTask: (id) => {
      const evidence = source.readTask(id);
      for (const { payload } of evidence.events) if (payload !== null) onRead(Buffer.byteLength(payload));
      return evidence;
    },
    frozen: (hash) => {
      const file = source.frozen(hash);
      if (file === null) return null;
      const chunks = async function* () {
        for await (const chunk of file.chunks()) {
          onRead(chunk.length);
          yield chunk;
        }
      };
      return { bytes: file.bytes, chunks };
    },
  };
}
