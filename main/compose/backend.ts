import { join } from "node:path";
import { BlobDamaged } from "../../db/blobs";
import { openQueries } from "../../db/queries/open-queries";
import type { Input, Output, PushEvent, Pushed } from "../../preload/contract";
import { createSystemClock } from "../adapters/clock";
import { createSshAgent } from "../adapters/ssh-agent";
import { openFoundIncidents } from "../commands/open-found-incidents";
import { isTerminal } from "../domain/definition";
import type { TaskId } from "../domain/ids";
import { briefingDefinition } from "../pipeline/briefing/definition";
import { AgentKeys } from "./agent-keys";
import { AlertDesk, type AlertNotice } from "./alert-desk";
import { approvalSigner, placeOf, registerFirstKey } from "./approval-signer";
import type { BackendOptions } from "./backend-options";
import { BackgroundCheck } from "./background-check";
import { BackupDesk, NO_BACKUPS } from "./backup-desk";
import { backupHandlers } from "./backup-handlers";
import { backupPlace } from "./backup-place";
import type { Handlers } from "./channel-handlers";
import { drillHandlers } from "./drill-handlers";
import { DrillRunner } from "./drill-runner";
import { EvidenceDesk, type EvidenceWorkspace } from "./evidence-desk";
import { evidenceHandlers } from "./evidence-handlers";
import { evidenceWorkspaceOf } from "./evidence-workspace";
import { type WorkspaceHandlers, workspaceHandlers } from "./handlers";
import { type OpenSandbox, openSandbox } from "./open-sandbox";
import { previewBytes } from "./preview";
import { problemOfFault } from "./problem-of-fault";
import { SampleLedger } from "./sample-ledger";
import { openViews, type Views } from "./views";
import { WORKSPACE_CHANNELS } from "./workspace-channels";
import { folderOf, hasWorkspace, lastWorkspace, noteWorkspace, type WorkspaceName } from "./workspace-folders";

type Bootstrap = Output<"app.bootstrap">;
type Listener = <E extends PushEvent>(event: E, value: Pushed<E>) => void;

interface Open {
  name: WorkspaceName;
  sandbox: OpenSandbox;
  views: Views;
  handlers: WorkspaceHandlers;
  check: BackgroundCheck;
  alerts: AlertDesk;
}

/** Everything below the shell: at most one open workspace, or the problem that keeps it closed. */
export class AppBackend {
  private open: Open | null = null;
  private problem: Bootstrap["problem"] = null;
  private opening: Promise<void> | null = null;
  /** The workspace that is open, or that was to be opened last. */
  private wanted: WorkspaceName = "sandbox";
  private readonly listeners = new Set<Listener>();
  private readonly drills: DrillRunner;
  private readonly ledger: SampleLedger;
  private readonly evidence: EvidenceDesk;
  private readonly agent: AgentKeys;
  private readonly backups: BackupDesk;
  readonly handlers: Handlers;

  constructor(private readonly options: BackendOptions) {
    const workspace = <C extends keyof WorkspaceHandlers>(channel: C): Handlers[C] =>
      (async (input: Input<C>) => {
        if (this.open === null) throw new Error(`${channel} was asked without an open workspace`);
        try {
          return await (this.open.handlers[channel] as (input: Input<C>) => unknown)(input);
        } catch (error) {
          // Who asked for bytes that are no longer those that were frozen is told which file it is, not that something failed.
          if (error instanceof BlobDamaged) this.fault(error);
          throw error;
        }
      }) as Handlers[C];
    this.drills = new DrillRunner({
      dir: join(options.userDataDir, "drill"),
      samplesDir: SAMPLES_DIR,
      file: join(__dirname, "drill.worker.cjs"),
      startChild: options.startChild,
      clock: createSystemClock(),
      results: options.drillResults,
      zone: briefingDefinition.deadlines.zone,
      onProgress: (progress) => this.push("drill.progress", progress),
      onChange: (change) => this.push("drill.changed", change),
      onResult: () => this.open?.alerts.nudge(),
    });
    this.ledger = new SampleLedger({
      dir: folderOf(options.userDataDir, "sample-ledger"),
      samplesDir: SAMPLES_DIR,
      file: join(__dirname, "ledger.worker.cjs"),
      startChild: options.startChild,
      isThere: () => hasWorkspace(options.userDataDir, "sample-ledger"),
      onChange: () => void this.followLedger(),
    });
    this.agent = new AgentKeys(options.sshAgent ?? createSshAgent(), () => this.followAgent());
    this.evidence = new EvidenceDesk({
      file: join(__dirname, "evidence.worker.cjs"),
      startChild: options.startChild,
      clock: createSystemClock(),
      key: options.evidenceKey,
      agent: this.agent,
      timestampServer: options.timestampServer,
      bundles: options.evidenceBundles,
      files: options.evidenceFiles,
      workspace: () => this.evidenceWorkspace(),
      language: () => options.preferences.read().language,
      onChange: (evidence) => this.push("evidence.changed", evidence),
    });
    this.backups = new BackupDesk({
      file: join(__dirname, "backup.worker.cjs"),
      startChild: options.startChild,
      clock: createSystemClock(),
      ...(options.backups ?? NO_BACKUPS),
      showFolder: options.showFolder,
      place: () => backupPlace(this.open?.sandbox),
      onChange: (backups) => this.push("backups.changed", backups),
    });
    this.handlers = {
      ...backupHandlers(this.backups),
      ...drillHandlers(this.drills),
      ...evidenceHandlers(this.evidence, {
        editionOf: (taskId) => this.editionOf(taskId),
        zone: briefingDefinition.deadlines.zone,
      }),
      ...(Object.fromEntries(WORKSPACE_CHANNELS.map((channel) => [channel, workspace(channel)])) as WorkspaceHandlers),
      "app.bootstrap": () => this.bootstrap(),
      "app.setPreferences": (change) => options.preferences.change(change),
      "app.retryOpen": () => this.openOnce(this.wanted),
      "app.showFolder": () => {
        options.showFolder(folderOf(options.userDataDir, this.wanted));
        return {};
      },
      "workspace.openSandbox": () => this.openOnce("sandbox"),
      "workspace.openLedger": () => this.openLedger(),
      "workspace.cancelLedger": () => {
        this.ledger.cancel();
        return this.bootstrap();
      },
    };
  }

  /** Opens the workspace that was used last, if there is one. */
  async start(): Promise<void> {
    this.ledger.clear();
    const last = lastWorkspace(this.options.userDataDir);
    if (last !== null) await this.openOnce(last);
    void this.backups.keepLooking();
  }

  onPush(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  previewBytes(hash: string) {
    return this.open === null ? null : previewBytes(this.open.sandbox.workspace, hash);
  }

  hasCallInFlight(): boolean {
    return (this.open?.sandbox.workspace.executor.callsInFlight.size ?? 0) > 0;
  }

  hasLiveRun(): boolean {
    return this.open?.sandbox.workspace.journal.reader.liveTasks().some((task) => !isTerminal(task.state)) ?? false;
  }

  /** Sleep is an expired lease, not an accident: nothing to do before it, a pass after it (domain 5). */
  onPowerSuspend(): void {
    this.open?.sandbox.workspace.database.noteHead();
  }

  onPowerResume(): void {
    this.open?.sandbox.loop.nudge();
    this.open?.alerts.nudge();
  }

  async finishThenStop(): Promise<void> {
    this.stopWork();
    await this.finishWorkspace();
  }

  stopNow(): void {
    this.stopWork();
    this.haltWorkspace();
  }

  private stopWork(): void {
    for (const work of [this.drills, this.ledger, this.evidence, this.backups]) work.stop();
  }

  private async finishWorkspace(): Promise<void> {
    const { open } = this;
    this.open = null;
    this.agent.cancel();
    open?.alerts.stop();
    open?.check.stop();
    await open?.sandbox.finish();
  }

  private haltWorkspace(): void {
    const { open } = this;
    this.open = null;
    this.agent.cancel();
    open?.alerts.stop();
    open?.check.stop();
    open?.sandbox.halt();
  }

  private evidenceWorkspace(): EvidenceWorkspace | null {
    return this.open === null ? null : evidenceWorkspaceOf(this.open, this.options.evidenceKey);
  }

  /** A key came, went, is asked or no more: what may be approved is another thing now. */
  private followAgent(): void {
    this.evidence.changed();
    this.push("journal.changed", { seq: 0, taskIds: [] });
  }

  private editionOf(taskId: string): string | null {
    return this.open?.sandbox.workspace.journal.reader.task(taskId as TaskId)?.edition ?? null;
  }

  private bootstrap(): Bootstrap {
    const { version, runtime, preferences } = this.options;
    const { problem } = this;
    const workspace = this.open?.sandbox.workspace;
    return {
      version,
      runtime,
      preferences: preferences.read(),
      problem,
      workspace: workspace
        ? {
            kind: "sandbox",
            path: workspace.dir,
            isSampleLedger: this.open?.name === "sample-ledger",
            epoch: workspace.journal.reader.epoch(),
            site: new URL(workspace.ports.cms.target).host,
          }
        : null,
      ledger: this.ledger.get(),
    };
  }

  private openLedger(): Promise<Bootstrap> | Bootstrap {
    if (hasWorkspace(this.options.userDataDir, "sample-ledger")) return this.openOnce("sample-ledger");
    this.ledger.build();
    return this.bootstrap();
  }

  /** Whoever has nothing open wants to see it as soon as it is there; nobody is taken away from what they are at. */
  private async followLedger(): Promise<void> {
    const isWaitedFor = this.ledger.get().state === "ready" && this.open === null && this.problem === null;
    if (isWaitedFor) await this.openOnce("sample-ledger");
    else this.push("workspace.changed", this.bootstrap());
  }

  /** A double click opens once; another workspace is opened after the one that is being opened. */
  private async openOnce(name: WorkspaceName): Promise<Bootstrap> {
    if (this.opening !== null && this.wanted !== name) await this.opening;
    this.wanted = name;
    this.opening ??= this.openWorkspace(name).finally(() => {
      this.opening = null;
    });
    await this.opening;
    return this.bootstrap();
  }

  private async openWorkspace(name: WorkspaceName): Promise<void> {
    if (this.open?.name === name) return;
    await this.finishWorkspace();
    const { userDataDir } = this.options;
    const onFault = (error: unknown) => this.fault(error);
    const result = await openSandbox({ dir: folderOf(userDataDir, name), ...this.outsideOf(name), onFault });
    if (result.kind === "problem") {
      this.problem = result.problem;
      this.push("workspace.changed", this.bootstrap());
      return;
    }
    this.problem = null;
    this.open = { name, ...this.wire(result.sandbox, onFault) };
    // The sample ledger is shown as it was made.
    if (name === "sandbox") {
      registerFirstKey(result.sandbox.workspace, this.options.evidenceKey);
      void this.open.alerts.start().catch(onFault);
    }
    noteWorkspace(userDataDir, name);
    // Not waited for: a silent agent would keep the workspace closed.
    void this.agent.refresh();
    this.evidence.forgetWorkspace();
    this.push("workspace.changed", this.bootstrap());
  }

  /** The sample ledger has its own weeks' sources: the pages that its editions cite are among them. */
  private outsideOf(name: WorkspaceName): { samplesDir: string; sourcesDir: string | null } {
    const { userDataDir, samplesDir = SAMPLES_DIR } = this.options;
    return name === "sandbox"
      ? { samplesDir, sourcesDir: process.env["IMPRIMATUR_SOURCES"] ?? null }
      : { samplesDir: join(folderOf(userDataDir, name), "samples"), sourcesDir: null };
  }

  private wire(sandbox: OpenSandbox, onFault: (error: unknown) => void): Omit<Open, "name"> {
    const { workspace, clock } = sandbox;
    const changed = () => this.push("journal.changed", { seq: 0, taskIds: [] });
    const check = new BackgroundCheck({
      dir: workspace.dir,
      clock,
      kept: { workspaceId: placeOf(workspace).id, checks: this.options.chainChecks },
      onFound: changed,
      onBroken: (broken) => openFoundIncidents({ journal: workspace.journal, clock, trusted: sandbox.trusted }, broken),
      onFault,
      onProgress: () => this.evidence.changed(),
    });
    const signer = approvalSigner(this.options.evidenceKey, placeOf(workspace), this.agent);
    const alerts = this.alertDesk(sandbox, onFault);
    const views = openViews(
      sandbox,
      () => ({ ...check.last, ...this.backups.health() }),
      signer,
      () => alerts.notifier,
    );
    workspace.journal.onCommit((applied) => {
      const seq = applied.events.at(-1)?.seq;
      if (seq === undefined) return;
      this.push("journal.changed", { seq, taskIds: applied.taskId === null ? [] : [applied.taskId] });
      if (isTerminal(applied.state)) check.start();
      alerts.nudge();
    });
    clock.onChange(() => {
      this.push("clock.changed", views.clock());
      alerts.nudge();
    });
    void check.startLater();
    return {
      sandbox,
      views,
      handlers: workspaceHandlers(sandbox, views, signer, {
        chooseTable: async () => null,
        ...this.options.evidenceFiles,
        ...this.options.audienceFiles,
      }),
      check,
      alerts,
    };
  }

  private alertDesk({ workspace }: OpenSandbox, onFault: (error: unknown) => void): AlertDesk {
    const { notifier } = this.options;
    const open = (alertId: string) => this.push("alerts.open", { alertId });
    const tell = (notice: AlertNotice) =>
      notifier?.tell(
        notice,
        () => open(notice.alertId),
        (failure) => desk.notShown(failure),
      );
    const desk = new AlertDesk({
      desk: workspace.desk("system"),
      queries: openQueries(workspace.reader, (hash) => workspace.journal.definitionOf(hash)),
      notifier: notifier === undefined ? null : { tell },
      drills: () => this.drills.standing(),
      onChange: () => this.push("alerts.changed", {}),
      onFault,
    });
    return desk;
  }

  /** A bug of ours, a full disk, a damaged file: stop, keep the file, say which it is. Nothing leaves any more. */
  private fault(error: unknown): void {
    const { open } = this;
    if (open === null) return;
    this.problem = problemOfFault(error, open.sandbox.workspace.database.path);
    this.haltWorkspace();
    this.push("workspace.changed", this.bootstrap());
  }

  private push<E extends PushEvent>(event: E, value: Pushed<E>): void {
    for (const listener of this.listeners) listener(event, value);
  }
}

/** The samples lie beside the built program. */
const SAMPLES_DIR = join(__dirname, "samples");
