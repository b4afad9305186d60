import { create } from "zustand";
import { FIVE_QUESTIONS, type Input, type Output } from "../../preload/contract";
import { ask, type BridgeProblem } from "../bridge";

type Workflow = Input<"workflow.write">;
type Action = Workflow["action"];
export type FiveQuestion = (typeof FIVE_QUESTIONS)[number];
type Answers = { [Q in FiveQuestion]: NonNullable<Action["answers"][Q]> };

/** The wizard's pages: what it is, the five questions, and what follows. */
export const PAGES = ["what", ...FIVE_QUESTIONS, "result"] as const;

export interface NewActionDraft extends Pick<Workflow, "name" | "owner" | "backupOwner"> {
  action: Omit<Action, "answers">;
  /** What stands in each question's fields, whether or not it counts. */
  answers: Answers;
  /** Questions that somebody has answered. */
  answered: Readonly<Record<FiveQuestion, boolean>>;
}

const EMPTY: NewActionDraft = {
  ...{ name: "", owner: "", backupOwner: "" },
  action: { name: "", adapter: "", phase: "update", isDecided: false },
  answers: {
    key: { where: "", unique: false },
    query: { reliable: false, visibilitySeconds: 2, horizonSeconds: 60, looks: 8 },
    retry: { resendAfterNotSent: true, resendAfterProvenAbsent: false, maxAttempts: 3 },
    approvalBinds: [],
    compensation: { action: "", grade: "D" },
  },
  answered: { key: false, query: false, retry: false, approvalBinds: false, compensation: false },
};

interface NewActionState {
  draft: NewActionDraft;
  page: number;
  judged: Output<"workflow.judge"> | null;
  written: Output<"workflow.write"> | null;
  problem: BridgeProblem | null;
  busy: boolean;
  change(change: Partial<NewActionDraft>): void;
  answer<Q extends FiveQuestion>(question: Q, change: Partial<Answers[Q]> | Answers[Q]): void;
  turnTo(page: number): void;
  write(): Promise<void>;
  startAnew(): void;
}

/** What is described so far stays while the program runs: whoever has to ask somebody first comes back to it. */
export const useNewAction = create<NewActionState>()((set, get) => ({
  draft: EMPTY,
  page: 0,
  judged: null,
  written: null,
  problem: null,
  busy: false,
  change: (change) => set({ draft: { ...get().draft, ...change }, written: null }),
  answer: (question, change) => {
    const { draft } = get();
    const before = draft.answers[question];
    const next = Array.isArray(change) ? change : { ...before, ...change };
    set({
      draft: {
        ...draft,
        answers: { ...draft.answers, [question]: next },
        answered: { ...draft.answered, [question]: true },
      },
      written: null,
    });
  },
  turnTo: (page) => {
    set({ page, judged: null, problem: null });
    if (PAGES[page] === "result") void judge(set, get);
  },
  write: async () => {
    if (get().busy) return;
    set({ busy: true, written: null, problem: null });
    const { name, owner, backupOwner } = get().draft;
    const reply = await ask("workflow.write", { name, owner, backupOwner, action: actionOf(get().draft) });
    set(reply.ok ? { written: reply.value, busy: false } : { problem: reply.problem, busy: false });
  },
  startAnew: () => set({ draft: EMPTY, page: 0, judged: null, written: null, problem: null }),
}));

async function judge(set: (state: Partial<NewActionState>) => void, get: () => NewActionState): Promise<void> {
  const reply = await ask("workflow.judge", actionOf(get().draft));
  set(reply.ok ? { judged: reply.value } : { problem: reply.problem });
}

/** Only what somebody has answered is an answer. */
function actionOf({ action, answers, answered }: NewActionDraft): Action {
  const { key, query, retry, approvalBinds, compensation } = answers;
  return {
    ...action,
    answers: {
      key: answered.key ? key : null,
      query: answered.query ? query : null,
      retry: answered.retry ? retry : null,
      approvalBinds: answered.approvalBinds ? approvalBinds : null,
      compensation: answered.compensation ? compensation : null,
    },
  };
}

/** A name as keys and files take it: small letters, digits, - and _. */
export const isName = (text: string): boolean => /^[a-z][a-z0-9_-]{0,59}$/.test(text);
const isWorkflowName = (text: string): boolean => /^[a-z][a-z0-9-]{1,59}$/.test(text);

/** What somebody may still have to fill in. */
type Field = "name" | "owner" | "backupOwner" | "action" | "adapter" | "where" | "how";

/** What a page still lacks before the next can be turned to, by the names of its fields. */
export function lackingOn(page: (typeof PAGES)[number], draft: NewActionDraft): readonly Field[] {
  const { action, answers, answered, name, owner, backupOwner } = draft;
  const lacks = (field: Field, isThere: boolean): Field[] => (isThere ? [] : [field]);
  if (page === "what")
    return [
      ...lacks("name", isWorkflowName(name)),
      ...lacks("owner", owner.trim() !== ""),
      ...lacks("backupOwner", backupOwner.trim() !== "" && backupOwner.trim() !== owner.trim()),
      ...lacks("action", isName(action.name)),
      ...lacks("adapter", isName(action.adapter)),
    ];
  if (page === "key" && answered.key) return lacks("where", answers.key.where.trim() !== "");
  if (page === "compensation" && answered.compensation) return lacks("how", answers.compensation.action.trim() !== "");
  return [];
}
