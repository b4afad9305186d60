import { useEffect } from "react";
import { isComposing } from "../../components/keyboard";
import { useDraft } from "../../stores/draft";

/**
 * Ctrl+Z and Ctrl+Shift+Z (Cmd on a Mac, Ctrl+Y too) go over the whole draft, not over the one field. An input method's own keys and
 * a dialog's are left alone. What is not kept yet is kept when the window is left.
 */
export function useEditorKeys(): void {
  useEffect(() => {
    const { undo, redo, keep } = useDraft.getState();
    const onKey = (event: KeyboardEvent) => {
      if (isComposing(event) || event.altKey || !(event.ctrlKey || event.metaKey)) return;
      if (document.querySelector("[role='dialog']") !== null) return;
      const key = event.key.toLowerCase();
      if (key !== "z" && key !== "y") return;
      event.preventDefault();
      if (key === "y" || event.shiftKey) redo();
      else undo();
    };
    const onLeave = () => void keep();
    window.addEventListener("keydown", onKey);
    window.addEventListener("blur", onLeave);
    window.addEventListener("pagehide", onLeave);
    return () => {
      window.removeEventListener("keydown", onKey);
      window.removeEventListener("blur", onLeave);
      window.removeEventListener("pagehide", onLeave);
      void keep();
    };
  }, []);
}
