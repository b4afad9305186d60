import { MadeBundle } from "../../preload/contract";
import type { BundleRecord } from "../compose/evidence-desk";
import { openRecentList, type RecentList } from "./recent-list";

/** Years of a weekly edition. */
const KEPT = 500;

/**
 * The bundles that were made here. In a file beside the settings and not as events of the journal: making one changes nothing
 * about an edition, must work on a workspace that is only read, and an event about a bundle would make the journal's head that
 * the bundle names an old one at once. Losing the list loses no proof: each bundle carries its own.
 */
export const openEvidenceBundles = (file: string, report: (code: string) => void): RecentList<BundleRecord> =>
  openRecentList<BundleRecord>(file, { entry: MadeBundle, kept: KEPT, what: "evidence_bundles" }, report);
