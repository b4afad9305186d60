// Shared libraries that the Electron binary wants and a bare Linux lacks. The binary itself is asked (ldd): a list of
// packages written down here would be wrong on the next release of either.
import { existsSync, readdirSync } from "node:fs";
import { installPackages, isDebian, isRoot } from "./debian.mjs";
import { readNote, writeNote } from "./places.mjs";
import { findProgram, run } from "./run.mjs";
import { SetupError, say } from "./say.mjs";

const NOTE = "libraries.json";
/** The Debian package of each library that Chromium links; apt brings along what those need themselves. */
const PACKAGE_OF = [
  [/^libgtk-3\.|^libgdk-3\./, "libgtk-3-0"],
  [/^lib(nss3|nssutil3|smime3|ssl3)\./, "libnss3"],
  [/^lib(nspr4|plc4|plds4)\./, "libnspr4"],
  [/^libasound\./, "libasound2"],
  [/^libgbm\./, "libgbm1"],
  [/^libatk-1\.0\./, "libatk1.0-0"],
  [/^libatk-bridge-2\.0\./, "libatk-bridge2.0-0"],
  [/^libatspi\./, "libatspi2.0-0"],
  [/^libcups\./, "libcups2"],
  [/^libdrm\./, "libdrm2"],
  [/^libdbus-1\./, "libdbus-1-3"],
  [/^libexpat\./, "libexpat1"],
  [/^libpango-1\.0\./, "libpango-1.0-0"],
  [/^libcairo\./, "libcairo2"],
  [/^lib(glib|gobject|gio|gmodule)-2\.0\./, "libglib2.0-0"],
  [/^libxkbcommon\./, "libxkbcommon0"],
  [/^libX11\./, "libx11-6"],
  [/^libxcb\./, "libxcb1"],
  [/^libXcomposite\./, "libxcomposite1"],
  [/^libXdamage\./, "libxdamage1"],
  [/^libXext\./, "libxext6"],
  [/^libXfixes\./, "libxfixes3"],
  [/^libXrandr\./, "libxrandr2"],
];

function packageOf(library) {
  const entry = PACKAGE_OF.find(([pattern]) => pattern.test(library));
  if (entry) return entry[1];
  throw new SetupError(`Electron needs the system library ${library}: please install it, then run this again.`);
}

async function askLoader(executable) {
  const lines = (await run("ldd", [executable])).split("\n");
  return {
    missing: [...new Set(lines.flatMap((line) => /^\s*(\S+) => not found/.exec(line)?.[1] ?? []))],
    found: [...new Set(lines.flatMap((line) => /=> (\/\S+)/.exec(line)?.[1] ?? []))],
  };
}

export function librariesAreInPlace(electron) {
  if (process.platform !== "linux") return true;
  const note = readNote(NOTE);
  return note?.executable === electron.executable && note.found.every((file) => existsSync(file));
}

/** Chromium opens libnotify only when a notification is shown; without it that silently fails. */
function notifyIsMissing() {
  return ![
    "/usr/lib",
    "/usr/lib64",
    "/lib",
    `/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu`,
  ].some((folder) => existsSync(folder) && readdirSync(folder).some((name) => name.startsWith("libnotify.so.4")));
}

export async function provideLibraries(electron) {
  if (librariesAreInPlace(electron) || !findProgram("ldd")) return;
  let { missing, found } = await askLoader(electron.executable);
  const optional = isDebian() && isRoot() && notifyIsMissing() ? ["libnotify4"] : [];
  if (missing.length > 0 || optional.length > 0) {
    if (missing.length > 0) say(`Electron lacks ${missing.length} system libraries: ${missing.join(", ")}`);
    await installPackages([...new Set(missing.map(packageOf)), ...optional], "the desktop window");
    ({ missing, found } = await askLoader(electron.executable));
    if (missing.length > 0) throw new SetupError(`Electron still lacks ${missing.join(", ")}.`);
  }
  writeNote(NOTE, { executable: electron.executable, found });
}

/** What strangers check an evidence bundle with, and so do the tests (test/evidence): the Debian package of each program. */
const STOCK_TOOLS = {
  unzip: "unzip",
  zip: "zip",
  "ssh-keygen": "openssh-client",
  openssl: "openssl",
  python3: "python3",
};

/** For tests: a virtual display, and glyphs for the Chinese screens (without them a screenshot shows boxes). */
export function testToolsMissing() {
  if (process.platform !== "linux") return [];
  const hasDisplay = process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  const missing = [];
  if (!hasDisplay && !findProgram("xvfb-run")) missing.push("xvfb", "xauth");
  const noto = "/usr/share/fonts/opentype/noto";
  const hasGlyphs = existsSync(noto) && readdirSync(noto).some((name) => name.includes("CJK"));
  if (!hasGlyphs && isDebian() && isRoot()) missing.push("fonts-noto-cjk");
  for (const [program, name] of Object.entries(STOCK_TOOLS)) if (!findProgram(program)) missing.push(name);
  return missing;
}

export const provideTestTools = () => installPackages(testToolsMissing(), "the tests");
