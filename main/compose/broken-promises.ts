import { existsSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { BrokenPromise } from "../engine/daily-reconciliation";

/**
 * Checks a workspace's journal against itself in a worker.
 * @returns what it does not keep; null where the worker is not beside the program (tests from source) or broke down
 */
export function findBrokenPromises(
  dir: string,
  file = join(__dirname, "broken-promises.worker.cjs"),
): Promise<readonly BrokenPromise[] | null> {
  if (!existsSync(file)) return Promise.resolve(null);
  return new Promise((resolve) => {
    const worker = new Worker(file, { workerData: { dir } });
    worker.once("message", (found: readonly BrokenPromise[]) => resolve(found));
    // "Not checked" is said as such; the background check of every start tells what is wrong with the file.
    worker.once("error", () => resolve(null));
    worker.once("exit", () => resolve(null));
  });
}
