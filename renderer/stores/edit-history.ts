/** Steps back and forth over one value. Typing in one field is one step until it is sealed: by leaving the field, or by a pause. */
export interface EditHistory<T> {
  past: readonly T[];
  present: T;
  future: readonly T[];
  /** The field that the newest step is still open for. */
  openFor: string | null;
}

/** More than anybody steps back through; a day of editing must not fill the memory. */
const STEPS_MAX = 200;

export const historyOf = <T>(present: T): EditHistory<T> => ({ past: [], present, future: [], openFor: null });

/** @param field the field that was typed in; null for a step of its own. */
export function changeIn<T>(history: EditHistory<T>, present: T, field: string | null): EditHistory<T> {
  const goesOn = field !== null && field === history.openFor;
  const past = goesOn ? history.past : [...history.past, history.present].slice(-STEPS_MAX);
  return { past, present, future: [], openFor: field };
}

export function undoIn<T>(history: EditHistory<T>): EditHistory<T> {
  const before = history.past.at(-1);
  if (before === undefined) return history;
  const { past, present, future } = history;
  return { past: past.slice(0, -1), present: before, future: [present, ...future], openFor: null };
}

export function redoIn<T>(history: EditHistory<T>): EditHistory<T> {
  const [next, ...future] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.present], present: next, future, openFor: null };
}

/** The next change is a step of its own. */
export const sealIn = <T>(history: EditHistory<T>): EditHistory<T> =>
  history.openFor === null ? history : { ...history, openFor: null };
