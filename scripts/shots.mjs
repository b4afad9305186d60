// npm run shots: pictures of every screen in both languages and both themes into out/shots, for a person to look at. They are
// taken by the walks of test/e2e/appearance.spec.ts, drills.spec.ts and audit.spec.ts, so that what is shown is what the real app shows.
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { out, root } from "./setup/places.mjs";

const folder = path.join(out, "shots");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const test = path.join(root, "scripts/test.mjs");
const child = spawn(
  process.execPath,
  [test, "e2e", "appearance.spec.ts", "drills.spec.ts", "audit.spec.ts", ...process.argv.slice(2)],
  {
    cwd: root,
    env: { ...process.env, IMPRIMATUR_SHOTS: folder },
    stdio: "inherit",
  },
);
child.on("close", (code) => {
  process.stdout.write(`${readdirSync(folder).length} pictures in ${path.relative(root, folder)}\n`);
  process.exitCode = code ?? 1;
});
