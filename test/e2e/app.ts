import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { _electron, test as base, type ElectronApplication, type Page, type TestInfo } from "@playwright/test";

/**
 * The real app for tests: real Electron, a data folder of its own per launch (two apps that share one wait seconds for
 * each other when they end). Run through `npm test -- e2e`, which sets up the runtime, the build and the display.
 */
const root = path.resolve(import.meta.dirname, "../..");
/** The test variant: built with __TEST_BUILD__ true. */
const appFolder = path.join(root, "out/test");
/** How long a closing app may take before it counts as hanging; quitting has to write and to close its database. */
const CLOSE_MS = 30_000;

export interface LaunchOptions {
  args?: string[];
  env?: Record<string, string>;
  /** Start this program (a packaged app) instead of the test variant. */
  executable?: string;
}

/** Which Electron set-up chose for this machine. */
function electronExecutable(): string {
  const note = path.join(root, "node_modules/.imprimatur/electron.json");
  return process.env.IMPRIMATUR_ELECTRON_EXECUTABLE ?? JSON.parse(readFileSync(note, "utf8")).executable;
}

/** Apps that have ended: Playwright cannot be asked about them any more. */
const ended = new WeakSet<ElectronApplication>();

export async function launch(dataDir: string, options: LaunchOptions = {}): Promise<ElectronApplication> {
  const inherited = Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const app = await _electron.launch({
    executablePath: options.executable ?? electronExecutable(),
    args: [
      `--user-data-dir=${dataDir}`,
      // Nothing here draws with a graphics card, and looking for one costs a fifth of the start.
      "--disable-gpu",
      "--disable-software-rasterizer",
      "--lang=en-US",
      ...(options.executable ? [] : [appFolder]),
      ...(options.args ?? []),
    ],
    // Playwright turns the sandbox off on Linux unless told otherwise; as root Chromium refuses to start with it.
    chromiumSandbox: process.getuid?.() !== 0,
    // No desktop bus: a test must not depend on, or talk to, the session of whoever runs it.
    env: { ...Object.fromEntries(inherited), DBUS_SESSION_BUS_ADDRESS: "disabled:", ...options.env },
  });
  app.on("close", () => ended.add(app));
  return app;
}

/** Starts the app once more on the same data, as a click on a link does. @returns the exit code of that second start */
export async function startAgain(app: ElectronApplication, ...words: string[]): Promise<number | null> {
  const { program, args } = await app.evaluate(({ app: inside }) => ({
    program: process.execPath,
    args: [inside.getAppPath(), `--user-data-dir=${inside.getPath("userData")}`],
  }));
  const flags = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const second = spawn(program, [...flags, "--disable-gpu", ...args, ...words], { stdio: "ignore" });
  return new Promise((resolve) => second.once("close", resolve));
}

/** Ends the app as a power cut would: no handler of it runs. */
export async function kill(app: ElectronApplication): Promise<void> {
  const child = app.process();
  ended.add(app);
  const isGone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await isGone;
}

/** Closes the app; one that does not end by itself is ended, and the test fails, saying so. Once closed it stays closed. */
export async function close(app: ElectronApplication): Promise<void> {
  if (ended.has(app)) return;
  ended.add(app);
  const child = app.process();
  if (child.exitCode !== null || child.signalCode !== null) return;
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<"hangs">((resolve) => {
    timer = setTimeout(resolve, CLOSE_MS, "hangs");
  });
  const end = await Promise.race([app.close(), limit]);
  clearTimeout(timer);
  if (end !== "hangs") return;
  child.kill("SIGKILL");
  throw new Error(`the app did not quit within ${CLOSE_MS / 1000} s`);
}

/** What no page of ours may ever do: throw, or break its own content security policy. */
function watchPage(page: Page, problems: string[]) {
  page.on("pageerror", (error) => problems.push(`uncaught in the page: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && message.text().includes("Content Security Policy")) problems.push(message.text());
  });
}

/** A picture of the screen, kept in the test's output folder whether it passes or not. */
export async function picture(page: Page, info: TestInfo, name: string): Promise<void> {
  const path = info.outputPath(`${name}.png`);
  await page.screenshot({ path });
  await info.attach(name, { path, contentType: "image/png" });
}

interface Fixtures {
  /** A fresh folder, removed after the test. */
  dataDir: string;
  /** Set with `test.use({ appOptions: … })`. */
  appOptions: LaunchOptions;
  app: ElectronApplication;
  /** The first window, once its document is loaded. */
  win: Page;
}

export const test = base.extend<Fixtures>({
  appOptions: [{}, { option: true }],
  dataDir: async ({}, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), "imprimatur-e2e-"));
    await use(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  },
  app: async ({ dataDir, appOptions }, use, info) => {
    const app = await launch(dataDir, appOptions);
    const problems: string[] = [];
    let printed = "";
    for (const stream of [app.process().stdout, app.process().stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        printed += text;
      });
    for (const page of app.windows()) watchPage(page, problems);
    app.on("window", (page) => watchPage(page, problems));
    await use(app);
    await close(app);
    if (info.status !== info.expectedStatus) await info.attach("main process", { body: printed });
    base.expect(problems, "problems in the page").toEqual([]);
  },
  win: async ({ app }, use) => {
    const page = await app.firstWindow();
    await page.waitForLoadState("domcontentloaded");
    await use(page);
  },
});

export { expect } from "@playwright/test";
