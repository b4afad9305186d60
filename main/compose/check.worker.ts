import { parentPort, workerData } from "node:worker_threads";
import { fsck } from "../../db/fsck";
import type { CheckReport } from "./background-check";

/** As many as an incident is opened for; a journal with thousands of them would not get through the door. */
const NAMED = 20;

const tell = (report: CheckReport): void => parentPort?.postMessage(report);

/** The whole check of a workspace, off the main thread: chain, replay, invariants, frozen bytes. */
const { dir } = workerData as { dir: string };
const report = fsck(dir, { onProgress: ({ done, total }) => tell({ kind: "progress", done, of: total }) });
const integrity = report.checks.find((check) => check.name === "integrity");
const chain = report.checks.find((check) => check.name === "chain");
tell({
  kind: "found",
  damage: integrity?.ok === false ? integrity.detail : null,
  chainOk: chain?.ok ?? false,
  detail: chain?.detail ?? "",
  events: report.events,
  head: report.head.hash,
  violations: report.violations.length,
  named: report.violations.slice(0, NAMED).map(({ invariant, subject, detail }) => ({ invariant, subject, detail })),
});
