import type { TransitionCommand } from "./commands";
import type { CompensationId, Instant, OperationId } from "./ids";

export type TransitionIntent = Omit<TransitionCommand, "type" | "taskId">;

/** What to do next about one task: data, so that it can be asked, shown and tested without doing it. */
export type Action =
  | { do: "transition"; intent: TransitionIntent; as: "executor" | "system" }
  | { do: "work"; work: string }
  | { do: "send"; operationId: OperationId }
  | { do: "interrupted"; operationId: OperationId }
  | { do: "look"; operationId: OperationId }
  /** Carries one entry of the undo stack a bit further. */
  | { do: "undo"; compensationId: CompensationId }
  /** Tells people again of a block that outlived its expiry. */
  | { do: "escalate" }
  /** `until` null: only a person or a commit changes something. */
  | { do: "wait"; until: Instant | null };

export interface Moment {
  now: Instant;
  trustedAt: Instant;
  /** Calls this executor is waiting for right now. */
  inFlight: ReadonlySet<OperationId>;
}
