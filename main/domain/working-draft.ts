import type { TaskContext, TaskRow } from "./records";

/** The working copy as the task's context names it. */
export interface WorkingDraftName {
  hash: string;
  base: string | null;
  keptAt: number;
}

/** @returns the unfinished edit that is kept of the task's draft, or null. */
export function workingDraftOf({ context }: Pick<TaskRow, "context">): WorkingDraftName | null {
  const { workingDraftHash: hash, workingDraftBase: base, workingDraftAt: keptAt } = context;
  if (typeof hash !== "string") return null;
  return { hash, base: typeof base === "string" ? base : null, keptAt: Number(keptAt) };
}

/** What is written into the task's context when a working copy is kept. */
export const workingDraftNamed = ({ hash, base, keptAt }: WorkingDraftName): TaskContext => ({
  workingDraftHash: hash,
  workingDraftBase: base,
  workingDraftAt: keptAt,
});

/** What is written when it was used or thrown away; nothing where there was none, so that no other event changes. */
export const workingDraftEnded = (task: Pick<TaskRow, "context">): TaskContext =>
  workingDraftOf(task) === null ? {} : { workingDraftHash: null, workingDraftBase: null, workingDraftAt: null };
