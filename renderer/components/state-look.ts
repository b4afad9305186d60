import {
  Archive,
  Ban,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleHelp,
  Diamond,
  EqualNot,
  Hexagon,
  Hourglass,
  Lock,
  type LucideIcon,
  OctagonAlert,
  Send,
  ShieldQuestion,
  Stamp,
  Timer,
  Undo2,
} from "lucide-react";

export type Tone = "neutral" | "info" | "ok" | "warn" | "bad" | "unknown";
export interface Look {
  icon: LucideIcon;
  tone: Tone;
}

/** A shape and a tone per state. The word always stands beside them: neither shape nor colour carries a meaning alone. */
const TASK: Readonly<Record<string, Look>> = {
  created: { icon: CircleDashed, tone: "neutral" },
  collecting: { icon: CircleDot, tone: "info" },
  drafting: { icon: CircleDot, tone: "info" },
  checking: { icon: CircleDot, tone: "info" },
  awaiting_content_approval: { icon: Stamp, tone: "warn" },
  content_approved: { icon: Diamond, tone: "info" },
  publishing: { icon: Send, tone: "info" },
  published: { icon: Diamond, tone: "ok" },
  awaiting_send_approval: { icon: Stamp, tone: "warn" },
  sending: { icon: Send, tone: "info" },
  send_pending: { icon: Hourglass, tone: "info" },
  succeeded: { icon: CircleCheck, tone: "ok" },
  retry_wait: { icon: Timer, tone: "neutral" },
  blocked: { icon: OctagonAlert, tone: "bad" },
  awaiting_observation: { icon: Hourglass, tone: "warn" },
  compensating: { icon: Undo2, tone: "warn" },
  compensated: { icon: Undo2, tone: "neutral" },
  closed: { icon: Archive, tone: "neutral" },
};

const OPERATION: Readonly<Record<string, Look>> = {
  prepared: { icon: CircleDashed, tone: "neutral" },
  request_sent: { icon: Send, tone: "info" },
  unknown: { icon: ShieldQuestion, tone: "unknown" },
  confirmed: { icon: CircleCheck, tone: "ok" },
  rejected: { icon: Ban, tone: "bad" },
  cancelled: { icon: Ban, tone: "neutral" },
  not_found: { icon: CircleHelp, tone: "warn" },
  conflict: { icon: EqualNot, tone: "bad" },
  locked: { icon: Lock, tone: "unknown" },
};

const STRANGE: Look = { icon: Hexagon, tone: "neutral" };

/** How a task's state looks; a state this version does not know gets a shape of its own. */
export const taskLook = (state: string): Look => TASK[state] ?? STRANGE;

/** How an operation's state looks. “Sent, no answer” has a colour that nothing else uses. */
export const operationLook = (state: string): Look => OPERATION[state] ?? STRANGE;
