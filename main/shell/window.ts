import path from "node:path";
import { BrowserWindow, nativeTheme, screen } from "electron";
import type { Preference } from "./handlers";
import { mark } from "./marks";
import { RENDERER_URL } from "./origins";
import { MIN_HEIGHT, MIN_WIDTH, placeWindow, type WindowMemoryFile } from "./window-state";

/** The page's own paper, so that the window never flashes in another colour. */
const BACKGROUND = { light: "#f5f4f0", dark: "#151618" };

/** Moving a window fires many events; its place is written when it rests. */
const SETTLE_MS = 500;

const background = () => (nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light);

function remember(window: BrowserWindow, memory: WindowMemoryFile): () => void {
  let timer: NodeJS.Timeout | undefined;
  const write = () => {
    clearTimeout(timer);
    // A minimised window has no place of its own; its normal bounds are those to come back to.
    if (window.isDestroyed() || window.isMinimized()) return;
    const isMaximized = window.isMaximized();
    memory.write({ isMaximized, ...(isMaximized ? {} : { bounds: window.getNormalBounds() }) });
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(write, SETTLE_MS);
  };
  window.on("resize", later);
  window.on("move", later);
  window.on("maximize", later);
  window.on("unmaximize", later);
  return write;
}

/** Takes over the theme of the preferences; the system's own menus and dialogs follow it. */
export function applyTheme(theme: Preference["theme"], window: BrowserWindow | null): void {
  nativeTheme.themeSource = theme;
  if (window !== null && !window.isDestroyed()) window.setBackgroundColor(background());
}

export interface MainWindow {
  window: BrowserWindow;
  /** Loads our page; the window shows itself when it has something to show. */
  load(): Promise<void>;
  /** Resolves when the window is on the screen for the first time. */
  shown: Promise<void>;
  /** Brings the window to the front, from the tray, too. */
  show(): void;
  /** Writes the window's place now. */
  rememberNow(): void;
}

/** Makes the one window, hidden. */
export function createWindow(memory: WindowMemoryFile, options: { allowDevTools: boolean }): MainWindow {
  const saved = memory.read();
  const areas = screen.getAllDisplays().map((display) => display.workArea);
  const window = new BrowserWindow({
    ...placeWindow(saved.bounds, areas),
    minWidth: MIN_WIDTH,
    minHeight: MIN_HEIGHT,
    show: false,
    title: "Imprimatur",
    backgroundColor: background(),
    webPreferences: {
      preload: path.join(__dirname, "../preload/index.cjs"),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      navigateOnDragDrop: false,
      safeDialogs: true,
      spellcheck: false,
      devTools: options.allowDevTools,
    },
  });
  const rememberNow = remember(window, memory);
  nativeTheme.on("updated", () => {
    if (!window.isDestroyed()) window.setBackgroundColor(background());
  });
  // The title is ours: a page's title would put remote text into the window list.
  window.on("page-title-updated", (event) => event.preventDefault());
  const shown = new Promise<void>((resolve) => {
    window.once("ready-to-show", () => {
      mark("ready-to-show");
      if (saved.isMaximized) window.maximize();
      window.show();
      resolve();
    });
  });
  return {
    window,
    load: () => window.loadURL(RENDERER_URL),
    shown,
    show: () => {
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    rememberNow,
  };
}
