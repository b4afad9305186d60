import type { AudienceSnapshotRow, RecipientAccountRow, TaskRow } from "../records";
import { compareFacts } from "./compare-fact";
import { contextOf, type Evidence, groupBy, type Told, type Violation } from "./snapshot";

/**
 * I06: every audience that was put before a person has its row with the counts that were told, and the recipients' accounts add
 * up to what was reported last. Events tell numbers, never who: two accounts exchanged with each other are not seen here.
 */
export function checkAudienceFacts(evidence: Evidence): Violation[] {
  const audiences = groupBy(evidence.snapshot.audiences, (row) => row.taskId);
  const recipients = groupBy(evidence.snapshot.recipients, (row) => row.taskId);
  return evidence.snapshot.tasks.flatMap((task) => {
    const events = evidence.ofTask(task.id);
    return [
      ...checkAudiences(task, audiences.get(task.id) ?? [], events),
      ...checkOutcomes(task, recipients.get(task.id) ?? [], events),
    ];
  });
}

/** The event that first told of an audience is the one its row was made with; the same audience again leaves the row as it is. */
function checkAudiences(task: TaskRow, rows: readonly AudienceSnapshotRow[], events: readonly Told[]): Violation[] {
  const first = new Map<unknown, Told>();
  for (const event of events) {
    const { audienceHash, audienceCount } = contextOf(event);
    if (typeof audienceCount === "number" && !first.has(audienceHash)) first.set(audienceHash, event);
  }
  const missing = [...first.keys()].filter((hash) => !rows.some((row) => row.audienceHash === hash));
  return [
    ...missing.map(
      (hash): Violation => ({
        invariant: "I06",
        subject: task.taskKey,
        detail: `the events tell of audience ${hash}, no row does`,
      }),
    ),
    ...rows.flatMap((row) => {
      const event = first.get(row.audienceHash);
      if (!event) return [];
      const context = contextOf(event);
      return compareFacts("I06", task.taskKey, [
        [`audience ${row.id} count`, row.count, context["audienceCount"]],
        [`audience ${row.id} excluded`, row.excluded, event.payload["excluded"]],
        [`audience ${row.id} suppressionVersion`, row.suppressionVersion, context["suppressionVersion"]],
        [`audience ${row.id} artifactHash`, row.artifactHash, context["audienceArtifactHash"]],
        [`audience ${row.id} at`, row.at, event.at],
      ]);
    }),
  ];
}

type Counts = Readonly<Record<string, unknown>>;

function checkOutcomes(task: TaskRow, rows: readonly RecipientAccountRow[], events: readonly Told[]): Violation[] {
  let counts: Counts | null = null;
  let from = 0;
  for (const event of events) {
    const told = countsTold(event);
    if (told === null) continue;
    counts = told;
    from = event.seq;
  }
  if (counts === null || events.some((event) => event.isWithheld && event.seq > from)) return [];
  const kept = new Map(
    [...groupBy(rows, (row) => row.outcome)].map(([outcome, same]) => [outcome as string, same.length]),
  );
  const outcomes = [...new Set([...kept.keys(), ...Object.keys(counts)])].sort();
  return compareFacts(
    "I06",
    task.taskKey,
    outcomes.map(
      (outcome) => [`recipients ${outcome}`, kept.get(outcome) ?? 0, outcome in counts ? counts[outcome] : 0] as const,
    ),
  );
}

/** How the accounts stand after an event: as the report says, or all open after another audience was put in. */
function countsTold(event: Told): Counts | null {
  const counts = event.payload["counts"];
  if (event.type === "DeliveryObserved")
    return typeof counts === "object" && counts !== null ? (counts as Counts) : null;
  const unknown = contextOf(event)["audienceCount"];
  return typeof unknown === "number" ? { unknown, excluded: event.payload["excluded"] } : null;
}
