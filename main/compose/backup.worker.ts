import { BackupOrder, type BackupReport } from "./backup-report";
import { backupWorkspace } from "./backup-workspace";

/** The child program that makes a backup (a utility process): one order, then reports until it is ended. */
const port = process.parentPort;
const tell = (report: BackupReport): void => port.postMessage(report);

port.once("message", ({ data }) => {
  void backupWorkspace(BackupOrder.parse(data), tell).then((result) => tell({ kind: "ended", result }));
});
