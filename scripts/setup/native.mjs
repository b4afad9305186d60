// The SQLite binding. better-sqlite3 13 ships binaries for Node-API 10 (Node 22 and newer, current Electron). On an
// older Node, or for the fallback Electron, those crash; there one compat binary is compiled from the package's own
// sources with a small header (napi8.h), kept in the cache folder and copied to where better-sqlite3 looks first.
// The compat binary runs on newer runtimes too, so leaving it in place is harmless.
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages } from "./debian.mjs";
import { cacheFolder, modules, readIfThere, root, writeWhole } from "./places.mjs";
import { findProgram, run } from "./run.mjs";
import { SetupError, say, step } from "./say.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const shim = path.join(here, "napi8.h");
const addon = path.join(modules, "better-sqlite3");
const target = path.join(addon, "build/Release/better_sqlite3.node");
const stamp = path.join(addon, "build/Release/compat-key");
// -O1 compiles in half the time of -O2 and the result is about a fifth slower; a person waits for the first.
const OPTIMISE = "-O1";
/** The first Node-API version that the shipped binaries run on. */
const SHIPPED_NODE_API = 10;

export const thisNodeIsOld = () => Number(process.versions.napi) < SHIPPED_NODE_API;

function compatKey() {
  const hash = createHash("sha256");
  for (const file of [path.join(addon, "package.json"), path.join(addon, "deps/defines.gypi"), shim])
    hash.update(readFileSync(file));
  return hash.update(`1 ${process.platform}-${process.arch} ${OPTIMISE}`).digest("hex").slice(0, 16);
}

export const compatIsInPlace = () => existsSync(target) && readIfThere(stamp) === compatKey();

async function requireCompiler() {
  if (process.platform === "win32")
    throw new SetupError("this Node is too old for the SQLite binding: please use Node 22 or newer.");
  if (findProgram("cc") && findProgram("c++")) return;
  if (process.platform === "darwin")
    throw new SetupError("no C++ compiler: run `xcode-select --install`, or use Node 22 or newer, which needs none.");
  await installPackages(["g++"], "compiling the SQLite binding (Node 22 and newer need no compiler)");
}

async function compile(file) {
  const folder = mkdtempSync(path.join(tmpdir(), "imprimatur-sqlite-"));
  try {
    const require = createRequire(path.join(root, "package.json"));
    const gyp = readFileSync(path.join(addon, "deps/defines.gypi"), "utf8");
    const defines = [...gyp.matchAll(/'([A-Z0-9_]+(?:=[^']*)?)'/g)].map((match) => `-D${match[1]}`);
    const includes = [
      path.join(addon, "deps/sqlite3"),
      require("node-api-headers").include_dir,
      require("node-addon-api").include_dir,
    ].flatMap((include) => ["-I", include]);
    const common = ["-fPIC", "-DNDEBUG", "-w", OPTIMISE, ...includes];
    const objects = ["sqlite3.o", "better_sqlite3.o"].map((name) => path.join(folder, name));
    const sqlite = ["-std=c99", ...common, ...defines, "-c", path.join(addon, "deps/sqlite3/sqlite3.c")];
    const binding = [
      "-std=c++20",
      ...common,
      "-DNAPI_VERSION=8",
      "-DNAPI_DISABLE_CPP_EXCEPTIONS",
      "-DNODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS",
      "-DNODE_GYP_MODULE_NAME=better_sqlite3",
      "-DBUILDING_NODE_EXTENSION",
      "-fvisibility=hidden",
      "-fvisibility-inlines-hidden",
      ...["-include", shim, "-c", path.join(addon, "src/better_sqlite3.cpp")],
    ];
    await Promise.all([run("cc", [...sqlite, "-o", objects[0]]), run("c++", [...binding, "-o", objects[1]])]);
    const link =
      process.platform === "darwin"
        ? ["-bundle", "-undefined", "dynamic_lookup"]
        : ["-shared", "-Wl,-Bsymbolic", "-Wl,--exclude-libs,ALL", "-ldl"];
    const built = path.join(folder, "out.node");
    await run("c++", [...objects, ...link, "-o", built]);
    mkdirSync(path.dirname(file), { recursive: true });
    // Copied beside and renamed: a second clone that looks at the same moment sees all of it or nothing.
    copyFileSync(built, `${file}.${process.pid}`);
    renameSync(`${file}.${process.pid}`, file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `why` says which runtime is too old; it is told to the person before they wait for a compiler. */
export async function provideCompat(why) {
  if (compatIsInPlace()) return;
  const key = compatKey();
  const cached = path.join(cacheFolder, `better-sqlite3-${key}.node`);
  if (!existsSync(cached)) {
    await requireCompiler();
    await step(`compiling the SQLite binding, once per machine (${why})`, () => compile(cached));
  }
  mkdirSync(path.dirname(target), { recursive: true });
  // Renamed into place: overwriting a binary that a running process has mapped would crash that process.
  copyFileSync(cached, `${target}.${process.pid}`);
  renameSync(`${target}.${process.pid}`, target);
  writeWhole(stamp, key);
  if (thisNodeIsOld()) {
    const probe = "new (require('better-sqlite3'))(':memory:').prepare('select sqlite_version()').get()";
    await run(process.execPath, ["-e", probe], { cwd: root });
  }
  say(`the SQLite binding for this runtime is in place (${why})`);
}
