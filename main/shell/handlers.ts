import type { z } from "zod";
import type { Channel, Input, Output, Preferences, PushEvent, Pushed } from "../../preload/contract";
import type { AppNotifier } from "../compose/alert-desk";
import type { ChooseTable } from "../compose/audience-desk";
import type { KeptChecks } from "../compose/background-check";
import type { BackupDeskOptions } from "../compose/backup-desk";
import type { StartChild } from "../compose/child-program";
import type { EvidenceDeskOptions } from "../compose/evidence-desk";
import type { DrillResultsFile } from "./drill-results";

/** What answers each channel. Input is already parsed; what is returned is parsed again before it leaves the process. */
export type Handlers = { [C in Channel]: (input: Input<C>) => Promise<Output<C>> | Output<C> };

export type Preference = z.infer<typeof Preferences>;

/** Everything below the shell, as the shell sees it: it never learns what a task or an approval is. */
export interface Backend {
  handlers: Handlers;
  /** Frozen bytes for a preview frame, or null when there are none under that hash. Hostile content. */
  previewBytes(hash: string): { bytes: Uint8Array; mediaType: string } | null;
  /** Returns the function that stops listening. */
  onPush(listener: <E extends PushEvent>(event: E, value: Pushed<E>) => void): () => void;
  /** Never called twice in a row; a lost event is made up for by comparing clocks. */
  onPowerSuspend(): void;
  onPowerResume(): void;
  /** A request has left, or is leaving, and its answer is not here yet. */
  hasCallInFlight(): boolean;
  /** Something would still happen by itself if the program kept running. */
  hasLiveRun(): boolean;
  /** Starts nothing new, waits for the calls in flight, writes what they came to, closes. */
  finishThenStop(): Promise<void>;
  /** Closes at once. What was in flight is unknown, and says so at the next start. Harmless when called again. */
  stopNow(): void;
}

/** What the shell lends to the backend: the things only a desktop program has. */
export interface BackendOptions {
  userDataDir: string;
  version: string;
  /** For the record: which runtime this is, e.g. `Electron 45.5.0, Chromium 156.0, Node 24.1`. */
  runtime: string;
  preferences: { read(): Preference; change(change: Partial<Preference>): Preference };
  /** Opens the folder in the system's file window. */
  showFolder(folder: string): void;
  startChild: StartChild;
  /** What the last drills came to, newest first. */
  drillResults: DrillResultsFile;
  evidenceKey: EvidenceDeskOptions["key"];
  timestampServer: EvidenceDeskOptions["timestampServer"];
  evidenceBundles: EvidenceDeskOptions["bundles"];
  evidenceFiles: EvidenceDeskOptions["files"];
  audienceFiles: { chooseTable: ChooseTable };
  chainChecks: KeptChecks;
  backups: Pick<BackupDeskOptions, "store" | "chooseFolder">;
  notifier: AppNotifier;
}

export type OpenBackend = (options: BackendOptions) => Promise<Backend>;
