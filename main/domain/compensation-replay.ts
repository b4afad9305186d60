import type { Told } from "./invariants/snapshot";
import type { CompensationProgress, CompensationRow } from "./records";

/** How far each entry of a stack is according to the events alone. */
export interface ReplayedStack {
  entries: ReadonlyMap<string, CompensationProgress>;
  /** False where a payload about an entry was withheld: then its progress cannot be derived any more. */
  isKnown: boolean;
}

const REGISTERED: CompensationProgress = {
  state: "registered",
  stepsDone: 0,
  attempts: 0,
  callsJudged: 0,
  nextAt: null,
  code: null,
};

/** What an event says about an entry, or null where it is about none. */
export function progressTold(event: Told): { id: string; progress: CompensationProgress } | null {
  const id = event.payload["compensationId"];
  if (typeof id !== "string") return null;
  if (event.type === "CompensationRegistered") return { id, progress: REGISTERED };
  const told = event.payload["entry"];
  return typeof told === "object" && told !== null ? { id, progress: told as CompensationProgress } : null;
}

/** Folds one task's events into where each entry of its stack stands: every change is told with all of it. */
export function replayStack(events: readonly Told[]): ReplayedStack {
  const entries = new Map<string, CompensationProgress>();
  let isKnown = true;
  for (const event of events) {
    if (event.isWithheld && event.type.startsWith("Compensation")) isKnown = false;
    const told = progressTold(event);
    if (told !== null) entries.set(told.id, told.progress);
  }
  return { entries, isKnown };
}

const FIELDS = Object.keys(REGISTERED) as (keyof CompensationProgress)[];

/** Where the rows of a stack say something else than its events. */
export function compareStack(
  rows: readonly CompensationRow[],
  events: readonly Told[],
): { subject: string; field: string; row: string; replayed: string }[] {
  const { entries, isKnown } = replayStack(events);
  if (!isKnown) return [];
  const missing = [...entries.keys()].filter((id) => !rows.some((row) => row.id === id));
  return [
    ...rows.flatMap((row) => {
      const told = entries.get(row.id);
      return FIELDS.filter((field) => told?.[field] !== row[field]).map((field) => ({
        subject: row.id,
        field,
        row: String(row[field]),
        replayed: String(told?.[field]),
      }));
    }),
    ...missing.map((id) => ({ subject: id, field: "row", row: "missing", replayed: "present" })),
  ];
}
