import { create } from "zustand";
import type { Output } from "../../preload/contract";
import { ask } from "../bridge";
import { type Answer, askLatest, noAnswer } from "./answer";
import { useClock } from "./clock";
import { type DraftContent, type DraftView, editOf, isSameDraft } from "./draft-content";
import { changeIn, type EditHistory, historyOf, redoIn, sealIn, undoIn } from "./edit-history";

type Refused = Extract<Output<"draft.keep">, { result: "refused" }>["unmet"];

/** An edit under way in this window. */
export interface DraftSession {
  /** The frozen draft that it is an edit of, and what that says. */
  base: string | null;
  from: DraftContent;
  history: EditHistory<DraftContent>;
  /** The working copy that this window goes on from, what it holds, and when it was kept (ms UTC). */
  working: string | null;
  kept: DraftContent;
  keptAt: number | null;
  /** Working copies of this window's own: an answer that is a moment old may still name one. */
  own: readonly string[];
}

/** Why the last try to keep the edit failed. */
export type KeepProblem = { kind: "refused"; unmet: Refused } | { kind: "lost"; detail: string };

interface DraftState {
  taskId: string | null;
  answer: Answer<Output<"draft.get">>;
  session: DraftSession | null;
  problem: KeepProblem | null;
  /** The fact whose source is shown. */
  factId: string | null;
  load(taskId: string): Promise<void>;
  /** Begins with this content on top of the present draft. `working`: the copy that it is, or replaces when it is kept. */
  begin(content: DraftContent, working: string | null, keptAt: number | null): void;
  change(content: DraftContent, field?: string): void;
  undo(): void;
  redo(): void;
  seal(): void;
  compose(isComposing: boolean): void;
  select(factId: string | null): void;
  /** Keeps what is not kept yet. Resolves true when nothing is left to keep. */
  keep(): Promise<boolean>;
  /** The edit is over: used, or thrown away. */
  end(): void;
}

/** A pause in typing after which the edit is kept, and the longest that is typed without one. */
const PAUSE_MS = 1000;
const LONGEST_MS = 10_000;

/** The draft of one edition as it is edited: steps back and forth, and a working copy in the journal that a crash leaves there. */
export const useDraft = create<DraftState>()((set, get) => {
  const fetchDraft = askLatest(
    "draft.get",
    () => get().answer,
    (answer) => set({ answer }),
  );
  const patch = (change: Partial<DraftSession>) => {
    const { session } = get();
    if (session) set({ session: { ...session, ...change } });
  };
  const timer = keepTimer(() => {
    get().seal();
    void get().keep();
  });
  const step = (history: EditHistory<DraftContent>) => {
    patch({ history });
    timer.start();
  };
  let keeping: Promise<boolean> | null = null;
  const keepOnce = async (taskId: string, session: DraftSession): Promise<boolean> => {
    const sent = session.history.present;
    const reply = await sendWorking(taskId, session, sent);
    const now = get().session;
    if (get().taskId !== taskId || now === null) return reply.kind === "kept";
    if (reply.kind !== "kept") {
      set({ problem: reply });
      return false;
    }
    const { hash: working, at: keptAt } = reply;
    set({ problem: null });
    patch({ working, keptAt, kept: sent, own: working === null ? now.own : [...now.own.slice(-50), working] });
    return true;
  };
  return {
    taskId: null,
    answer: noAnswer,
    session: null,
    problem: null,
    factId: null,
    load: async (taskId) => {
      if (get().taskId !== taskId) {
        void get().keep();
        set({ taskId, answer: noAnswer, session: null, problem: null, factId: null });
      }
      const view = await fetchDraft({ taskId });
      if (!view) return;
      useClock.getState().receive(view.clock);
      const { session, begin } = get();
      const isUntouched = session !== null && session.working === null && isSameDraft(session.from, session.kept);
      const isMoved = session !== null && session.base !== view.draftHash;
      const hasUnkept = session !== null && session.history.present !== session.kept;
      if (view.working === null && (session === null || (isMoved && isUntouched && !hasUnkept)))
        begin(view.draft, null, null);
    },
    begin: (content, working, keptAt) => {
      const view = get().answer.value;
      if (!view) return;
      const { draftHash: base, draft: from } = view;
      const isKept = view.working !== null && view.working.hash === working && view.working.base === base;
      const kept = isKept ? content : from;
      const own = working === null ? [] : [working];
      set({ session: { base, from, history: historyOf(content), working, kept, keptAt, own }, problem: null });
      if (!content.facts.some(({ id }) => id === get().factId)) set({ factId: firstToMend(content) });
      if (kept !== content) timer.start();
    },
    change: (content, field) => {
      const { session } = get();
      if (session) step(changeIn(session.history, content, field ?? null));
    },
    undo: () => {
      const { session } = get();
      if (session) step(undoIn(session.history));
    },
    redo: () => {
      const { session } = get();
      if (session) step(redoIn(session.history));
    },
    seal: () => {
      const { session } = get();
      if (session) patch({ history: sealIn(session.history) });
    },
    compose: timer.hold,
    select: (factId) => set({ factId }),
    keep: async () => {
      timer.stop();
      if (keeping) await keeping;
      const { taskId, session } = get();
      if (taskId === null || session === null || session.history.present === session.kept) return true;
      keeping = keepOnce(taskId, session);
      const isKept = await keeping;
      keeping = null;
      return isKept;
    },
    end: () => {
      timer.stop();
      set({ session: null, problem: null });
    },
  };
});

type Sent = { kind: "kept"; hash: string | null; at: number | null } | KeepProblem;

/** Keeps the edit; one that says what the draft says again is given up instead. */
async function sendWorking(taskId: string, session: DraftSession, content: DraftContent): Promise<Sent> {
  const { base: draftHash, working: workingHash, from } = session;
  if (isSameDraft(content, from)) {
    if (workingHash === null) return { kind: "kept", hash: null, at: null };
    const reply = await ask("draft.drop", { taskId, workingHash });
    if (!reply.ok) return { kind: "lost", detail: reply.problem.detail };
    const { value } = reply;
    if (value.result === "applied") return { kind: "kept", hash: null, at: null };
    return "unmet" in value ? { kind: "refused", unmet: value.unmet } : { kind: "lost", detail: value.code };
  }
  const reply = await ask("draft.keep", { taskId, seen: { draftHash, workingHash }, edit: editOf(content) });
  if (!reply.ok) return { kind: "lost", detail: reply.problem.detail };
  const { value } = reply;
  if (value.result === "kept") return { kind: "kept", hash: value.hash, at: value.at };
  return value.result === "refused" ? { kind: "refused", unmet: value.unmet } : { kind: "lost", detail: value.code };
}

/** What stopped the edition is looked at first. */
const firstToMend = ({ facts }: DraftContent): string | null =>
  (facts.find(({ fault }) => fault !== null) ?? facts[0])?.id ?? null;

/** Runs out after a pause, or at the latest some time after the first change; held while an input method composes. */
function keepTimer(run: () => void) {
  let timeout: ReturnType<typeof setTimeout> | undefined;
  let since: number | null = null;
  let isHeld = false;
  const stop = () => {
    clearTimeout(timeout);
    since = null;
  };
  const start = () => {
    since ??= performance.now();
    clearTimeout(timeout);
    const left = Math.max(0, LONGEST_MS - (performance.now() - since));
    timeout = setTimeout(() => (isHeld ? start() : run()), isHeld ? PAUSE_MS : Math.min(PAUSE_MS, left));
  };
  const hold = (isComposing: boolean) => {
    isHeld = isComposing;
  };
  return { start, stop, hold };
}

/**
 * What stands between this window's edit and the journal, to be decided by a person: an unfinished edit from before, one whose draft
 * was replaced, or one that another window has kept since.
 */
export function openQuestion(
  view: DraftView,
  session: DraftSession | null,
): "unfinished" | "replaced" | "moved" | "other" | null {
  const { working, draftHash } = view;
  if (session === null) {
    if (working === null) return null;
    return working.base === draftHash ? "unfinished" : "replaced";
  }
  if (session.base !== draftHash) return "moved";
  return working !== null && working.hash !== session.working && !session.own.includes(working.hash) ? "other" : null;
}
