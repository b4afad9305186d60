import type { OperationPhase } from "./ports";
import type { TaskRow } from "./records";
import type { Words } from "./runbook";

/** How one action is taken back. A person's undo stands last: nothing fallible may come after it (domain section 9). */
export type ChainUndo =
  | {
      by: "program";
      action: string;
      /** The state that the undo names; `as_before`: what was read when the chain began. */
      targetState: string | "as_before";
      precondition: string;
      verification: string;
    }
  | { by: "person"; action: string; targetState: string; precondition: string; verification: string };

/** One external action: a state that something is to reach, or a message. Never a difference to add. */
export interface ChainAction {
  /** Names the intent: `set_status_cancelling`. */
  name: string;
  /** Where it stands among the task's slots, and what its service knows it by. */
  place: string;
  service: string;
  phase: Extract<OperationPhase, "update" | "deliver">;
  /** The state to reach; null for a message. */
  state: string | null;
  /** Refused by the service where what was read when the chain began is over. */
  heedsRevision: boolean;
  /** What a message says, `{subject}` standing for what the task is about; null where a state is written. */
  message: Words | null;
  undo: ChainUndo;
}

/** A pipeline whose automatic segment is one action after the other, and the way back where one fails for good. */
export interface Chain {
  /** The stage in which the actions are carried out. */
  stage: string;
  /** What is read before anything is written, and how it has to stand. */
  begins: {
    service: string;
    place: string;
    requires: string;
    event: string;
    blockedEvent: string;
    blockedReason: string;
  };
  /** Where it waits for a person before what was proven absent is sent anew: too many of its writes cannot be asked for (domain 11). */
  heldEvent: string;
  doneEvent: string;
  actions: readonly ChainAction[];
}

/** What the subject is told in its language; the hash of it is what the message's intent is bound to. */
export function messageText(message: Words, { language, edition }: Pick<TaskRow, "language" | "edition">): string {
  return message[language.startsWith("zh") ? "zh-CN" : "en"].replaceAll("{subject}", edition);
}
