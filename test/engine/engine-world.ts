import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openBreakers } from "../../db/breakers";
import type { ExecuteResult, Journal } from "../../db/journal";
import { loadJournal } from "../../db/load-journal";
import { JOURNAL_NAME, openReader, type Sqlite } from "../../db/open";
import { createSeededRandomness } from "../../main/adapters/randomness";
import { createWorkspaceTime } from "../../main/adapters/trusted-time";
import { createWorkspaceClock, type WorkspaceClock } from "../../main/adapters/workspace-clock";
import type { Command } from "../../main/domain/commands";
import { definitionHash, isTerminal } from "../../main/domain/definition";
import { checkInvariants, checkRemote } from "../../main/domain/invariants";
import { taskKeyOf } from "../../main/domain/keys";
import type { Clock, CrashPoints, TrustedTime } from "../../main/domain/ports";
import type { OperationRow } from "../../main/domain/records";
import type { TaskView } from "../../main/domain/view";
import { Breaker } from "../../main/engine/breaker";
import { Executor } from "../../main/engine/executor";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";
import { noCrash, START, testFolder, testJournal } from "../db/journal-file";
import { bareBriefingRuntime, noticeCoverage, noticeRuntime, personsTurn } from "./bare-runtime";
import { FakeRemote, type RemoteOptions } from "./fake-remote";
import { noticeDefinition } from "./notice-definition";

export const EDITOR = "editor:lin" as const;
const DEFINITIONS = { briefing: briefingDefinition, notice: noticeDefinition };
export type PipelineName = keyof typeof DEFINITIONS;

/** Thrown where the process is to die; nothing of ours catches it. */
export class Killed extends Error {}

/** One running program: a connection of its own to the journal, and an executor. */
export interface Program {
  journal: Journal;
  executor: Executor;
  breaker: Breaker;
}

export interface WorldOptions {
  pipeline?: PipelineName;
  cms?: Partial<RemoteOptions>;
  mail?: Partial<RemoteOptions>;
  /** Other external writes of the notice's definition than its own: through remotes that answer no questions. */
  uncoveredWrites?: number;
  /** Work allowed before the deadline; long, so that only tests about deadlines meet one. */
  deadlineMs?: number;
}

/** A journal on disk, two remotes with records of their own, and a clock that the test moves. */
export class EngineWorld {
  readonly clock: WorkspaceClock = createWorkspaceClock({ start: START });
  readonly dir = testFolder();
  readonly cms: FakeRemote;
  readonly mail: FakeRemote;
  readonly pipeline: PipelineName;
  private looking: Sqlite | null = null;

  constructor(private readonly options: WorldOptions = {}) {
    this.pipeline = options.pipeline ?? "briefing";
    onTestFinished(() => void this.looking?.close());
    this.cms = new FakeRemote(this.clock, { system: "cms", firstId: 18_427, ...options.cms });
    this.mail = new FakeRemote(this.clock, { system: "mail", firstId: 930, ...options.mail });
  }

  /** Starts a program on the journal; several may run on it, each with its own clock where a test says so. */
  start(id = "a", more: { crash?: CrashPoints; clock?: Clock; trusted?: TrustedTime } = {}): Program {
    const { crash = noCrash, clock = this.clock } = more;
    const { journal, sqlite } = testJournal({ dir: this.dir, definitions: Object.values(DEFINITIONS), crash });
    const breaker = new Breaker(openBreakers(sqlite));
    const adapterOf = (name: string) => (name === "cms" ? this.cms : this.mail);
    const manifestOf = (name: string) => adapterOf(name).manifest;
    const coverage = noticeCoverage(manifestOf, this.options.uncoveredWrites);
    const runtimes = {
      "weekly-briefing": bareBriefingRuntime(manifestOf),
      notice: noticeRuntime(manifestOf, coverage),
    };
    const executor = new Executor({
      journal,
      clock,
      random: createSeededRandomness(7),
      trusted: more.trusted ?? createWorkspaceTime(clock),
      crash,
      breaker,
      executorId: id,
      pipelineOf: (name) => runtimes[name as keyof typeof runtimes],
      adapterOf,
    });
    return { journal, executor, breaker };
  }

  /** Runs a new edition up to a commit, and starts the program anew there: what comes next is the test's to say. */
  async upTo(point: string, id = "a"): Promise<Program> {
    let reached = false;
    const program = this.start(id, {
      crash: {
        reach: (name) => {
          if (name !== `after-commit:${point}`) return;
          reached = true;
          program.executor.stop();
        },
      },
    });
    this.create(program);
    for (let turns = 0; !reached && turns < 5; turns += 1) {
      await this.run(program, () => reached || personsTurn(this.view(program)) !== null);
      if (!reached) this.approveIfAsked(program);
    }
    if (!reached) throw new Error(`${point} was never reached`);
    return this.start(id);
  }

  isCreated(program: Program, edition = "2026-W30"): boolean {
    const { name } = DEFINITIONS[this.pipeline];
    return program.journal.reader.tasksByKey(taskKeyOf(name, edition, "en")).length > 0;
  }

  /** Creates the task of this world's pipeline. */
  create(program: Program, edition = "2026-W30"): void {
    const definition = DEFINITIONS[this.pipeline];
    const command: Command = {
      type: "create_task",
      taskKey: taskKeyOf(definition.name, edition, "en"),
      taskVersion: 1,
      pipeline: definition.name,
      definitionHash: definitionHash(definition),
      edition,
      language: "en",
      deadlineAt: START + (this.options.deadlineMs ?? 30 * 86_400_000),
      zone: "UTC",
      supersedesTaskId: null,
      context: { startAt: START },
    };
    const { result } = this.person(program, command);
    if (result !== "applied") throw new Error(`not created: ${result}`);
  }

  person(program: Program, command: Command): ExecuteResult {
    const task = "taskId" in command && command.taskId !== null ? program.journal.reader.task(command.taskId) : null;
    const now = this.clock.now();
    const trusted = { at: now, trusted: true, source: "test" };
    const standing = task ? { expectedVersion: task.stateVersion } : {};
    return program.journal.execute(command, { actor: EDITOR, now, trusted, ...standing });
  }

  view(program: Program, edition = "2026-W30"): TaskView {
    const [task] = program.journal.reader.tasksByKey(taskKeyOf(DEFINITIONS[this.pipeline].name, edition, "en"));
    if (!task) throw new Error("no such task");
    return program.journal.reader.viewOf(task);
  }

  operation(program: Program, kind: OperationRow["kind"], phase: OperationRow["phase"] = "create"): OperationRow {
    const found = this.view(program)
      .operations()
      .find((row) => row.kind === kind && row.phase === phase);
    if (!found) throw new Error(`no ${kind}.${phase}`);
    return found;
  }

  /** Waits for a promise, moving the clock to its next timer whenever everybody has come to rest. */
  async drive<T>(promise: Promise<T>): Promise<T> {
    let isPending = true;
    const end = () => {
      isPending = false;
    };
    promise.then(end, end);
    while (isPending) {
      await rest();
      const next = this.clock.nextTimerAt();
      if (isPending && next !== null) await this.clock.advanceTo(next);
    }
    return promise;
  }

  /** One pass of the executor, with the clock moved only as far as it waits for a call. */
  pass(program: Program): Promise<number | null> {
    return this.drive(program.executor.runOnce());
  }

  /** Passes until nothing comes due by itself any more, or `until` says that it is enough. */
  async run(program: Program, until: () => boolean = () => false): Promise<void> {
    for (let passes = 0; passes < 400; passes += 1) {
      const next = await this.pass(program);
      if (next === null || until()) return;
      await this.clock.advanceTo(next);
    }
    throw new Error("it never comes to rest");
  }

  /** Does what a person has to do now, if anything. */
  approveIfAsked(program: Program): void {
    const command = personsTurn(this.view(program));
    if (command !== null) this.person(program, command);
  }

  /** Runs, and does what a person has to do at the gates, until nobody has anything to do. */
  async finish(program: Program): Promise<string> {
    const isDone = () => {
      const view = this.view(program);
      return personsTurn(view) !== null || isTerminal(view.task.state) || isLeftToPerson(view);
    };
    for (;;) {
      await this.run(program, isDone);
      const command = personsTurn(this.view(program));
      if (command === null) return this.view(program).task.state;
      const { result } = this.person(program, command);
      if (result !== "applied") throw new Error(`a person's ${command.type} was refused: ${result}`);
    }
  }

  events(): { type: string; actor: string; payload: Record<string, unknown> }[] {
    return this.reader
      .prepare<[], { type: string; actor: string; payload: string }>(
        "SELECT type, actor, payload FROM event ORDER BY seq",
      )
      .all()
      .map((row) => ({ ...row, payload: JSON.parse(row.payload) }));
  }

  /** A connection that only looks, whoever lives and dies meanwhile. */
  private get reader(): Sqlite {
    this.looking ??= openReader(join(this.dir, JOURNAL_NAME));
    return this.looking;
  }

  eventTypes(): string[] {
    return this.events().map((event) => event.type);
  }

  rows(sql: string): unknown[] {
    return this.reader.prepare(sql).all();
  }

  /** What the independent checkers find on the journal and on the remotes. */
  violations(): string[] {
    const snapshot = loadJournal(this.reader);
    const objects = [...this.cms.records(), ...this.mail.records()];
    const found = [...checkInvariants(snapshot), ...checkRemote(snapshot, { objects, mailings: this.mail.mailings })];
    return found.map(({ invariant, subject, detail }) => `${invariant} ${subject}: ${detail}`);
  }
}

/** Lets everything that is not waiting for time come to its end. */
export async function rest(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** A gate that a test opens. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Blocked with nothing to look at: what time would still do is to tell people again. */
const isLeftToPerson = (view: TaskView): boolean =>
  view.task.state === "blocked" && view.operations().every((operation) => operation.nextLookAt === null);
