import type { Instant } from "../domain/ids";
import { utc } from "./moments";

/** By what a bundle's tasks were chosen. */
export type BundleAbout =
  | { kind: "everything" }
  | { kind: "edition" }
  | { kind: "incident"; id: string }
  /** Tasks with an event from the one moment on and before the other. */
  | { kind: "period"; from: Instant; before: Instant };

/** As `bag-info.txt` says it. */
export function selectionWord(about: BundleAbout): string {
  switch (about.kind) {
    case "incident":
      return `incident ${about.id}`;
    case "period":
      return `period ${utc(about.from)} to before ${utc(about.before)}`;
    default:
      return about.kind;
  }
}

/** What `selectionWord` says, read back; null where it says nothing of the kind. */
export function readSelection(word: string): BundleAbout | null {
  if (word === "everything" || word === "edition") return { kind: word };
  const incident = /^incident (\S+)$/.exec(word)?.[1];
  if (incident !== undefined) return { kind: "incident", id: incident };
  const [, from = "", before = ""] = /^period (\S+) to before (\S+)$/.exec(word) ?? [];
  const period = { kind: "period", from: Date.parse(from), before: Date.parse(before) } as const;
  return Number.isNaN(period.from) || Number.isNaN(period.before) ? null : period;
}
