import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { getCurrentFuseWire } from "@electron/fuses";
import { close, expect, launch, test } from "./app";
import * as desk from "./desk";

/** What `npm test -- package` has built just before: the release form, and the one that Playwright may attach to. */
const root = path.resolve(import.meta.dirname, "../..");
const program = { darwin: "mac/Imprimatur.app/Contents/MacOS/Imprimatur", win32: "win-unpacked/imprimatur.exe" }[
  process.platform as string
];
const release = path.join(root, "dist", program ?? "linux-unpacked/imprimatur");
const attachable = path.join(root, "dist/test", program ?? "linux-unpacked/imprimatur");
const resources =
  process.platform === "darwin"
    ? path.join(path.dirname(release), "../Resources")
    : path.join(path.dirname(release), "resources");

// Read from the binary itself. The order is that of Electron's fuse wire; older Electrons have a shorter one.
const FUSES: [name: string, isOn: boolean][] = [
  ["runAsNode", false],
  ["enableCookieEncryption", true],
  ["enableNodeOptionsEnvironmentVariable", false],
  ["enableNodeCliInspectArguments", false],
  ["enableEmbeddedAsarIntegrityValidation", true],
  ["onlyLoadAppFromAsar", true],
  ["loadBrowserProcessSpecificV8Snapshot", false],
  ["grantFileProtocolExtraPrivileges", false],
];
const ON = "1".charCodeAt(0);

test("every fuse of the released binary is as decided", async () => {
  const wire = await getCurrentFuseWire(release);
  const found = FUSES.map(([name], index) => [name, (wire as unknown as Record<number, number>)[index]] as const)
    .filter(([, state]) => state !== undefined)
    .map(([name, state]) => [name, state === ON]);
  expect(found).toEqual(FUSES.slice(0, found.length));
  expect(found.length).toBeGreaterThanOrEqual(7);
});

test("nothing in the archive can switch a guard or a constraint off", () => {
  const asar = createRequire(import.meta.url)("@electron/asar") as {
    listPackage(file: string, o: object): string[];
    extractFile(file: string, name: string): Buffer;
  };
  const archive = path.join(resources, "app.asar");
  const programs = asar
    .listPackage(archive, { isPack: false })
    .map((name) => name.replaceAll("\\", "/").slice(1))
    .filter((name) => /^out\/main\/.*\.c?js$/.test(name));
  expect(programs).toContain("out/main/index.cjs");
  // The marks by which `test/simulation/weakening.test.ts` knows the switches in the program that has them.
  const marked = programs.filter((name) =>
    /weakenedRules|ap-invented|dropConstraints/.test(asar.extractFile(archive, name).toString("utf8")),
  );
  expect(marked).toEqual([]);
});

test("the archive holds the app and nothing that is not needed to run it", () => {
  const asar = createRequire(import.meta.url)("@electron/asar") as { listPackage(file: string, o: object): string[] };
  const names = asar
    .listPackage(path.join(resources, "app.asar"), { isPack: false })
    .map((name) => name.replaceAll("\\", "/"));
  expect(names).toEqual(
    expect.arrayContaining([
      "/package.json",
      "/out/main/index.cjs",
      "/out/preload/index.cjs",
      "/out/renderer/index.html",
      "/out/main/templates/next-workflow/README.md",
    ]),
  );
  expect(
    names.filter((name) => /\.(ts|tsx|map|c|cpp|gyp|gypi|h)$|^\/(out\/test|test|scripts|dist)\//.test(name)),
  ).toEqual([]);
  const modules = names.flatMap((name) => /^\/node_modules\/([^/]+)$/.exec(name)?.[1] ?? []);
  expect(modules).toEqual(["better-sqlite3"]);
  expect(existsSync(path.join(resources, "app"))).toBe(false);
});

test("the released program starts and opens its workspace, with --inspect refused and without a port for it", async ({
  dataDir,
}) => {
  // The release cannot be attached to, and nobody is there to press its first button: the other form makes the workspace.
  const app = await launch(dataDir, { executable: attachable });
  await desk.openSandbox(await app.firstWindow());
  await close(app);
  const address = path.join(dataDir, "sandbox/remote/address.json");
  const { url } = JSON.parse(readFileSync(address, "utf8")) as { url: string };
  await expect(fetch(url)).rejects.toThrow();

  const flags = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const child: ChildProcess = spawn(release, [...flags, "--disable-gpu", "--inspect=0", `--user-data-dir=${dataDir}`], {
    env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: "disabled:" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  child.stdout?.on("data", (text) => {
    printed += text;
  });
  child.stderr?.on("data", (text) => {
    printed += text;
  });
  try {
    // The sandbox's remotes live in the program: when they answer, journal and workspace are open.
    const answers = () =>
      fetch(`${url}/control/records`).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(answers, { timeout: 20_000, message: "the sandbox of the released program" }).toBe(200);
    expect(child.exitCode).toBeNull();
    expect(printed).not.toContain("Debugger listening");
  } finally {
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("close", resolve));
  }
});

test("a drill is played in a program of its own from inside the archive", async ({ dataDir }) => {
  const app = await launch(dataDir, { executable: attachable });
  const page = await app.firstWindow();
  await desk.openSandbox(page);
  await desk.goTo(page, "Drills");
  await page.getByRole("button", { name: "Run this drill" }).click();
  const story = page.getByRole("region", { name: /^S01 · / });
  await expect(story).toContainText("All invariants held", { timeout: 40_000 });
  await close(app);
});

test("the packaged app shows its window from inside the archive", async ({ dataDir }) => {
  const app = await launch(dataDir, { executable: attachable });
  const page = await app.firstWindow();
  await expect(page.locator("#root")).not.toBeEmpty();
  const facts = await app.evaluate(({ app: inside }) => ({ packaged: inside.isPackaged, at: inside.getAppPath() }));
  expect(facts.packaged).toBe(true);
  expect(facts.at).toMatch(/app\.asar$/);
  expect(page.url()).toMatch(/^app:\/\//);
  await close(app);
});
