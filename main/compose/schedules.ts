import type { Instant } from "../domain/ids";
import type { Schedule } from "../domain/schedule";
import { briefingDefinition } from "../pipeline/briefing/definition";

/** Mondays at 08:30: two hours before the edition is due, half an hour after the sandbox's clock begins. */
const WEEKLY_PATTERN = "30 8 * * 1";
/** Every morning at nine, about the day before. */
const RECONCILIATION_PATTERN = "0 9 * * *";

/** What the sandbox does by the clock. @param activeFrom occurrences before it are history */
export function schedulesFrom(activeFrom: Instant): { weekly: Schedule; reconciliation: Schedule } {
  const common = { zone: briefingDefinition.deadlines.zone, activeFrom };
  return {
    weekly: { ...common, name: "weekly-briefing", pattern: WEEKLY_PATTERN, slot: "morning" },
    reconciliation: { ...common, name: "reconciliation", pattern: RECONCILIATION_PATTERN, slot: "reconciliation" },
  };
}
