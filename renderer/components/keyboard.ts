import type { KeyboardEvent as ReactKeyboardEvent } from "react";

/**
 * True while an input method is choosing characters: its Enter picks a candidate and must never submit anything. Some
 * input methods report only the old key code 229.
 */
export function isComposing(event: KeyboardEvent | ReactKeyboardEvent): boolean {
  const native = "nativeEvent" in event ? event.nativeEvent : event;
  return native.isComposing || native.keyCode === 229;
}

/** True where plain letters belong to the text being typed and not to the screen. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true;
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button", "submit"].includes(target.type);
}

/** Moves the focus among the rows (`data-row`) of the list (`data-list`) at hand, or into the screen's first list. */
export function moveRow(step: 1 | -1): boolean {
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement : null;
  const list = focused?.closest("[data-list]") ?? document.querySelector("[data-list]");
  if (!list) return false;
  const rows = [...list.querySelectorAll<HTMLElement>("[data-row]")];
  const current = focused?.closest<HTMLElement>("[data-row]") ?? null;
  const at = current ? rows.indexOf(current) : step === 1 ? -1 : rows.length;
  const next = rows[at + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
  return next !== undefined;
}
