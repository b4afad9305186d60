import type { ErrorClass } from "./errors";
import type { Instant } from "./ids";
import type { RecoveryItemRow } from "./records";

const DAY_MS = 86_400_000;
/** So often within so long forces a review (domain 10). */
const REVIEW = { times: 3, withinMs: 7 * DAY_MS };
/** So often within so long, recovered the same way each time, is work for the program (domain 10). */
const AUTOMATION = { times: 5, withinMs: 30 * DAY_MS };
/** What a review was to end and comes again within this time was not ended by it. */
const REVIEW_HOLDS_MS = 30 * DAY_MS;

/** The code of the alert about a cause whose review nobody has made. */
export const REVIEW_OWED = "review_owed";

/** Acknowledged and still not made, it is told again after this long (ms): a forced review is not waved away. */
export const REVIEW_TOLD_AGAIN_MS = REVIEW.withinMs;

/** How far back items matter: a recurrence in the last window reopens a review of the window before. */
export const PATTERN_WINDOW_MS = AUTOMATION.withinMs + REVIEW_HOLDS_MS;

/** A recovery item as far as its cause goes. */
export interface PatternItem
  extends Pick<RecoveryItemRow, "id" | "kind" | "stage" | "createdAt" | "stageAt" | "method"> {
  subject: string;
  errorClass: ErrorClass | null;
  /** What it happened to: `cms-sandbox/create`, or null where no call is behind it. */
  action: string | null;
  /** The code of the newest attempt, as it was given. */
  rawCode: string | null;
}

/** What makes two items the same trouble, each part normalised. */
export interface Cause {
  kind: RecoveryItemRow["kind"];
  errorClass: ErrorClass | null;
  action: string | null;
  code: string | null;
}

export interface RecoveryPattern {
  fingerprint: string;
  cause: Cause;
  itemIds: readonly string[];
  /** Items of the last 7 and of the last 30 days. */
  lastWeek: number;
  lastMonth: number;
  /** `due`: often enough for a review that nobody has made; `reopened`: it came again although it was reviewed. */
  review: "none" | "due" | "reopened";
  /** The way that recovered it each time, often enough to become a rule. */
  automation: { method: string; times: number } | null;
}

/** What the alert about an owed review tells: the cause, how often it came, and why a review is owed. */
export interface OwedReview {
  cause: Cause;
  lastWeek: number;
  lastMonth: number;
  review: Exclude<RecoveryPattern["review"], "none">;
}

/** @returns what there is to tell of a pattern, or null where nobody owes its review. */
export const owedReviewOf = ({ cause, lastWeek, lastMonth, review }: RecoveryPattern): OwedReview | null =>
  review === "none" ? null : { cause, lastWeek, lastMonth, review };

/** @returns the cause without what differs from case to case: identifiers, long numbers, upper and lower case. */
export function causeOf(item: PatternItem): Cause {
  const code = codeOf(item);
  return {
    kind: item.kind,
    errorClass: item.errorClass,
    action: item.action ?? topicOf(item),
    code: code === null ? null : normalise(code),
  };
}

/** What an item without a call is about: the first word of its subject (`bounced:R7`), which never names anybody. */
function topicOf({ kind, subject }: PatternItem): string | null {
  const topic = subject.split(/[: ]/, 1)[0] ?? "";
  return kind === "unknown_outcome" || kind === "dead_letter" || topic === "" ? null : topic;
}

/** A failed undo says in its subject with what it failed: `take_page_down: precondition_changed`. */
const codeOf = ({ kind, rawCode, subject }: PatternItem): string | null =>
  rawCode ?? (kind === "compensation_failed" ? (subject.split(": ")[1] ?? null) : null);

const normalise = (code: string): string =>
  code
    .trim()
    .toLowerCase()
    .replace(/[0-9a-f]{8,}(-[0-9a-f]{4,})*|\d{4,}/g, "#")
    .replace(/\s+/g, " ");

export const fingerprintOf = ({ kind, errorClass, action, code }: Cause): string =>
  [kind, errorClass, action, code].map((part) => part ?? "—").join(" · ");

/**
 * Finds what recurs, pure (domain 10). The most frequent of the last month comes first.
 * @param items everything of at least the last {@link PATTERN_WINDOW_MS}, in any order
 * @returns only causes that more than one item has
 */
export function patternsOf(items: readonly PatternItem[], now: Instant): RecoveryPattern[] {
  const groups = new Map<string, PatternItem[]>();
  for (const item of items) {
    const fingerprint = fingerprintOf(causeOf(item));
    groups.set(fingerprint, [...(groups.get(fingerprint) ?? []), item]);
  }
  return [...groups]
    .filter(([, group]) => group.length > 1)
    .map(([fingerprint, group]) => patternOf(fingerprint, group, now))
    .sort((a, b) => b.lastMonth - a.lastMonth || a.fingerprint.localeCompare(b.fingerprint));
}

function patternOf(fingerprint: string, group: readonly PatternItem[], now: Instant): RecoveryPattern {
  const sorted = [...group].sort((a, b) => a.createdAt - b.createdAt || a.id.localeCompare(b.id));
  const since = (ms: number) => sorted.filter(({ createdAt }) => createdAt > now - ms);
  return {
    fingerprint,
    cause: causeOf(sorted[0] as PatternItem),
    itemIds: sorted.map(({ id }) => id),
    lastWeek: since(REVIEW.withinMs).length,
    lastMonth: since(AUTOMATION.withinMs).length,
    review: reviewOf(sorted),
    automation: automationOf(since(AUTOMATION.withinMs)),
  };
}

/** Owed from the third item within a week on, and again from the first that comes back within a month of a review. */
function reviewOf(sorted: readonly PatternItem[]): RecoveryPattern["review"] {
  const reviewedAt = sorted.reduce<Instant | null>(
    (last, { stage, stageAt }) => (stage === "reviewed" && stageAt !== null ? Math.max(last ?? 0, stageAt) : last),
    null,
  );
  const later = sorted.filter(({ createdAt }) => reviewedAt === null || createdAt > reviewedAt).map((i) => i.createdAt);
  if (reviewedAt !== null && later.some((at) => at - reviewedAt <= REVIEW_HOLDS_MS)) return "reopened";
  return later.some(
    (at, index) => (later[index + REVIEW.times - 1] ?? Number.POSITIVE_INFINITY) - at <= REVIEW.withinMs,
  )
    ? "due"
    : "none";
}

/** The way taken most often, where it was taken often enough: written alike but for spaces and case. */
function automationOf(items: readonly PatternItem[]): RecoveryPattern["automation"] {
  const ways = new Map<string, { method: string; times: number }>();
  for (const { method } of items) {
    if (method === null) continue;
    const way = method.trim().toLowerCase().replace(/\s+/g, " ");
    ways.set(way, { method, times: (ways.get(way)?.times ?? 0) + 1 });
  }
  const [often] = [...ways.values()].sort((a, b) => b.times - a.times);
  return often !== undefined && often.times >= AUTOMATION.times ? often : null;
}
