import { basename } from "node:path";
import { app, BrowserWindow, dialog } from "electron";
import type { EvidenceDeskOptions } from "../compose/evidence-desk";
import { workspaceAround } from "../compose/workspace-folder";
import { writeWhole } from "./small-file";

const ZIP = [{ name: "ZIP", extensions: ["zip"] }];

/** The system's own dialogs: the page never names a file, and never learns of one that was not chosen. */
export const evidenceFiles: EvidenceDeskOptions["files"] = {
  chooseNew: async (name) => {
    const options = {
      defaultPath: `${app.getPath("documents")}/${basename(name)}`,
      properties: ["createDirectory" as const, "showOverwriteConfirmation" as const],
      ...(name.endsWith(".zip") ? { filters: ZIP } : {}),
    };
    const [window] = BrowserWindow.getAllWindows();
    const { canceled, filePath } = await (window
      ? dialog.showSaveDialog(window, options)
      : dialog.showSaveDialog(options));
    return canceled || filePath === "" ? null : filePath;
  },
  chooseBundle: async () => {
    const options = { filters: ZIP, properties: ["openFile" as const] };
    const [window] = BrowserWindow.getAllWindows();
    const { canceled, filePaths } = await (window
      ? dialog.showOpenDialog(window, options)
      : dialog.showOpenDialog(options));
    return canceled ? null : (filePaths[0] ?? null);
  },
  writeText: (file, text) => {
    if (workspaceAround(file) !== null) return false;
    try {
      writeWhole(file, text);
      return true;
    } catch {
      // The person sees that it was not saved, and chooses another place.
      return false;
    }
  },
};
