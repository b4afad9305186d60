import { BrowserWindow, dialog } from "electron";
import { BackupSettings } from "../../preload/contract";
import type { BackupDeskOptions } from "../compose/backup-desk";
import { readSmall, writeWhole } from "./small-file";

const OFF = { folder: null, keep: 14, results: [] };

/** Where backups go, and what the last ones came to. */
export function openBackupChoices(file: string, report: (code: string) => void): BackupDeskOptions["store"] {
  const { value, problem } = readSmall(file, BackupSettings, OFF);
  if (problem !== null) report(`backups_${problem}`);
  let current = value;
  return {
    read: () => current,
    write: (wanted) => {
      current = wanted;
      try {
        // What could not be read and not be set aside is somebody's file still.
        if (problem === "unreadable") return false;
        writeWhole(file, `${JSON.stringify(wanted)}\n`);
        return true;
      } catch {
        report("backups_not_written");
        return false;
      }
    },
  };
}

/** The system's own dialog: the page never names a folder. */
export async function chooseBackupFolder(): Promise<string | null> {
  const options = { properties: ["openDirectory" as const, "createDirectory" as const] };
  const [window] = BrowserWindow.getAllWindows();
  const { canceled, filePaths } = await (window
    ? dialog.showOpenDialog(window, options)
    : dialog.showOpenDialog(options));
  return canceled ? null : (filePaths[0] ?? null);
}
