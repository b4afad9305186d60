import { Preferences } from "../../preload/contract";
import type { Preference } from "./handlers";
import { readSmall, writeWhole } from "./small-file";

export interface PreferencesStore {
  read(): Preference;
  /** Takes effect at once and is written whole. A disk that refuses loses the choice at the next start, nothing more. */
  change(change: Partial<Preference>): Preference;
  /** Returns the function that stops listening. */
  onChange(listener: (now: Preference) => void): () => void;
}

/** The language the system's user reads, as far as we speak it. */
export const languageFor = (locale: string): Preference["language"] => (/^zh\b/i.test(locale) ? "zh-CN" : "en");

/** Language and theme, in a small file of their own: they must be readable when the database is not. */
export function openPreferences(
  file: string,
  options: { locale: string; report: (code: string) => void },
): PreferencesStore {
  const first = readSmall<Preference>(file, Preferences, { language: languageFor(options.locale), theme: "system" });
  if (first.problem !== null) options.report(`preferences_${first.problem}`);
  // What could not be read and not be set aside is somebody's file still: it is not written over.
  const mayWrite = first.problem !== "unreadable";
  const listeners = new Set<(now: Preference) => void>();
  let current = first.value;
  return {
    read: () => current,
    change: (change) => {
      current = Preferences.parse({ ...current, ...change });
      try {
        if (mayWrite) writeWhole(file, `${JSON.stringify(current, null, 2)}\n`);
      } catch {
        options.report("preferences_not_written");
      }
      for (const listener of [...listeners]) listener(current);
      return current;
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
