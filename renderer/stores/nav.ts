import { create } from "zustand";
import type { LinkedPlace } from "../../preload/contract/place-link";

/** Where the editor is. Screens about an edition carry its task's id. */
export type Place =
  | { screen: "today" }
  | { screen: "sandbox" }
  | { screen: "drills" }
  | { screen: "alerts"; alertId?: string }
  | { screen: "recovery"; itemId?: string }
  | { screen: "incidents"; incidentId?: string }
  | { screen: "health" }
  /** Two of its editions, where they are compared. */
  | { screen: "ledger"; compare?: readonly [string, string] }
  | { screen: "audit" }
  | { screen: "settings" }
  | { screen: "run" | "draft" | "content" | "send" | "compensation"; taskId: string };

/** Places that have a key, Ctrl or Cmd with a digit, in the order of the digits from 1 on. The application menu lists the same. */
export const PLACES_BY_DIGIT = ["today", "recovery", "ledger", "health", "drills", "audit"] as const;

interface NavState {
  place: Place;
  /** Rises with every move, so that a screen knows to take the focus even when the place is the same kind. */
  visit: number;
  past: readonly Place[];
  /** Set by a screen with unsaved edits; asked before leaving. */
  guard: (() => boolean) | null;
  /** Where the editor wanted to go when the guard said no. */
  held: Place | "back" | null;
  go(place: Place): void;
  back(): void;
  setGuard(guard: (() => boolean) | null): void;
  /** Answers the question about unsaved edits. */
  release(leave: boolean): void;
}

/** No address bar: a link from outside names a place and goes there as a click would, with nothing read and nothing ticked. */
export const useNav = create<NavState>()((set, get) => ({
  place: { screen: "today" },
  visit: 0,
  past: [],
  guard: null,
  held: null,
  go: (place) => {
    const { guard, place: from, past, visit } = get();
    if (samePlace(from, place)) return;
    if (guard?.()) return set({ held: place });
    set({ place, past: [...past.slice(-19), from], visit: visit + 1, guard: null, held: null });
  },
  back: () => {
    const { guard, past, visit } = get();
    if (guard?.()) return set({ held: "back" });
    const last = past.at(-1);
    if (last) set({ place: last, past: past.slice(0, -1), visit: visit + 1, guard: null, held: null });
    else if (get().place.screen !== "today")
      set({ place: { screen: "today" }, visit: visit + 1, guard: null, held: null });
  },
  setGuard: (guard) => set({ guard }),
  release: (leave) => {
    const { held } = get();
    set(leave ? { held: null, guard: null } : { held: null });
    if (!leave || held === null) return;
    if (held === "back") get().back();
    else get().go(held);
  },
}));

/** The place that a link names. */
export function placeNamed({ screen, subject }: LinkedPlace): Place {
  if (screen === "alerts") return { screen, ...(subject !== null && { alertId: subject }) };
  if (screen === "recovery") return { screen, ...(subject !== null && { itemId: subject }) };
  if (screen === "incidents") return { screen, ...(subject !== null && { incidentId: subject }) };
  if (isOfTask(screen)) return { screen, taskId: subject ?? "" };
  return { screen };
}

/** What a link to a place says. Two editions that are compared are only the ledger to it. */
export const linkedPlace = (place: Place): LinkedPlace => ({
  screen: place.screen,
  subject: (place.screen === "ledger" ? "" : subjectOf(place)) || null,
});

const isOfTask = (screen: Place["screen"]): screen is Extract<Place, { taskId: string }>["screen"] =>
  ["run", "draft", "content", "send", "compensation"].includes(screen);

/** True where both name the same screen of the same edition. */
function samePlace(a: Place, b: Place): boolean {
  return a.screen === b.screen && subjectOf(a) === subjectOf(b);
}

function subjectOf(place: Place): string {
  if ("taskId" in place) return place.taskId;
  if (place.screen === "ledger") return place.compare?.join(" ") ?? "";
  if (place.screen === "incidents") return place.incidentId ?? "";
  if ("alertId" in place) return place.alertId ?? "";
  return "itemId" in place ? (place.itemId ?? "") : "";
}
