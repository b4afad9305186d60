import path from "node:path";
import { app } from "electron";
import { openDebugLog, type Report } from "../adapters/debug-log";
import { openPreferences, type PreferencesStore } from "./preferences";
import { type Texts, textsIn } from "./texts";
import { openWindowMemory, type WindowMemoryFile } from "./window-state";

/** What the shell itself keeps in the data folder: small files, none of which the journal depends on. */
export interface Settings {
  userDataDir: string;
  logFolder: string;
  report: Report;
  preferences: PreferencesStore;
  memory: WindowMemoryFile;
  /** In the language chosen now. */
  texts: () => Texts;
}

export function openSettings(): Settings {
  const userDataDir = app.getPath("userData");
  const logFolder = path.join(userDataDir, "logs");
  const report = openDebugLog(logFolder);
  const reportCode = (code: string) => report({ code });
  const file = path.join(userDataDir, "preferences.json");
  const preferences = openPreferences(file, { locale: app.getLocale(), report: reportCode });
  const memory = openWindowMemory(path.join(userDataDir, "window.json"), reportCode);
  return { userDataDir, logFolder, report, preferences, memory, texts: () => textsIn(preferences.read().language) };
}
