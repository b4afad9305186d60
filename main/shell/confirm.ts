import { type BrowserWindow, dialog } from "electron";

/** A question with its answers in words. The last answer is always the harmless one, and the default. */
export interface Confirmation<Choice extends string> {
  title?: string;
  message: string;
  detail: string;
  choices: readonly { choice: Choice; label: string }[];
  harmless: { choice: Choice; label: string };
}

/** Asks in a dialog whose Enter and Escape both mean the harmless answer, as does closing it. */
export async function confirm<Choice extends string>(
  window: BrowserWindow | null,
  question: Confirmation<Choice>,
): Promise<Choice> {
  const all = [...question.choices, question.harmless];
  const options = {
    type: "question" as const,
    title: question.title ?? "Imprimatur",
    message: question.message,
    detail: question.detail,
    buttons: all.map((entry) => entry.label),
    defaultId: all.length - 1,
    cancelId: all.length - 1,
    noLink: true,
  };
  const isUsable = window !== null && !window.isDestroyed() && window.isVisible();
  const { response } = await (isUsable ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options));
  return all[response]?.choice ?? question.harmless.choice;
}
