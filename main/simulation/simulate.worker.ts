import { parentPort, workerData } from "node:worker_threads";
import { runSeeds, type SeedRange } from "./run-seeds";

/** One shard of the worlds on a core of its own. */
runSeeds(workerData as SeedRange).then(
  (totals) => parentPort?.postMessage(totals),
  (error: unknown) => {
    throw error;
  },
);
