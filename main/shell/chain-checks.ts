import { KeptCheck } from "../../preload/contract";
import type { CheckRecord } from "../compose/background-check";
import { openRecentList, type RecentList } from "./recent-list";

/** Those of the workspaces of one person, by the last weeks. */
const KEPT = 60;

/** What the last checks of both chains found, so that a restart does not forget it. */
export const openChainChecks = (file: string, report: (code: string) => void): RecentList<CheckRecord> =>
  openRecentList<CheckRecord>(file, { entry: KeptCheck, kept: KEPT, what: "chain_checks" }, report);
