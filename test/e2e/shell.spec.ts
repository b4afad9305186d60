import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ElectronApplication, Page } from "@playwright/test";
import { close, expect, launch, startAgain, test } from "./app";

/**
 * The walls around the page, tried from inside and outside in the real program. One start for all: nothing here changes
 * anything, and every test leaves the page as it was. The fixtures of app.ts are not used, since they fail a test whose
 * page breaks its policy, which is what these do on purpose.
 */
test.describe.configure({ mode: "default" });

const HOSTILE_URL = `app://preview/${"f".repeat(64)}`;
const PAGE_URL = /^app:\/\/imprimatur\//;
/** Long enough for a navigation that is not denied to have begun. */
const SETTLE_MS = 300;

let dataDir: string;
let app: ElectronApplication;
let page: Page;

/** Dialogs that were asked, and addresses that were opened: both are replaced, so that no real one ever appears. */
interface Seen {
  dialogs: { message: string; detail: string; buttons: string[]; defaultId: number; cancelId: number }[];
  opened: string[];
  answer: number | null;
}

async function replaceDialogs(): Promise<void> {
  await app.evaluate(({ dialog, shell }) => {
    const seen: Seen = { dialogs: [], opened: [], answer: null };
    Object.assign(globalThis, { seen });
    dialog.showMessageBox = (async (...given: unknown[]) => {
      const asked = given[given.length - 1] as Seen["dialogs"][number];
      seen.dialogs.push(asked);
      return { response: seen.answer ?? asked.cancelId, checkboxChecked: false };
    }) as typeof dialog.showMessageBox;
    shell.openExternal = async (url: string) => void seen.opened.push(url);
  });
}

const takeSeen = () =>
  app.evaluate(() => {
    const { seen } = globalThis as unknown as { seen: Seen };
    const copy = { dialogs: [...seen.dialogs], opened: [...seen.opened] };
    seen.dialogs.length = 0;
    seen.opened.length = 0;
    return copy;
  });

const answerWith = (answer: number | null) =>
  app.evaluate((_electron, given) => {
    (globalThis as unknown as { seen: Seen }).seen.answer = given;
  }, answer);

/** Asks the main process from the page, as the preload allows it. */
const ask = (channel: string, input: unknown, on: Page = page) =>
  on.evaluate(
    async ([name, value]) => {
      const { api } = window as unknown as { api: { invoke(channel: unknown, input: unknown): Promise<unknown> } };
      try {
        return { ok: true, text: JSON.stringify(await api.invoke(name, value)) };
      } catch (error) {
        return { ok: false, text: String((error as Error).message) + String((error as Error).stack) };
      }
    },
    [channel, input] as const,
  );

test.beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), "imprimatur-shell-"));
  app = await launch(dataDir);
  page = await app.firstWindow();
  await page.waitForLoadState("domcontentloaded");
  await replaceDialogs();
});

test.afterAll(async () => {
  await close(app);
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

test.afterEach(async () => {
  expect(page.url()).toMatch(PAGE_URL);
  await expect.poll(() => app.windows().length).toBe(1);
  await takeSeen();
});

test("the page has no Node, and a bridge of two functions", async () => {
  const found = await page.evaluate(() => ({
    node: ["require", "process", "module", "Buffer", "global", "__dirname", "electron", "ipcRenderer"].filter(
      (name) => name in window,
    ),
    bridge: Object.keys((window as unknown as { api: object }).api).sort(),
  }));
  expect(found).toEqual({ node: [], bridge: ["invoke", "on"] });
  const settings = await app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
      getLastWebPreferences(): Record<string, unknown>;
    };
    const { contextIsolation, sandbox, nodeIntegration, webSecurity, webviewTag } = contents.getLastWebPreferences();
    return { contextIsolation, sandbox, nodeIntegration, webSecurity, webviewTag: webviewTag ?? false };
  });
  expect(settings).toEqual({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    webSecurity: true,
    webviewTag: false,
  });
});

test("every answer of the scheme carries a policy, and a way out of the folder leads nowhere", async () => {
  const answers = await app.evaluate(async ({ net }, preview) => {
    const look = async (url: string) => {
      const { status, headers } = await net.fetch(url);
      return { status, csp: headers.get("content-security-policy"), nosniff: headers.get("x-content-type-options") };
    };
    return {
      page: await look("app://imprimatur/"),
      missing: await look("app://imprimatur/nothing.js"),
      climbing: await look("app://imprimatur/%2e%2e/main/index.cjs"),
      encoded: await look("app://imprimatur/..%2fmain%2findex.cjs"),
      foreign: await look("app://imprimatur.evil/index.html"),
      preview: await look(preview),
    };
  }, HOSTILE_URL);
  expect(answers.page.status).toBe(200);
  expect(answers.page.csp).toContain("default-src 'none'");
  expect(answers.page.csp).toContain("script-src 'self';");
  expect(answers.page.csp).not.toMatch(/https?:|unsafe-eval|\*/);
  expect(answers.preview.csp).toMatch(/default-src 'none'.*sandbox$/);
  for (const [name, answer] of Object.entries(answers)) {
    if (name !== "page") expect(answer.status, name).toBe(404);
    expect(answer.csp, name).toContain("default-src 'none'");
    expect(answer.nosniff, name).toBe("nosniff");
  }
});

test("inline scripts do not run, and nothing is fetched from a network", async () => {
  const found = await page.evaluate(async () => {
    const script = document.createElement("script");
    script.textContent = "window.inlineRan = true";
    document.head.append(script);
    const remote = document.createElement("script");
    remote.src = "https://example.com/x.js";
    const isRefused = new Promise((resolve) => {
      remote.onerror = () => resolve(true);
      remote.onload = () => resolve(false);
    });
    document.head.append(remote);
    const fetched = await fetch("https://example.com/").then(
      () => "answered",
      () => "refused",
    );
    const result = { inlineRan: "inlineRan" in window, remoteRefused: await isRefused, fetched };
    script.remove();
    remote.remove();
    return result;
  });
  expect(found).toEqual({ inlineRan: false, remoteRefused: true, fetched: "refused" });
});

for (const target of [
  "http://127.0.0.1:9/",
  "file:///etc/hosts",
  "javascript:document.title='ran'",
  "data:text/html,<p>elsewhere",
  "app://imprimatur.evil/index.html",
  HOSTILE_URL,
]) {
  test(`the page cannot be taken to ${target.slice(0, 40)}`, async () => {
    await page.evaluate((url) => {
      window.location.href = url;
    }, target);
    await page.waitForTimeout(SETTLE_MS);
    expect(page.url()).toMatch(PAGE_URL);
    expect(await page.title()).not.toBe("ran");
    expect((await takeSeen()).opened).toEqual([]);
  });
}

test("a page opens no window; a web address is shown first, with Cancel as the default", async () => {
  const address = "https://xn--bcher-kva.example/a?b=c";
  const handle = await page.evaluate((url) => window.open(url) === null, "https://bücher.example/a?b=c");
  expect(handle).toBe(true);
  await expect
    .poll(async () => (await app.evaluate(() => (globalThis as unknown as { seen: Seen }).seen.dialogs.length)) > 0)
    .toBe(true);
  const refused = await takeSeen();
  expect(refused.dialogs).toHaveLength(1);
  const [asked] = refused.dialogs;
  expect(asked?.detail).toBe(address);
  expect(asked?.defaultId).toBe(1);
  expect(asked?.cancelId).toBe(1);
  expect(refused.opened).toEqual([]);

  await answerWith(0);
  await page.evaluate((url) => void window.open(url), address);
  await expect.poll(async () => (await takeSeen()).opened).toEqual([address]);
  await answerWith(null);

  for (const url of [
    "file:///etc/hosts",
    "javascript:1",
    "mailto:x@example.com",
    "https://bank.example@evil.example/",
    "app://imprimatur/",
  ])
    expect(await page.evaluate((given) => window.open(given) === null, url)).toBe(true);
  await page.waitForTimeout(SETTLE_MS);
  expect((await takeSeen()).dialogs).toEqual([]);
});

test("permissions are denied, but a hash may be copied", async () => {
  const found = await page.evaluate(async () => {
    const refusal = (promise: Promise<unknown>) =>
      promise.then(
        () => "granted",
        (error: { name?: string; code?: number }) => error.name ?? `code ${error.code}`,
      );
    const located = new Promise<unknown>((resolve, reject) =>
      navigator.geolocation.getCurrentPosition(resolve, reject),
    );
    return {
      notification: await Notification.requestPermission(),
      located: await located.then(
        () => "granted",
        (error: GeolocationPositionError) => `code ${error.code}`,
      ),
      camera: await refusal(navigator.mediaDevices.getUserMedia({ video: true })),
      pasted: await refusal(navigator.clipboard.readText()),
      geolocationState: (await navigator.permissions.query({ name: "geolocation" })).state,
    };
  });
  expect(found.notification).toBe("denied");
  expect(found.located).toBe("code 1");
  expect(found.camera).not.toBe("granted");
  expect(found.pasted).toBe("NotAllowedError");
  expect(found.geolocationState).toBe("denied");
  await page.bringToFront();
  await page.evaluate(() => navigator.clipboard.writeText("0123abcd"));
  expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toBe("0123abcd");
});

test("a question of the wrong form is refused by the field's name, without a stack", async () => {
  const answer = await ask("edition.start", { edition: "next week" });
  expect(answer.ok).toBe(false);
  expect(answer.text).toContain("bad_input: edition");
  expect(answer.text).not.toMatch(/next week|\/main\/|index\.cjs|node_modules/);
  expect((await ask("edition.start", null)).text).toContain("bad_input: input");
  expect((await ask("app.setPreferences", { language: "xx", theme: 1 })).text).toContain("bad_input: language, theme");
  expect((await ask("no.such.channel", {})).ok).toBe(false);
  expect((await ask("app.bootstrap", {})).ok).toBe(true);
});

test("only the top frame of our own window is answered", async () => {
  const answers = await app.evaluate(async ({ app: inside, BrowserWindow, ipcMain }) => {
    const [ours] = BrowserWindow.getAllWindows();
    const preload = `${inside.getAppPath()}/preload/index.cjs`;
    const answers: Record<string, string> = {};
    const asked = `typeof api === "undefined" ? "no bridge"
      : api.invoke("app.bootstrap", {}).then(() => "answered", (error) => error.message)`;
    // Our own page in a window that is not ours; a strange page in a window with our preload.
    for (const url of ["app://imprimatur/index.html", "data:text/html,<p>strange"]) {
      const window = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } });
      await window.loadURL(url);
      answers[url] = await window.webContents.executeJavaScript(asked);
      window.destroy();
    }
    // A frame inside our own page never gets the bridge; if one did, this is the question that would arrive.
    type Handler = (event: object, input: object) => unknown;
    const { _invokeHandlers: handlers } = ipcMain as unknown as { _invokeHandlers: Map<string, Handler> };
    const contents = ours?.webContents;
    const senderFrame = { url: contents?.getURL(), parent: contents?.mainFrame };
    try {
      await handlers.get("app.bootstrap")?.({ sender: contents, senderFrame }, {});
      answers.frame = "answered";
    } catch (error) {
      answers.frame = String(error);
    }
    return answers;
  });
  for (const [where, answer] of Object.entries(answers)) expect(answer, where).toContain("foreign_sender");
});

test("a second start on the same data ends by itself and shows the first window", async () => {
  const isFocused = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  expect(await isFocused()).toBe(false);
  expect(await startAgain(app)).toBe(0);
  await expect.poll(isFocused).toBe(true);
});

test("the menu presses the page's own keys, in the language chosen", async () => {
  await page.evaluate(() => {
    const keys: string[] = [];
    const onKey = (event: KeyboardEvent) => {
      event.stopImmediatePropagation();
      event.preventDefault();
      keys.push(`${event.ctrlKey || event.metaKey ? "Ctrl " : ""}${event.key}`);
    };
    window.addEventListener("keydown", onKey, true);
    Object.assign(window, { keys, stopKeys: () => window.removeEventListener("keydown", onKey, true) });
  });
  const chooseAll = (menu: string) =>
    app.evaluate(({ BrowserWindow, Menu }, label) => {
      const found = Menu.getApplicationMenu()?.items.find((item) => item.label === label);
      for (const entry of found?.submenu?.items ?? [])
        entry.click(undefined, BrowserWindow.getAllWindows()[0], undefined);
      return found !== undefined;
    }, menu);
  expect(await chooseAll("Go")).toBe(true);
  expect(await chooseAll("Help")).toBe(true);
  const keys = () => page.evaluate(() => (window as unknown as { keys: string[] }).keys);
  const places = ["Ctrl 1", "Ctrl 2", "Ctrl 3", "Ctrl 4", "Ctrl 5", "Ctrl 6", "Ctrl ,"];
  await expect.poll(keys).toEqual(["Ctrl k", ...places, "/", "j", "k", "Enter", "Escape", "r", "?"]);
  await page.evaluate(() => (window as unknown as { stopKeys(): void }).stopKeys());

  const labels = () => app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map((item) => item.label));
  expect((await ask("app.setPreferences", { language: "zh-CN" })).ok).toBe(true);
  expect(await labels()).toContain("前往");
  expect((await ask("app.setPreferences", { language: "en" })).ok).toBe(true);
  expect(await labels()).toContain("Go");
});

test("a preview cannot run a script, load anything, or leave its frame", async () => {
  // From here on the scheme answers with nothing else: this must stay the last test that uses the page.
  // Hostile bytes, sent with the very headers that the program gives to previews.
  await app.evaluate(async ({ net, protocol }, url) => {
    const { headers } = await net.fetch(url);
    const csp = headers.get("content-security-policy") ?? "";
    protocol.unhandle("app");
    protocol.handle("app", () => {
      const html = `<!doctype html><p>preview</p>
          <script>parent.postMessage("script ran", "*")</script><img src="x" onerror="parent.postMessage('handler ran', '*')">
          <img src="https://example.com/pixel.png"><img src="app://imprimatur/index.html">
          <link rel="stylesheet" href="https://example.com/style.css"><iframe src="app://imprimatur/index.html"></iframe>
          <meta http-equiv="refresh" content="0;url=https://example.com/refreshed">
          <style>a, button { position: fixed; left: 0; width: 200px; height: 50px }</style>
          <a style="top: 0" href="https://example.com/followed">follow</a>
          <a style="top: 50px" href="https://example.com/top" target="_top">top</a>
          <form action="https://example.com/form"><button style="top: 100px">send</button></form>`;
      return new Response(html, { headers: { "Content-Type": "text/html", "Content-Security-Policy": csp } });
    });
  }, HOSTILE_URL);
  const answered: string[] = [];
  page.on("response", (response) => void answered.push(response.url()));
  await page.evaluate(() => {
    const said: unknown[] = [];
    Object.assign(window, { said });
    window.addEventListener("message", (event) => said.push(event.data));
  });
  // By place: what is clicked stands at a fixed one, and a frame that tries to navigate cannot be asked for elements.
  for (const [name, top] of [
    ["nothing", 200],
    ["follow", 25],
    ["top", 75],
    ["send", 125],
  ] as const) {
    // Without the sandbox attribute that our page puts on it: the header alone must be enough.
    await page.evaluate(async (url) => {
      const element = document.createElement("iframe");
      element.id = "hostile";
      element.src = url;
      element.style.cssText =
        "position: fixed; inset: 0; width: 400px; height: 300px; z-index: 9999; background: white";
      const loaded = new Promise((resolve) => element.addEventListener("load", resolve));
      document.body.append(element);
      await loaded;
    }, HOSTILE_URL);
    await page.mouse.click(100, top);
    await page.waitForTimeout(SETTLE_MS);
    expect(page.url(), name).toMatch(PAGE_URL);
    await page.evaluate(() => document.querySelector("#hostile")?.remove());
  }
  expect(await page.evaluate(() => (window as unknown as { said: unknown[] }).said)).toEqual([]);
  expect([...new Set(answered)]).toEqual([HOSTILE_URL]);
  expect(await takeSeen()).toEqual({ dialogs: [], opened: [] });
});

test("closing the window with nothing under way ends the program, and its place is remembered", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "imprimatur-close-"));
  const placed = { x: 40, y: 30, width: 1100, height: 750 };
  const start = async () => {
    const other = await launch(folder);
    await (await other.firstWindow()).waitForLoadState("load");
    return other;
  };
  const boundsOf = (other: ElectronApplication) =>
    other.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());
  const ended = (other: ElectronApplication) => new Promise((resolve) => other.process().once("exit", resolve));
  try {
    const first = await start();
    const isOver = ended(first);
    await expect
      .poll(() => first.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible()))
      .toBe(true);
    await first.evaluate(({ BrowserWindow }, bounds) => BrowserWindow.getAllWindows()[0]?.setBounds(bounds), placed);
    // The window system moves it when it likes.
    await expect.poll(() => boundsOf(first)).toEqual(placed);
    await first.evaluate(({ BrowserWindow }) => void setTimeout(() => BrowserWindow.getAllWindows()[0]?.close(), 0));
    expect(await isOver).toBe(0);
    const second = await start();
    await expect.poll(() => boundsOf(second)).toEqual(placed);
    await close(second);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});
