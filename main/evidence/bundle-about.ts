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
