// Starting other programs. Their output is kept and shown only when they fail: a person who set up a desktop app
// does not want to read four hundred lines of a package manager.
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import path from "node:path";
import { SetupError } from "./say.mjs";

const TAIL_LINES = 40;
// npm is a .cmd file on Windows, which Node starts only through a shell.
const needsShell = (command) => process.platform === "win32" && command === "npm";

/** Runs to the end and returns the output; throws a SetupError with the last lines when the program fails. */
export function run(command, args, { cwd, env, timeoutMs } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: env ?? process.env,
      stdio: ["ignore", "pipe", "pipe"],
      shell: needsShell(command),
      timeout: timeoutMs,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    const told = `${path.basename(command)} ${args.join(" ")}`.slice(0, 200);
    child.on("error", (error) => reject(new SetupError(`cannot start ${told}: ${error.message}`)));
    child.on("close", (code, signal) => {
      if (code === 0) return resolve(output);
      const how = signal
        ? `was stopped (${signal}${timeoutMs ? `, limit ${timeoutMs / 1000} s` : ""})`
        : `ended with ${code}`;
      reject(new SetupError(`${told} ${how}\n${output.trimEnd().split("\n").slice(-TAIL_LINES).join("\n")}`));
    });
  });
}

/** The full path of a program, or undefined. */
export function findProgram(name) {
  for (const folder of (process.env.PATH ?? "").split(path.delimiter)) {
    const file = path.join(folder || ".", name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch (error) {
      if (!["ENOENT", "EACCES", "ENOTDIR"].includes(error.code)) throw error;
    }
  }
  return undefined;
}

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
