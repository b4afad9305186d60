import type { ArtifactRow, TaskRow } from "../records";
import { compareFacts } from "./compare-fact";
import { contextOf, type Told, type Violation } from "./snapshot";

/** The kind under which the value of a context key was frozen. */
const KIND_BY_KEY: Readonly<Record<string, string>> = {
  draftHash: "draft",
  editedDraftHash: "draft",
  workingDraftHash: "working-draft",
  linkReportHash: "link-report",
  packageHash: "package",
  pageHash: "page",
  captureHash: "page-capture",
  emailHash: "email",
  audienceArtifactHash: "audience",
};

const IS_HASH = /^[0-9a-f]{64}$/;

/**
 * I08: whatever an event names as its evidence, or puts into the task's context, has its row under the kind it was frozen as; a
 * source's size is the one that was read. A request's bytes are kept beside the artifacts and are checked for themselves.
 */
export function checkArtifactFacts(task: TaskRow, rows: readonly ArtifactRow[], events: readonly Told[]): Violation[] {
  const hashes = new Set<string>(rows.map((row) => row.hash));
  const kinds = new Set<string>(rows.map((row) => `${row.kind} ${row.hash}`));
  const missing = new Map<string, number>();
  const found: Violation[] = [];
  for (const event of events) {
    for (const hash of event.type === "RequestSent" ? [] : event.evidenceRefs)
      if (IS_HASH.test(hash) && !hashes.has(hash) && !missing.has(hash)) missing.set(hash, event.seq);
    for (const named of kindsNamed(event)) if (!kinds.has(named) && !missing.has(named)) missing.set(named, event.seq);
    if (event.type !== "SourceFrozen") continue;
    const row = rows.find(({ hash, kind }) => hash === event.payload["hash"] && kind === "source-snapshot");
    if (row)
      found.push(
        ...compareFacts("I08", task.taskKey, [[`source ${row.hash} bytes`, row.bytes, event.payload["bytes"]]]),
      );
  }
  return [
    ...found,
    ...[...missing].map(
      ([named, seq]): Violation => ({
        invariant: "I08",
        subject: task.taskKey,
        detail: `event ${seq} tells of artifact ${named}, no row does`,
      }),
    ),
  ];
}

function kindsNamed(event: Told): string[] {
  const { hash } = event.payload;
  const source = event.type === "SourceFrozen" && typeof hash === "string" ? [`source-snapshot ${hash}`] : [];
  const named = Object.entries(contextOf(event)).flatMap(([key, value]) => {
    const kind = KIND_BY_KEY[key];
    return kind !== undefined && typeof value === "string" ? [`${kind} ${value}`] : [];
  });
  return [...source, ...named];
}
