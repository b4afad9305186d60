// npm start: set-up, then the window. Where there is no display, the headless demo instead. Arguments are the app's.
import { readFileSync } from "node:fs";
import path from "node:path";
import { runHeadless } from "./cli.mjs";
import { buildFolder, isTestBuild } from "./setup/built.mjs";
import { isRoot } from "./setup/debian.mjs";
import { handOver } from "./setup/hand-over.mjs";
import { readIfThere, root } from "./setup/places.mjs";
import { say } from "./setup/say.mjs";
import { orExit, setUp } from "./setup.mjs";

const args = process.argv.slice(2);

/** Some systems (Ubuntu since 24.04) forbid ordinary programs the kernel feature that Chromium's sandbox is made of. */
function sandboxIsForbidden() {
  const restricted = readIfThere("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")?.trim() === "1";
  const disabled = readIfThere("/proc/sys/kernel/unprivileged_userns_clone")?.trim() === "0";
  return restricted || disabled;
}

async function openWindow() {
  const { electron, didWork } = await orExit(() => setUp());
  if (!didWork) say("everything is in place, nothing to do");
  const flags = [];
  if (process.platform === "linux" && isRoot()) {
    // Chromium refuses to start as root with its sandbox.
    say("running as root, so Chromium's sandbox is off (--no-sandbox); run as an ordinary user to have it");
    flags.push("--no-sandbox");
  }
  const code = await handOver(electron.executable, [...flags, isTestBuild ? buildFolder() : root, ...args]);
  if (code !== 0 && flags.length === 0 && process.platform === "linux" && sandboxIsForbidden()) {
    const helper = path.join(path.dirname(electron.executable), "chrome-sandbox");
    say(
      `if Chromium complained about its sandbox: this system restricts it. Allow it once, then start again:\n  sudo chown root:root ${helper} && sudo chmod 4755 ${helper}`,
    );
  }
  return code;
}

const hasDisplay = process.platform !== "linux" || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
if (hasDisplay) {
  process.exitCode = await openWindow();
} else {
  const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  say(
    `Imprimatur ${version}: there is no display here (DISPLAY and WAYLAND_DISPLAY are empty), running the demo instead`,
  );
  process.exitCode = await runHeadless(["demo", ...args]);
}
