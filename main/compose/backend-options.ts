import type { Input, Output } from "../../preload/contract";
import type { SshAgent } from "../adapters/ssh-agent";
import type { AppNotifier } from "./alert-desk";
import type { ChooseTable } from "./audience-desk";
import type { KeptChecks } from "./background-check";
import type { BackupDeskOptions } from "./backup-desk";
import type { StartChild } from "./child-program";
import type { DrillRunnerOptions } from "./drill-runner";
import type { EvidenceDeskOptions } from "./evidence-desk";

/** What the shell lends; the same shape as `BackendOptions` in main/shell, which this file may not know. */
export interface BackendOptions {
  userDataDir: string;
  version: string;
  runtime: string;
  preferences: {
    read(): Output<"app.setPreferences">;
    change(change: Input<"app.setPreferences">): Output<"app.setPreferences">;
  };
  showFolder(folder: string): void;
  /** Where the samples lie, when not beside the built program. */
  samplesDir?: string;
  startChild: StartChild;
  drillResults: DrillRunnerOptions["results"];
  evidenceKey: EvidenceDeskOptions["key"];
  /** Absent: this computer's own. */
  sshAgent?: SshAgent;
  timestampServer: EvidenceDeskOptions["timestampServer"];
  evidenceBundles: EvidenceDeskOptions["bundles"];
  evidenceFiles: EvidenceDeskOptions["files"];
  /** Absent: no list can be chosen. */
  audienceFiles?: { chooseTable: ChooseTable };
  chainChecks: KeptChecks;
  /** Absent: no folder can be chosen, so none is made. */
  backups?: Pick<BackupDeskOptions, "store" | "chooseFolder">;
  /** Absent: nobody is told outside of the window. */
  notifier?: AppNotifier;
}
