import type { ReactNode } from "react";
import { wordFor } from "../words";
import { type Look, operationLook, type Tone, taskLook } from "./state-look";

/** A task's state: word, shape and colour together. */
export function StateBadge({ state }: { state: string }) {
  return <Badge look={taskLook(state)}>{wordFor("state", state)}</Badge>;
}

/** An operation's state: word, shape and colour together. */
export function OperationBadge({ state }: { state: string }) {
  return <Badge look={operationLook(state)}>{wordFor("operationState", state)}</Badge>;
}

function Badge({ look, children }: { look: Look; children: ReactNode }) {
  const Icon = look.icon;
  return (
    <span className={`badge tone-${look.tone}`}>
      <Icon size={14} strokeWidth={2.25} aria-hidden />
      {children}
    </span>
  );
}

/** A short judgement in running text: shape and word in one tone. */
export function Mark({ tone, icon: Icon, children }: { tone: Tone; icon: Look["icon"]; children: ReactNode }) {
  return (
    <span className={`mark tone-${tone}`}>
      <Icon size={14} strokeWidth={2.25} aria-hidden />
      <span>{children}</span>
    </span>
  );
}
