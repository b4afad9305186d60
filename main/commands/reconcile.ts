import type { ReconciliationResult } from "../domain/reconciliation-result";
import type { DailyReconciliation } from "../engine/daily-reconciliation";
import type { Desk } from "./desk";

/** A person wants the last eight days held against the outside now, also what was reconciled already (domain 10). */
export const reconcile = (desk: Pick<Desk, "actor">, job: DailyReconciliation): Promise<ReconciliationResult> =>
  job.run({ actor: desk.actor, isDaily: false });
