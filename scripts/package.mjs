// Builds what can be built on this machine:   npm run package -- [dir | tar.gz | AppImage | deb | dmg | zip | nsis …]
// With the official Electron: the targets of electron-builder.yml. With the fallback: a folder and a tar.gz, named as
// what they are, for development and tests only.
// IMPRIMATUR_TEST_PACKAGE=1 keeps the inspect fuse, so that Playwright can attach, and builds into dist/test.
import { chmodSync, existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { handOver } from "./setup/hand-over.mjs";
import { root } from "./setup/places.mjs";
import { say } from "./setup/say.mjs";
import { orExit, setUp } from "./setup.mjs";

const isTest = process.env.IMPRIMATUR_TEST_PACKAGE === "1";
const output = path.join("dist", isTest ? "test" : "");
const { electron } = await orExit(() => setUp());
const isRelease = electron.kind === "official" && !isTest;
const targets = process.argv.slice(2);
const set = (key, value) => `-c.${key}=${value}`;
const config = [
  set("directories.output", output),
  set("electronDist", electron.dist),
  set("electronVersion", electron.version),
];
const env = { ...process.env };

if (isTest) config.push(set("electronFuses.enableNodeCliInspectArguments", "true"));
if (electron.kind !== "official") {
  say(`packaging with the ${electron.kind} Electron ${electron.version}: not a release`);
  config.push(
    set(
      "artifactName",
      `\${productName}-\${version}-not-a-release-electron-${electron.version}-\${os}-\${arch}.\${ext}`,
    ),
  );
  // electron-builder would fetch 7-Zip from a host that is out of reach here; npm has the same program.
  const { path7za } = createRequire(path.join(root, "package.json"))("7zip-bin");
  chmodSync(path7za, 0o755);
  env.ELECTRON_BUILDER_7ZIP_PATH = path7za;
  // Level 1 packs in seconds what the default packs in four minutes, a tenth larger.
  env.ELECTRON_BUILDER_COMPRESSION_LEVEL ??= "1";
  if (targets.length === 0) targets.push("dir", "tar.gz");
}
if (electron.kind === "fallback") {
  // The shipped binary crashes this old Electron; here the compat binary that set-up compiled goes along.
  const compat = "node_modules/better-sqlite3/build/Release";
  config.push(set("linux.files.from", compat), set("linux.files.to", compat), set("linux.files.filter", "*.node"));
  config.push(set("afterPack", path.join(root, "scripts/setup/fallback-package.cjs")));
}
const platform = { linux: "--linux", darwin: "--mac", win32: "--win" }[process.platform];
const cli = path.join(root, "node_modules/electron-builder/cli.js");
const run = () =>
  handOver(process.execPath, [cli, platform, ...targets, "--publish", "never", ...config], { cwd: root, env });
process.exitCode = await run();
if (process.exitCode === 0) {
  const folder = path.join(root, output);
  const files = existsSync(folder)
    ? readdirSync(folder).filter((name) => !name.startsWith("builder-") && name !== "test")
    : [];
  say(`${isRelease ? "" : "not a release: "}${files.map((name) => path.join(output, name)).join(", ")}`);
}
