import type { Queries } from "../../../db/queries/open-queries";
import type { Output } from "../../../preload/contract";
import type { Actor, CommandContext, OperationIntent } from "../../domain/commands";
import type { PipelineDefinition } from "../../domain/definition";
import type { ExternalWrite } from "../../domain/metrics-coverage";
import type { AdapterManifest, Extraction, SourceConfig, SourceParser, TrustedTime } from "../../domain/ports";
import type { TaskView } from "../../domain/view";
import type { PipelineDesk } from "../desk";
import type { ApprovalSigner } from "../sign-approval";
import type { FrozenBytes } from "./frozen";

export type ClockInfo = Output<"sandbox.setClock">;

/** A public page held against the approved one, as the pipeline's own comparison says it. */
export interface ComparedPage {
  matches: boolean;
  titleEqual: boolean;
  missingLinks: readonly string[];
}

/** A workflow as the program runs it: its definition, every external write of it, and how those adapters answer. */
export interface RunWorkflow {
  definition: PipelineDefinition;
  writes: readonly ExternalWrite[];
  manifestOf(adapter: string): AdapterManifest;
}

/** What the screens' views need. Nothing of it can write. */
export interface ViewPorts {
  queries: Queries;
  blobs: FrozenBytes;
  clock(): ClockInfo;
  trusted: TrustedTime;
  /** The person at the desk: in whose name the domain is asked what would be refused. */
  actor: Actor;
  /** The pipeline's desk, as the commands have it, and what publishing would call. */
  pipeline: Pick<PipelineDesk, "contentApproval" | "draft" | "sendApproval" | "unblocking"> & {
    publishIntents(view: TaskView): readonly OperationIntent[];
  };
  /** The key that the person's approvals are signed with; absent where none is kept. */
  signer?: ApprovalSigner;
  /** The sources as configured now: for those of which nothing was frozen yet. */
  sources(): Promise<readonly SourceConfig[]>;
  /** Lays frozen bytes out as text again; a promise where a worker does it. */
  extract(input: Parameters<SourceParser["extract"]>[0]): Extraction | Promise<Extraction>;
  comparePage(input: {
    expectedHtml: string;
    publicBytes: Uint8Array;
    contentType: string;
    pageUrl: string;
  }): ComparedPage;
  manifestOf(adapter: string): AdapterManifest;
  /** Every workflow that the program runs, the one whose editions the screens are about first. */
  workflows: readonly RunWorkflow[];
  /** The site as people name it. */
  site: string;
  /** What an edition is started as. */
  start: { definition: PipelineDefinition; language: string };
  /** What the background checkers last found, null while they have not run; and how it stands with the backups. */
  checks(): {
    chainVerifiedAt: number | null;
    invariantViolations: number | null;
    backupAt: number | null;
    backupFault: string | null;
    backupsOn: boolean;
  };
}

/** A dry command's context: the person at the desk, now, on the task as it is. */
export function dryContext(ports: Pick<ViewPorts, "actor" | "trusted">, view: TaskView, now: number): CommandContext {
  return { actor: ports.actor, now, trusted: ports.trusted.read(), expectedVersion: view.task.stateVersion };
}
