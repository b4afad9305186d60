import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { BrowserWindow, dialog } from "electron";
import type { ChooseTable } from "../compose/audience-desk";

/** A hundred thousand customers with long names; whatever is larger is no list of them. */
const MAX_BYTES = 20_000_000;

const CSV = [{ name: "CSV", extensions: ["csv", "txt"] }];

/** The system's own dialog: the page gets a file's name and never its path. */
export const audienceFiles: { chooseTable: ChooseTable } = {
  chooseTable: async () => {
    const options = { filters: CSV, properties: ["openFile" as const] };
    const [window] = BrowserWindow.getAllWindows();
    const { canceled, filePaths } = await (window
      ? dialog.showOpenDialog(window, options)
      : dialog.showOpenDialog(options));
    const [file] = filePaths;
    if (canceled || file === undefined) return null;
    const bytes = statSync(file).size > MAX_BYTES ? null : readFileSync(file);
    return { name: basename(file), bytes };
  },
};
