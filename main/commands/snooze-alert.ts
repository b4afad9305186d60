import type { ExecuteResult } from "../../db/journal";
import { snoozeEnd } from "../domain/alert-rules";
import type { TaskId } from "../domain/ids";
import { type Desk, executeFor } from "./desk";

/** A person wants to be told again in an hour, or in the morning of the edition's zone (domain 10). */
export function snoozeAlert(
  desk: Desk,
  { span, ...input }: { taskId: TaskId; alertId: string; span: "hour" | "morning" },
): ExecuteResult {
  const zone = desk.journal.reader.task(input.taskId)?.zone ?? "UTC";
  return executeFor(desk, { type: "snooze_alert", ...input, until: snoozeEnd(span, desk.clock.now(), zone) });
}
