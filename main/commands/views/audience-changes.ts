import type { Output } from "../../../preload/contract";
import type { FrozenAudience } from "./frozen";

export type AudienceChange = NonNullable<Output<"sendReview.get">>["audience"]["changes"][number];

/**
 * What changed in the audience since the last edition's, by recipient id.
 *
 * An address that changed is an addition: the mail goes where none went before. Without an earlier audience nobody is new,
 * since everybody would be; who is suppressed is said all the same.
 */
export function audienceChanges(before: FrozenAudience | null, now: FrozenAudience): AudienceChange[] {
  const was = new Map(before?.recipients.map((row) => [row.id, row]) ?? []);
  const wasExcluded = new Set(before?.excluded.map((row) => row.id) ?? []);
  const is = new Set(now.recipients.map((row) => row.id));
  const isExcluded = new Set(now.excluded.map((row) => row.id));
  const added = before === null ? [] : now.recipients.flatMap((row) => addition(row, was.get(row.id), wasExcluded));
  const removed = (before?.recipients ?? [])
    .filter((row) => !is.has(row.id) && !isExcluded.has(row.id))
    .map(({ id, group }) => ({ recipientId: id, group, change: "removed" as const, reason: "not_on_list" }));
  const suppressed = now.excluded
    .filter((row) => !wasExcluded.has(row.id))
    .map(({ id, group, reason }) => ({ recipientId: id, group, change: "suppressed" as const, reason }));
  return [...added, ...removed, ...suppressed];
}

function addition(
  { id, group, digest }: FrozenAudience["recipients"][number],
  before: FrozenAudience["recipients"][number] | undefined,
  wasExcluded: ReadonlySet<string>,
): AudienceChange[] {
  const as = (reason: string): AudienceChange[] => [{ recipientId: id, group, change: "added", reason }];
  if (before !== undefined) return before.digest === digest ? [] : as("address_changed");
  return as(wasExcluded.has(id) ? "no_longer_suppressed" : "new");
}

/** How many of each group, largest first. */
export function countGroups(audience: FrozenAudience): { group: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { group } of audience.recipients) counts.set(group, (counts.get(group) ?? 0) + 1);
  return [...counts]
    .map(([group, count]) => ({ group, count }))
    .sort((a, b) => b.count - a.count || (a.group < b.group ? -1 : 1));
}
