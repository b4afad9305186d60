import { app } from "electron";
import { openBackend } from "./compose";
import { prepare, run } from "./shell/start";

// Sandbox, scheme and the single instance before Electron is ready; then everything else, in the order of start.ts.
if (prepare()) void run(openBackend);
else app.quit();
