import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The least that a program with a window and a button can be: what the runtime itself costs. */
const mainOf = (url: string | undefined) => `const { app, BrowserWindow } = require("electron");
app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 1280, height: 860, show: false });
  window.once("ready-to-show", () => window.show());
  ${url === undefined ? 'window.loadFile("index.html")' : `window.loadURL(${JSON.stringify(url)})`};
});
app.on("window-all-closed", () => app.quit());
`;
const PAGE = `<!doctype html><meta charset="utf-8"><title>Empty</title><h1>Empty</h1><button type="button">Press</button>
`;

/** Writes the empty app into a folder; with a `url`, its window shows what is there. @returns the folder. */
export function writeEmptyApp(dir: string, url?: string): string {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "package.json"), JSON.stringify({ name: "empty", version: "1.0.0", main: "main.js" }));
  writeFileSync(join(dir, "main.js"), mainOf(url));
  writeFileSync(join(dir, "index.html"), PAGE);
  return dir;
}
