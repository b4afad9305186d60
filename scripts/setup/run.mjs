// Starting other programs. Their output is kept and shown only when they fail: a person who set up a desktop app
// does not want to read four hundred lines of a package manager.
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import path from "node:path";
import { SetupError } from "./say.mjs";

const TAIL_LINES = 40;
// npm is a .cmd file on Windows, which Node starts only through a shell.
const needsShell = (command) => process.platform === "win32" && command === "npm";

const running = new Set();
/** How long a program that was told to stop may tidy up: npm takes back what it has half installed. */
const STOP_MS = 10_000;

/** Stops what this process has started and waits for its end, so that nothing goes on writing without our lock. */
export async function stopRunning() {
  const ends = [...running].map((child) => new Promise((resolve) => child.once("close", resolve)));
  for (const child of running) child.kill();
  const kill = setTimeout(() => {
    for (const child of running) child.kill("SIGKILL");
  }, STOP_MS);
  await Promise.all(ends);
  clearTimeout(kill);
}

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
    running.add(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    const told = `${path.basename(command)} ${args.join(" ")}`.slice(0, 200);
    child.on("error", (error) => {
      running.delete(child);
      reject(new SetupError(`cannot start ${told}: ${error.message}`));
    });
    child.on("close", (code, signal) => {
      running.delete(child);
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
