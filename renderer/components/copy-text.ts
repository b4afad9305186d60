import { useEffect, useRef, useState } from "react";

/**
 * Copies by the clipboard interface, and where its permission is denied (as our shell may) by the old command, which needs
 * only the click itself. Resolves false when neither worked, so that nobody pastes yesterday's hash.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.setAttribute("readonly", "");
    area.style.position = "fixed";
    area.style.opacity = "0";
    const focused = document.activeElement;
    document.body.append(area);
    area.select();
    const copied = typeof document.execCommand === "function" && document.execCommand("copy");
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return copied;
  }
}

/** Copying with a word about what came of it, shown for a moment. */
export function useCopy(): { said: "copied" | "failed" | null; copy: (text: string) => void } {
  const [said, setSaid] = useState<"copied" | "failed" | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = (text: string) => {
    void copyText(text).then((done) => {
      setSaid(done ? "copied" : "failed");
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setSaid(null), 1500);
    });
  };
  return { said, copy };
}
