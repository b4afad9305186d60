import { parentPort, workerData } from "node:worker_threads";
import { fsck } from "../../db/fsck";

/** The whole check of a workspace, off the main thread: chain, replay, invariants, frozen bytes. */
const { dir } = workerData as { dir: string };
const report = fsck(dir);
const integrity = report.checks.find((check) => check.name === "integrity");
const chain = report.checks.find((check) => check.name === "chain");
parentPort?.postMessage({
  damage: integrity?.ok === false ? integrity.detail : null,
  chainOk: chain?.ok ?? false,
  violations: report.violations.length,
});
