import { isTerminal } from "./definition";
import type { Instant, TaskId } from "./ids";
import { groupBy } from "./invariants/snapshot";
import type { MetricSample } from "./metrics";
import type { OperationState } from "./records";

/** A moment at which something about a task's soundness changed, as an event or an incident tells it. */
export interface FaultMark {
  taskId: TaskId;
  at: Instant;
  type: string;
  toState: string | null;
  /** The operation or the incident that it is about. */
  subject: string | null;
  /** The operation's state after it. */
  operationState: OperationState | null;
}

/** States of an operation in which nobody knows what became of it. */
const NOT_KNOWN: readonly (OperationState | null)[] = ["unknown", "locked"];
const UNSOUND_STATES: readonly string[] = ["blocked", "compensating"];

/**
 * The faults of tasks, each from its confirmation until nothing was wrong any more (domain 11, MTTR): no block, no undo under
 * way, no outcome unknown, no incident open. What overlaps is one fault. Closed protectively, it ended without being restored.
 * @param marks of each task in their order
 */
export function faultSamples(marks: readonly FaultMark[]): MetricSample[] {
  const samples: MetricSample[] = [];
  const tasks = groupBy(marks, ({ taskId }) => taskId);
  for (const [taskId, ofTask] of tasks) {
    const open = new Set<string>();
    let since: Instant | null = null;
    for (const mark of ofTask) {
      const wasClosed = mark.toState === "closed";
      follow(open, mark);
      if (open.size > 0 && !wasClosed) since ??= mark.at;
      else if (since !== null) {
        samples.push({ taskId, at: since, of: 1, hits: wasClosed ? 0 : 1, ms: wasClosed ? null : mark.at - since });
        since = null;
      }
    }
    if (since !== null) samples.push({ taskId, at: since, of: 1, hits: 0, ms: null });
  }
  return samples;
}

function follow(open: Set<string>, { type, toState, subject, operationState }: FaultMark): void {
  const hold = (fault: string, isOpen: boolean) => void (isOpen ? open.add(fault) : open.delete(fault));
  if (toState !== null) hold("state", UNSOUND_STATES.includes(toState));
  if (toState !== null && isTerminal(toState))
    for (const fault of open) if (fault.startsWith("operation ")) open.delete(fault);
  if (subject === null) return;
  if (type === "incident_opened" || type === "incident_closed") hold(`incident ${subject}`, type === "incident_opened");
  else if (operationState !== null) hold(`operation ${subject}`, NOT_KNOWN.includes(operationState));
}
