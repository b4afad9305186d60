import { join } from "node:path";
import { type Blobs, openBlobs } from "../../db/blobs";
import { openBreakers } from "../../db/breakers";
import { openReader } from "../../db/connect";
import { type Customers, openCustomers } from "../../db/customers";
import { Journal } from "../../db/journal";
import { type Durability, type JournalDatabase, openJournal, type Problem, type Sqlite } from "../../db/open";
import { approvedPackage } from "../../db/queries/approved-package";
import { countEvents, previousEdition } from "../../db/queries/previous-edition";
import { reconciliationCandidates } from "../../db/queries/reconciliation";
import { listSuppressions } from "../../db/queries/suppressions";
import { buildCmsCreate, buildCmsStatus, buildCmsUpdate, SandboxCms, slugOfSlot } from "../adapters/cms/sandbox";
import { createExtractiveDrafter } from "../adapters/drafter/extractive";
import { createLinkChecker } from "../adapters/links";
import { buildMailCancel, buildMailCreate, buildMailTrigger, SandboxMail } from "../adapters/mail/sandbox";
import { createPageProbe } from "../adapters/probe";
import { joinUrl } from "../adapters/sandbox-protocol";
import { openKeyFile } from "../adapters/secrets";
import { createSourceParser } from "../adapters/sources/parser";
import { createSourceReader, READ_ERRORS } from "../adapters/sources/reader";
import type { Desk } from "../commands/desk";
import { openFoundIncident } from "../commands/open-found-incidents";
import type { Actor } from "../domain/commands";
import { Bug } from "../domain/ids";
import type { Clock, CrashPoints, Randomness, SourceConfig, TrustedTime } from "../domain/ports";
import { Breaker } from "../engine/breaker";
import { DailyReconciliation } from "../engine/daily-reconciliation";
import { Executor } from "../engine/executor";
import type { UndoRuntime } from "../engine/runtime";
import { briefingDefinition } from "../pipeline/briefing/definition";
import * as desk from "../pipeline/briefing/desk";
import { BriefingDraftDesk } from "../pipeline/briefing/draft-desk";
import type { BriefingPorts } from "../pipeline/briefing/ports";
import { briefingRuntime } from "../pipeline/briefing/runtime";
import { membershipDefinition } from "../pipeline/membership-cancellation/definition";
import { findBrokenPromises } from "./broken-promises";
import { customerPort } from "./customers";
import { membershipSide } from "./membership";

export interface WorkspaceOptions {
  dir: string;
  clock: Clock;
  random: Randomness;
  trusted: TrustedTime;
  crash: CrashPoints;
  /** The sandbox's base address; a tester's own server speaks the same protocol. */
  remoteUrl: string;
  sources(): Promise<readonly SourceConfig[]>;
  executorId: string;
  durability?: Durability;
  /** What a rehearsal puts in the place of the outside. The app leaves it as it is. */
  adjust?(ports: BriefingPorts): BriefingPorts;
  /** Hears why the journal could not be written. */
  onUnavailable?(error: unknown): void;
  /** Hears of a listener to commits that broke; where nobody does, it is a bug like any other. */
  onListenerFault?(error: unknown): void;
}

/** One open workspace: the journal and everything that works on it. */
export interface Workspace {
  dir: string;
  database: JournalDatabase;
  journal: Journal;
  /** A second, read-only connection for the screens. */
  reader: Sqlite;
  blobs: Blobs;
  customers: Customers;
  breaker: Breaker;
  executor: Executor;
  /** Holds the journal against the outside; it does so only when it is asked to. */
  reconciliation: DailyReconciliation;
  ports: BriefingPorts;
  desk(actor: Actor): Desk;
  /** How a pipeline takes its writes back: what a person may ask about before anything is undone. */
  undoOf(pipeline: string): UndoRuntime;
  close(): void;
}

export type OpenWorkspace = { kind: "opened"; workspace: Workspace } | { kind: "problem"; problem: Problem };

const SANDBOX_TOKEN = "sandbox";

/** Opens a sandbox workspace in a folder of its own and wires adapters, pipeline and engine to it, or says why not. */
export function openWorkspace(options: WorkspaceOptions): OpenWorkspace {
  const { dir } = options;
  const opened = openJournal({
    dir,
    now: options.clock.now(),
    kind: "sandbox",
    workspaceId: workspaceIdOf(options.random),
    ...durabilityOf(options),
  });
  if (opened.kind === "problem") return opened;
  const database = opened.journal;
  const key = openKeyFile(join(dir, "customers.key"), { create: true });
  if (key.kind === "unavailable") return closeWith(database, { code: "unknown", path: key.path, detail: key.code });
  const customers = openCustomers({ dir, key: key.key, ...durabilityOf(options) });
  if (customers.kind === "problem") {
    const { code, path, detail } = customers.problem;
    return closeWith(database, { code: code === "wrong_key" ? "unknown" : code, path, detail });
  }
  return { kind: "opened", workspace: wire(options, database, customers.customers) };
}

function closeWith(database: JournalDatabase, problem: Problem): OpenWorkspace {
  database.close();
  return { kind: "problem", problem };
}

const durabilityOf = (options: WorkspaceOptions) => (options.durability ? { durability: options.durability } : {});

const workspaceIdOf = (random: Randomness): string => Buffer.from(random.bytes(12)).toString("hex");

function wire(options: WorkspaceOptions, database: JournalDatabase, customers: Customers): Workspace {
  const { clock, random, trusted, crash, dir } = options;
  const { sqlite } = database;
  const journal: Journal = new Journal({
    sqlite,
    definitions: [briefingDefinition, membershipDefinition],
    crash,
    now: () => clock.now(),
    onFinding: (finding) => openFoundIncident({ journal, clock, trusted }, finding),
    ...(options.onUnavailable ? { onUnavailable: options.onUnavailable } : {}),
    ...(options.onListenerFault ? { onListenerFault: options.onListenerFault } : {}),
  });
  if (database.epochChange !== null) {
    const reason = JSON.stringify(database.epochChange);
    journal.execute({ type: "raise_epoch", reason }, { actor: "system", now: clock.now(), trusted: trusted.read() });
    database.noteHead(true);
  }
  // Before the bytes leave: a journal that loses its WAL later is known to have been further, and asks before it sends again.
  journal.onCommit(({ events }) => {
    if (events.some((event) => event.type === "RequestSent")) database.noteHead();
  });
  const blobs = openBlobs(dir, durabilityOf(options));
  blobs.sweep(clock.now());
  const breaker = new Breaker(openBreakers(sqlite));
  const reader = openReader(database.path);
  const outside = briefingPorts(options, { sqlite, blobs, customers, breaker });
  const ports = options.adjust?.(outside) ?? outside;
  const membership = membershipSide({ ...options, token: SANDBOX_TOKEN }, blobs);
  const pipelines = new Map([
    [briefingDefinition.name, briefingRuntime(ports)],
    [membershipDefinition.name, membership.runtime],
  ]);
  const adapters = new Map([ports.cms, ports.mail, ...membership.adapters].map((side) => [side.name, side.adapter]));
  const pipelineOf = (name: string) => pipelines.get(name) ?? unknown("pipeline", name);
  const adapterOf = (name: string) => adapters.get(name) ?? unknown("adapter", name);
  const engine = { journal, clock, trusted, breaker, pipelineOf, adapterOf };
  const executor = new Executor({ ...engine, random, crash, executorId: options.executorId });
  const reconciliation = new DailyReconciliation({
    ...engine,
    candidates: (since) => reconciliationCandidates(sqlite, since),
    checkItself: () => findBrokenPromises(dir),
  });
  return {
    dir,
    database,
    journal,
    reader,
    blobs,
    customers,
    breaker,
    executor,
    reconciliation,
    ports,
    desk: (actor) => ({ actor, journal, clock, trusted, pipeline: briefingDesk(ports) }),
    undoOf: (name) => pipelineOf(name).undo,
    close: () => {
      reader.close();
      customers.close();
      database.close();
    },
  };
}

function unknown(what: string, name: string): never {
  throw new Bug(`no ${what} is named ${name}`);
}

function briefingDesk(ports: BriefingPorts): Desk["pipeline"] {
  return {
    contentApproval: (view, seen) => desk.contentApproval(ports, view, seen),
    sendApproval: (view, seen) => desk.sendApproval(ports, view, seen),
    contentEdit: (view, base, edit) => desk.contentEdit(ports, view, base, edit),
    draft: new BriefingDraftDesk(ports),
    emailEdit: (view, words) => desk.emailEdit(ports, view, words),
    unblocking: (view, way) => desk.unblocking(ports, view, way),
  };
}

function briefingPorts(
  options: WorkspaceOptions,
  own: { sqlite: Sqlite; blobs: Blobs; customers: Customers; breaker: Breaker },
): BriefingPorts {
  const { clock, crash, random, remoteUrl } = options;
  const access = { token: SANDBOX_TOKEN };
  return {
    blobs: own.blobs,
    customers: customerPort(own.customers),
    clock,
    crash,
    random,
    breaker: own.breaker,
    sources: options.sources,
    reader: createSourceReader(),
    readErrors: READ_ERRORS,
    parser: createSourceParser(),
    drafter: createExtractiveDrafter(),
    links: createLinkChecker({ allowPrivateHosts: true }),
    probe: createPageProbe(),
    cms: {
      adapter: new SandboxCms(access),
      name: "cms-sandbox",
      target: remoteUrl,
      requests: {
        create: buildCmsCreate,
        update: buildCmsUpdate,
        status: buildCmsStatus,
        slugOf: slugOfSlot,
        plannedUrl: (slug) => joinUrl(remoteUrl, `/site/${slug}`),
      },
    },
    mail: {
      adapter: new SandboxMail(access),
      name: "mail-sandbox",
      target: remoteUrl,
      requests: { create: buildMailCreate, trigger: buildMailTrigger, cancel: buildMailCancel },
    },
    wantedFacts: 9,
    suppressions: () => listSuppressions(own.sqlite),
    previous: (task) => previousEdition(own.sqlite, task),
    approvedPackage: (taskKey, contentHash) => approvedPackage(own.sqlite, taskKey, contentHash),
    receiptsSoFar: () => countEvents(own.sqlite, "CheckPassed"),
  };
}
