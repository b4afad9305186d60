// npm run -s demo -- ARGS, and the other headless commands: set-up without the window's parts, then plain Node.
// Only what the command itself prints goes to stdout.
import path from "node:path";
import { buildFolder } from "./setup/built.mjs";
import { handOver } from "./setup/hand-over.mjs";
import { orExit, setUp } from "./setup.mjs";

export async function runHeadless(args) {
  await orExit(() => setUp({ window: false }));
  return handOver(process.execPath, [path.join(buildFolder(), "main/cli.cjs"), ...args]);
}

if (process.argv[1] === import.meta.filename) process.exitCode = await runHeadless(process.argv.slice(2));
