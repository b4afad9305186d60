import { CircleCheck, CircleDashed, CircleSlash, Hourglass, OctagonAlert, Undo2, UserRound } from "lucide-react";
import type { Look } from "../../components/state-look";
import type { UndoEntry } from "../../stores/compensation";

/** A shape and a tone per standing of an entry; the word always stands beside them. */
const STATUS: Readonly<Record<UndoEntry["status"], Look>> = {
  waiting: { icon: Hourglass, tone: "neutral" },
  undoing: { icon: Undo2, tone: "info" },
  done: { icon: CircleCheck, tone: "ok" },
  failed: { icon: OctagonAlert, tone: "bad" },
  for_person: { icon: UserRound, tone: "warn" },
  closed: { icon: CircleCheck, tone: "ok" },
  not_needed: { icon: CircleSlash, tone: "neutral" },
};

const PROSPECT: Readonly<Record<UndoEntry["prospect"], Look>> = {
  automatic: { icon: Undo2, tone: "info" },
  person: { icon: UserRound, tone: "warn" },
  irreversible: { icon: OctagonAlert, tone: "bad" },
  not_needed: { icon: CircleSlash, tone: "neutral" },
  after_answer: { icon: Hourglass, tone: "unknown" },
  after_verdict: { icon: UserRound, tone: "unknown" },
};

const STEP: Readonly<Record<UndoEntry["steps"][number]["state"], Look>> = {
  done: { icon: CircleCheck, tone: "ok" },
  present: { icon: Undo2, tone: "info" },
  ahead: { icon: CircleDashed, tone: "neutral" },
  failed: { icon: OctagonAlert, tone: "bad" },
};

export const statusLook = (status: UndoEntry["status"]): Look => STATUS[status];
export const prospectLook = (prospect: UndoEntry["prospect"]): Look => PROSPECT[prospect];
export const stepLook = (state: UndoEntry["steps"][number]["state"]): Look => STEP[state];
