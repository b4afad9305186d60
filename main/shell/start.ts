import path from "node:path";
import { app, type BrowserWindow, Menu, safeStorage, shell } from "electron";
import type { Pushed } from "../../preload/contract";
import type { LinkedPlace } from "../../preload/contract/place-link";
import { traceOf } from "../adapters/debug-log";
import { audienceFiles } from "./audience-files";
import { chooseBackupFolder, openBackupChoices } from "./backup-files";
import { openChainChecks } from "./chain-checks";
import { startChild } from "./child-program";
import { createDeepLinks } from "./deep-links";
import { hasTray } from "./desktop";
import { openDrillResults } from "./drill-results";
import { openEvidenceBundles } from "./evidence-bundles";
import { evidenceFiles } from "./evidence-files";
import { createEvidenceKey } from "./evidence-signer";
import { createExternalLinks } from "./external-link";
import { stopAndSay, watchFaults } from "./faults";
import type { BackendOptions, OpenBackend } from "./handlers";
import { hardenEverything } from "./hardening";
import { forwardPushes, pushTo, registerIpc } from "./ipc";
import { createLifecycle } from "./lifecycle";
import { mark, marks } from "./marks";
import { setMenu } from "./menu";
import { createNotifier } from "./notifier";
import { watchPage } from "./page-health";
import { watchPower } from "./power";
import { registerScheme, serveScheme } from "./scheme";
import { createSecretStore } from "./secret-store";
import { openSettings, type Settings } from "./settings";
import { openTimestampServer } from "./timestamp-server";
import { type AppTray, createTray } from "./tray";
import { followToday } from "./tray-news";
import type { TrayOptions } from "./tray-template";
import { applyTheme, createWindow, type MainWindow } from "./window";

/**
 * What has to happen before Electron is ready. Returns false for a second start on the same data: the first one shows its
 * window. That is comfort; what keeps two programs apart is the lease in the database.
 */
export function prepare(): boolean {
  mark("main");
  // For tests and for a second workspace. --user-data-dir does the same and is read by the runtime itself.
  const folder = process.env.IMPRIMATUR_USER_DATA;
  if (folder) app.setPath("userData", path.resolve(folder));
  if (!app.requestSingleInstanceLock()) return false;
  // Chromium cannot sandbox processes of root (a container, a build machine), and would restart them for ever.
  if (process.getuid?.() !== 0) app.enableSandbox();
  // Ours follows; Electron's own would be built first, and has entries (reload, inspect) that ours leaves out on purpose.
  Menu.setApplicationMenu(null);
  registerScheme();
  return true;
}

/** What the shell lends to the backend. */
function lend(settings: Settings, show: () => void): BackendOptions {
  const { electron, chrome, node } = process.versions;
  const { read, change } = settings.preferences;
  const report = (code: string) => settings.report({ code });
  const inData = (name: string) => path.join(settings.userDataDir, name);
  return {
    userDataDir: settings.userDataDir,
    version: app.getVersion(),
    runtime: `Electron ${electron}, Chromium ${chrome}, Node ${node}`,
    preferences: { read, change },
    showFolder: (folder) => void shell.openPath(folder),
    startChild,
    drillResults: openDrillResults(inData("drills.json"), report, Date.now()),
    evidenceKey: createEvidenceKey(inData("signer-key.sealed"), createSecretStore(safeStorage)),
    timestampServer: openTimestampServer(inData("time-stamp.json"), report),
    evidenceBundles: openEvidenceBundles(inData("bundles.json"), report),
    evidenceFiles,
    audienceFiles,
    backups: { store: openBackupChoices(inData("backups.json"), report), chooseFolder: chooseBackupFolder },
    chainChecks: openChainChecks(inData("checks.json"), report),
    notifier: createNotifier({ language: () => read().language, show }),
  };
}

interface Dress {
  settings: Settings;
  hasTray: boolean;
  allowDevTools: boolean;
  quit: () => void;
  /** Shows a place of the page. */
  open: (place: LinkedPlace) => void;
}

/**
 * Menu and tray, in the language of the preferences, now and whenever it changes. The tray waits for the window.
 * @returns tells the tray what waits and what runs
 */
function dress({ window, shown, show }: MainWindow, options: Dress): (today: TrayOptions["today"]) => void {
  const { preferences, texts } = options.settings;
  const { quit, allowDevTools } = options;
  let tray: AppTray | null = null;
  let today: TrayOptions["today"] = null;
  const open = (place: LinkedPlace) => {
    show();
    options.open(place);
  };
  const trayOptions = () => ({ texts: texts(), language: preferences.read().language, today, open, show, quit });
  const apply = () => {
    const { language, theme } = preferences.read();
    applyTheme(theme, window);
    setMenu(window, { language, allowDevTools, quit });
    tray?.set(trayOptions());
  };
  apply();
  preferences.onChange(apply);
  void shown.then(() => {
    if (options.hasTray) tray = createTray(trayOptions());
  });
  return (now) => {
    today = now;
    tray?.set(trayOptions());
  };
}

/** Builds the program around the backend, shows the window, and ties everything to the end of the program. */
export async function run(openBackend: OpenBackend): Promise<void> {
  const links = createDeepLinks(process.argv);
  await app.whenReady();
  mark("ready");
  const settings = openSettings();
  const { report, texts, memory, logFolder } = settings;
  // The developer's tools are for builds that are not released.
  const allowDevTools = !app.isPackaged;

  let ourWindow: BrowserWindow | null = null;
  hardenEverything({ ourWindow: () => ourWindow, openOutside: createExternalLinks(texts), report });
  applyTheme(settings.preferences.read().theme, null);
  const main = createWindow(memory, { allowDevTools });
  const { window, show } = main;
  ourWindow = window;

  // The page's process starts while the database opens: the first question waits for the answer, the window for neither.
  const backend = openBackend(lend(settings, show));
  const isTrayThere = hasTray(process.platform, process.env);
  const beforeLeaving = main.rememberNow;
  const staysInTray = () => isTrayThere && settings.preferences.read().staysInTray !== false;
  const lifecycle = createLifecycle({ window, texts, staysInTray, memory, beforeLeaving, report });
  const { quit } = lifecycle;
  watchFaults({ window, lifecycle, texts, logFolder, report });
  serveScheme(backend);
  const openPlace = (opened: Pushed<"place.open">) => pushTo(window, "place.open", opened, report);
  const onPageListens = () => links.deliverTo(openPlace);
  registerIpc(window, backend, { report, onPageListens });
  watchPage(window, { texts, report, reload: main.load, quit });
  const open = (place: LinkedPlace) => openPlace({ place });
  const tellTray = dress(main, { settings, hasTray: isTrayThere, allowDevTools, quit, open });
  app.on("second-instance", show);
  app.on("activate", show);

  try {
    const [opened] = await Promise.all([
      backend.then((ready) => {
        mark("opened");
        lifecycle.attach(ready);
        forwardPushes(window, ready, report);
        if (isTrayThere) window.on("closed", followToday(ready, tellTray, report));
        return ready;
      }),
      main.load(),
    ]);
    watchPower(opened);
  } catch (error) {
    report({ code: "not_started", error: traceOf(error) });
    return stopAndSay("cannotStart", { window, lifecycle, texts, logFolder, report });
  }
  await main.shown;
  report({ code: "started", numbers: marks() });
}
