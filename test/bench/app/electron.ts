import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { DevTools } from "./cdp";

/** A started program with a window, and a way into its page and its main process. */
export interface Running {
  pid: number;
  /** When the process was started, in ms of the wall clock. */
  startedAt: number;
  /** The page, once there is one. */
  page: { evaluate<T>(expression: string): Promise<T>; send(method: string, params: object): Promise<unknown> };
  /** The main process; absent where it was started without an inspector. */
  main: DevTools | null;
  /** Asks it to quit, and insists after a while. */
  stop(): Promise<void>;
}

export interface StartOptions {
  executable: string;
  /** The app's folder; a browser's first page. */
  app: string;
  dataDir: string;
  /** Runs in the page before anything of its own does. */
  script?: string;
  /** Opens Node's inspector in the main process as well: not for measuring a start. */
  inspect?: boolean;
  /** Besides those that every program gets. */
  flags?: readonly string[];
}

const START_MS = 60_000;
const STOP_MS = 10_000;

/** Flags that both programs get alike. Nothing draws with a graphics card here, and looking for one costs a fifth of a start. */
const FLAGS = ["--disable-gpu", "--disable-software-rasterizer", "--lang=en-US", "--remote-debugging-port=0"];

/** Starts a program and attaches to its first page as soon as there is one. */
export async function start(options: StartOptions): Promise<Running> {
  const args = [
    ...(options.inspect ? ["--inspect=0"] : []),
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ...FLAGS,
    ...(options.flags ?? []),
    `--user-data-dir=${options.dataDir}`,
    options.app,
  ];
  const startedAt = performance.timeOrigin + performance.now();
  const child = spawn(options.executable, args, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: "disabled:" },
  });
  const addresses = addressesIn(child);
  try {
    const browser = await DevTools.open(await addresses.browser);
    const sessionId = await firstPage(browser, options.script ?? "");
    const main = options.inspect ? await DevTools.open(await addresses.main) : null;
    const page = {
      evaluate: <T>(expression: string) => browser.evaluate<T>(expression, sessionId),
      send: (method: string, params: object) => browser.send(method, { ...params }, sessionId),
    };
    return { pid: child.pid ?? 0, startedAt, page, main, stop: () => stop(child, browser, main) };
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
}

/** Both addresses are told on standard error, in whatever order. */
function addressesIn(child: ChildProcess): { browser: Promise<string>; main: Promise<string> } {
  let printed = "";
  const found = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const address = pattern.exec(printed)?.[1];
        if (address !== undefined) resolve(address);
      };
      child.stderr?.on("data", look);
      child.once("exit", (code) => reject(new Error(`the program ended with ${code}:\n${printed.slice(-2_000)}`)));
      setTimeout(() => reject(new Error(`no DevTools address:\n${printed.slice(-2_000)}`)), START_MS).unref();
    });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  const browser = found(/DevTools listening on (ws:\S+)/);
  const main = found(/Debugger listening on (ws:\S+)/);
  // Only asked for where an inspector was opened.
  main.catch(() => undefined);
  return { browser, main };
}

function firstPage(browser: DevTools, script: string): Promise<string> {
  const attach = async (targetId: string): Promise<string> => {
    const { sessionId } = await browser.send("Target.attachToTarget", { targetId, flatten: true });
    const session = sessionId as string;
    if (script !== "") {
      // For the document to come, and for the one that may be there already.
      await browser.send("Page.enable", {}, session);
      await browser.send("Page.addScriptToEvaluateOnNewDocument", { source: script }, session);
      await browser.evaluate(script, session);
    }
    return session;
  };
  return new Promise((resolve, reject) => {
    let isFound = false;
    browser.onEvent((method, params) => {
      const { type, targetId } = (params["targetInfo"] ?? {}) as { type?: string; targetId?: string };
      if (isFound || method !== "Target.targetCreated" || type !== "page" || targetId === undefined) return;
      isFound = true;
      attach(targetId).then(resolve, reject);
    });
    browser.send("Target.setDiscoverTargets", { discover: true }).catch(reject);
  });
}

async function stop(child: ChildProcess, browser: DevTools, main: DevTools | null): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    child.once("exit", () => resolve());
  });
  main?.close();
  browser.close();
  child.kill("SIGTERM");
  const limit = sleep(STOP_MS, "late" as const, { ref: false });
  if ((await Promise.race([ended, limit])) !== "late") return;
  child.kill("SIGKILL");
  await ended;
}
