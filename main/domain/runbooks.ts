import { Bug } from "./ids";
import type { IncidentKind } from "./incident";
import { type Runbook, validateRunbook } from "./runbook";
import { approvalBypass } from "./runbooks/approval-bypass";
import { clockJump } from "./runbooks/clock-jump";
import { damagedJournal } from "./runbooks/damaged-journal";
import { duplicateRemote } from "./runbooks/duplicate-remote";
import { other } from "./runbooks/other";
import { restoredBackup } from "./runbooks/restored-backup";
import { sourceMissing } from "./runbooks/source-missing";
import { unknownPublish } from "./runbooks/unknown-publish";
import { unknownSend } from "./runbooks/unknown-send";
import { wrongAudience } from "./runbooks/wrong-audience";
import { wrongPageLive } from "./runbooks/wrong-page-live";

/** Every built-in runbook by the kind of incident it is for (domain 10). */
export const RUNBOOKS: Readonly<Record<IncidentKind, Runbook>> = {
  unknown_publish: unknownPublish,
  duplicate_remote: duplicateRemote,
  unknown_send: unknownSend,
  wrong_audience: wrongAudience,
  wrong_page_live: wrongPageLive,
  source_missing: sourceMissing,
  restored_backup: restoredBackup,
  damaged_journal: damagedJournal,
  clock_jump: clockJump,
  approval_bypass: approvalBypass,
  other,
};

/** The runbook of a kind, in the version of this program. */
export const runbookOf = (kind: IncidentKind): Runbook => usable(RUNBOOKS[kind]);

/** @throws Bug with every fault of a runbook that leaves somebody at night without a step, a way or a fact */
export function usable(runbook: Runbook): Runbook {
  const faults = validateRunbook(runbook).map(({ rule, at }) => `${rule} ${at}`);
  if (faults.length > 0) throw new Bug(`the runbook ${runbook.kind} may not be used: ${faults.join("; ")}`);
  return runbook;
}
