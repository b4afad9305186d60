// Gives this terminal to another program: its input and output are ours, its end is ours.
import { spawn } from "node:child_process";
import { constants } from "node:os";

/** Resolves to an exit code; a program ended by a signal gets the shell's 128 + number. */
export function handOver(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: "inherit", ...options });
    // Ctrl+C reaches the child by the terminal; we stay until it has ended in its own way. A signal sent to us alone
    // is passed on.
    const stay = () => {};
    const passOn = (signal) => child.kill(signal);
    process.on("SIGINT", stay).on("SIGTERM", passOn).on("SIGHUP", passOn);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      process.off("SIGINT", stay).off("SIGTERM", passOn).off("SIGHUP", passOn);
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}
