import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * Keeps the focus where it is while facts change places: the browser lets it go when an element is put elsewhere. Where the element
 * itself has gone, the next button of the list takes it.
 * @returns the function to call before such a change.
 */
export function useFocusKept(form: RefObject<HTMLElement | null>): () => void {
  const before = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    const was = before.current;
    before.current = null;
    if (was === null || document.activeElement === was) return;
    if (was.isConnected) was.focus();
    else form.current?.querySelector<HTMLElement>("ol button")?.focus();
  });
  return () => {
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && form.current?.contains(activeElement)) before.current = activeElement;
  };
}
