import type { EvidenceSource, IncidentTrace, TaskEvidence } from "./evidence-source";
import { incidentRecord } from "./incident-record";
import { listFiles, listRecords } from "./list-files";
import type { ListedFile, WithheldReason } from "./withheld";
import type { BundleOrder } from "./write-bundle";

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

/** Counts what `writeBundle` would write. Opens no frozen file. */
export function planBundle(
  source: EvidenceSource,
  { tasks, about, withBytes }: Pick<BundleOrder, "tasks" | "about" | "withBytes">,
): BundlePlan {
  const counts = new PlanCounts();
  counts.bytes = source.headerBytes;
  for (const id of tasks) {
    const evidence = source.readTask(id);
    counts.bytes += payloadBytes(evidence);
    for (const file of [...listRecords(evidence), ...listFiles(source, evidence, withBytes)]) counts.add(file);
  }
  for (const trace of source.readIncidents(about.kind === "everything" ? null : tasks))
    counts.add(incidentRecord(trace).listed);
  const { bytes, included, withheld } = counts;
  return { events: source.events, bytes, included: [...included.values()], withheld: [...withheld.values()] };
}

class PlanCounts {
  bytes = 0;
  readonly included = new Map<string, BundlePlan["included"][number]>();
  readonly withheld = new Map<string, BundlePlan["withheld"][number]>();

  add({ kind, bytes: size, title, licence, place }: ListedFile): void {
    if ("path" in place) {
      const row = this.included.get(kind) ?? { kind, files: 0, bytes: 0 };
      this.included.set(kind, { kind, files: row.files + 1, bytes: row.bytes + (size ?? 0) });
      this.bytes += size ?? 0;
      return;
    }
    const key = `${place.withheld} ${kind}`;
    const row = this.withheld.get(key) ?? { reason: place.withheld, kind, files: 0, titles: [], licences: [] };
    row.files += 1;
    if (title !== "" && row.titles.length < NAMED) row.titles.push(title);
    if (licence !== "" && row.licences.length < NAMED && !row.licences.includes(licence)) row.licences.push(licence);
    this.withheld.set(key, row);
  }
}

const payloadBytes = ({ events }: Pick<TaskEvidence, "events">): number =>
  events.reduce((sum, { payload }) => sum + (payload === null ? 0 : Buffer.byteLength(payload)), 0);
const listedBytes = (files: readonly ListedFile[]): number => files.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
const traceBytes = (traces: readonly IncidentTrace[]): number =>
  listedBytes(traces.map((trace) => incidentRecord(trace).listed));

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
      onRead(payloadBytes(evidence) + listedBytes(listRecords(evidence)));
      return evidence;
    },
    readIncidents: (tasks) => {
      const traces = source.readIncidents(tasks);
      onRead(traceBytes(traces));
      return traces;
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
