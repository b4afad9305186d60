import { openBreakers } from "../../db/breakers";
import { type ExecuteResult, Journal } from "../../db/journal";
import { loadJournal } from "../../db/load-journal";
import { sandboxServices } from "../../main/compose/membership";
import type { Chain } from "../../main/domain/action-chain";
import type { Command } from "../../main/domain/commands";
import { definitionHash, type PipelineDefinition } from "../../main/domain/definition";
import { asTaskId, type TaskId } from "../../main/domain/ids";
import { checkInvariants } from "../../main/domain/invariants";
import { taskKeyOf } from "../../main/domain/keys";
import type { CompensationRow, OperationRow } from "../../main/domain/records";
import type { TaskView } from "../../main/domain/view";
import { Breaker } from "../../main/engine/breaker";
import { Executor } from "../../main/engine/executor";
import { chainRuntime } from "../../main/pipeline/action-chain/runtime";
import { membershipChain } from "../../main/pipeline/membership-cancellation/chain";
import { membershipDefinition } from "../../main/pipeline/membership-cancellation/definition";
import { chainPorts, type MembershipPorts } from "../../main/pipeline/membership-cancellation/ports";
import type { Sandbox } from "../../main/sandbox/start-sandbox";
import { Killed, manualClock, noCrash } from "../engine/compensator-world";
import { fault as addFault, call, records, sandbox } from "../sandbox/world";
import { EDITOR, World } from "../support/world";

/** One member's cancellation on a journal on disk, against the sandbox's services. */
export class MembershipWorld {
  readonly world = new World();
  readonly clock = manualClock(this.world);
  taskId: TaskId = asTaskId("");
  private executors = 0;

  private constructor(
    readonly remote: Sandbox,
    private readonly workflow: { definition: PipelineDefinition; chain: Chain },
  ) {}

  /** @param workflow another one than the cancellation, on the same services */
  static async open(
    workflow: { definition: PipelineDefinition; chain: Chain } = {
      definition: membershipDefinition as unknown as PipelineDefinition,
      chain: membershipChain,
    },
  ): Promise<MembershipWorld> {
    const world = new MembershipWorld(await sandbox(), workflow);
    const { definition } = workflow;
    const created = world.execute({
      type: "create_task",
      taskKey: taskKeyOf(definition.name, "U-88", "zh-CN"),
      taskVersion: 1,
      pipeline: definition.name,
      definitionHash: definitionHash(definition),
      edition: "U-88",
      language: "zh-CN",
      deadlineAt: world.world.now + 2 * 3_600_000,
      zone: "Asia/Shanghai",
      supersedesTaskId: null,
      context: { startAt: world.world.now },
    });
    if (created.result !== "applied" || created.taskId === null) throw new Error(JSON.stringify(created));
    world.taskId = created.taskId;
    return world;
  }

  private journal(crash = noCrash): Journal {
    return new Journal({
      sqlite: this.world.database.sqlite,
      definitions: [this.workflow.definition],
      crash,
      now: () => this.world.now,
    });
  }

  /** The person at the desk. */
  execute(command: Command): ExecuteResult {
    const journal = this.journal();
    const version =
      "taskId" in command && command.taskId !== null ? journal.reader.task(command.taskId)?.stateVersion : undefined;
    this.world.now += 1_000;
    return journal.execute(command, {
      actor: EDITOR,
      now: this.world.now,
      trusted: this.world.trusted(),
      ...(version === undefined ? {} : { expectedVersion: version }),
    });
  }

  ports(crash = noCrash): MembershipPorts {
    return { clock: this.clock, blobs: this.world.blobs, crash, ...sandboxServices(this.remote.url, "sandbox") };
  }

  executor(crash = noCrash): Executor {
    this.executors += 1;
    const ports = this.ports(crash);
    const runtime = chainRuntime(chainPorts(ports), this.workflow.chain);
    return new Executor({
      journal: this.journal(crash),
      clock: this.clock,
      random: { next: () => 0.5, bytes: (count) => new Uint8Array(count) },
      trusted: { read: () => this.world.trusted() },
      crash,
      breaker: new Breaker(openBreakers(this.world.database.sqlite)),
      executorId: `m${this.executors}`,
      pipelineOf: () => runtime,
      adapterOf: (name) => (name === ports.members.name ? ports.members : ports.messages).adapter,
    });
  }

  /** Until nobody but a person can do something. */
  async drive(executor = this.executor()): Promise<void> {
    for (let pass = 0; pass < 200; pass += 1) {
      const dueAt = await executor.runOnce();
      if (dueAt === null) return executor.releaseAll();
      this.world.now = Math.max(dueAt, this.world.now + 1);
    }
    throw new Error(`it turned in circles in ${this.view().task.state}`);
  }

  /** @returns whether the process died; then a fresh one has gone on. */
  async driveKilled(crash = noCrash): Promise<boolean> {
    let died = false;
    await this.drive(this.executor(crash)).catch((error: unknown) => {
      for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
        if (cause instanceof Killed) died = true;
      if (!died) throw error;
    });
    if (died) await this.drive();
    return died;
  }

  view(): TaskView {
    const view = this.journal().reader.view(this.taskId);
    if (!view) throw new Error("no task");
    return view;
  }

  entry(action: string): CompensationRow {
    const found = this.view()
      .compensations()
      .find((row) => row.action === action);
    if (!found) throw new Error(`no entry ${action}`);
    return found;
  }

  operation(place: string): OperationRow {
    const found = this.view()
      .operations()
      .find((row) => row.kind === "effect" && row.slot.endsWith(`:${place}`));
    if (!found) throw new Error(`no write to ${place}`);
    return found;
  }

  /** The gateway's desk says whether the message is there. */
  tell(verdict: "happened" | "did_not_happen"): ExecuteResult {
    return this.execute({
      type: "give_verdict",
      taskId: this.taskId,
      operationId: this.operation("sms").id,
      verdict,
      remoteId: verdict === "happened" ? "5001" : null,
      evidence: "asked by telephone",
    });
  }

  /** A person says that what was proven absent may go out anew. */
  sendAnew(): ExecuteResult {
    const wayOut = { to: "cancelling", evidence: "the shop's own record shows no such change" };
    return this.execute({ type: "transition", taskId: this.taskId, event: "Unblocked", wayOut });
  }

  close(action: string): ExecuteResult {
    const compensationId = this.entry(action).id;
    const said = { note: "the member was called", evidence: "https://desk.example/calls/1" };
    return this.execute({ type: "close_compensation", taskId: this.taskId, compensationId, ...said });
  }

  /** Somebody at the shop decides otherwise, right now. */
  async cancelByHand(): Promise<void> {
    const url = `${this.remote.url}/services/members/U-88/status`;
    await call("POST", url, { key: "by hand", status: "cancelled" }, new Date(this.world.now).toISOString());
  }

  /** What an event gives as its reason; null where it happened for none, or not at all. */
  reasonOf(event: string): string | null {
    return loadJournal(this.world.database.sqlite).events.find(({ type }) => type === event)?.reason ?? null;
  }

  violations(): string[] {
    return checkInvariants(loadJournal(this.world.database.sqlite)).map(({ detail }) => detail);
  }

  fault = (rule: Record<string, unknown>) => addFault(this.remote.url, rule);
  remotely = async () => (await records(this.remote.url, new Date(this.world.now).toISOString())).services;
}
