import type { Sqlite } from "../../db/open";
import { isTerminal } from "../domain/definition";
import { GENESIS } from "../domain/hashing";
import type { Violation } from "../domain/invariants";
import { type Told, tell } from "../domain/invariants/snapshot";
import type { EventRow } from "../domain/records";
import { foldOperation, movesTask, type ReplayedOperation } from "../domain/replay";
import { type Sent, StepQuestions } from "./step-questions";

interface Followed {
  state: string | null;
  token: number;
  owner: string | null;
  /** The public page was verified after it had been written last. */
  isPageProved: boolean;
}

/**
 * Judges a world's journal after each of its steps, by what was added in it: some microseconds where the full checker needs
 * milliseconds, which looks at everything again once a week has ended. It follows the events and asks the rows about what each of
 * them claims, and shares nothing with guards and triggers.
 */
export class StepWatch {
  readonly found: Violation[] = [];
  private head = { seq: 0, hash: GENESIS as string };
  private readonly tasks = new Map<string, Followed>();
  /** What the events say of every call that may happen once only, by its place. */
  private readonly places = new Map<string, Map<string, ReplayedOperation | null>>();
  private readonly placeOf = new Map<string, string>();
  private readonly ask: StepQuestions;

  constructor(sqlite: Sqlite) {
    this.ask = new StepQuestions(sqlite);
  }

  /** Follows everything that was committed since the last look. */
  look(): void {
    const added = this.ask.eventsAfter(this.head.seq);
    if (added.length === 0) return;
    for (const event of added) this.follow(event);
    for (const key of this.ask.keysLivedTwice()) this.say("I01", key, "two live tasks");
    for (const id of new Set(added.flatMap(({ taskId }) => taskId ?? []))) this.compareRow(id);
  }

  private say(invariant: Violation["invariant"], subject: string, detail: string): void {
    this.found.push({ invariant, subject, detail: `after a step: ${detail}` });
  }

  private follow(event: EventRow): void {
    const { seq, hash, prevHash, taskId, operationId } = event;
    const told = operationId === null ? null : tell(event);
    if (seq !== this.head.seq + 1 || prevHash !== this.head.hash)
      this.say("I08", `event ${seq}`, `it does not follow event ${this.head.seq}`);
    this.head = { seq, hash };
    if (taskId === null) return;
    const task = this.tasks.get(taskId) ?? { state: null, token: 0, owner: null, isPageProved: false };
    this.tasks.set(taskId, task);
    this.followLease(event, task);
    if (event.type === "PageVerified") task.isPageProved = true;
    if (told !== null && operationId !== null) this.followCall(told, operationId, task);
    this.followState(event, task);
  }

  private followLease({ type, seq, actor, fencingToken }: EventRow, task: Followed): void {
    if (type === "LeaseClaimed") {
      if (fencingToken !== task.token + 1)
        this.say("I05", `event ${seq}`, `it claims ${fencingToken} after ${task.token}`);
      task.token = fencingToken ?? 0;
      task.owner = actor;
      return;
    }
    if (!actor.startsWith("executor:")) return;
    const isHolder = actor === task.owner || type === "LateAnswerKept";
    if (fencingToken !== task.token || !isHolder)
      this.say(
        "I05",
        `event ${seq} ${type}`,
        `${actor} wrote it under ${fencingToken}, ${task.owner} holds ${task.token}`,
      );
    if (type === "LeaseReleased") task.owner = null;
  }

  private followCall(event: Told, operationId: string, task: Followed): void {
    if (event.type === "RequestSent") this.checkSent(event, this.ask.sent(operationId, event.at), task);
    const place = this.placeOf.get(operationId) ?? this.ask.placeOf(operationId);
    this.placeOf.set(operationId, place);
    const states = this.places.get(place) ?? new Map<string, ReplayedOperation | null>();
    this.places.set(place, states);
    if (event.type === "RequestSent")
      for (const state of states.values())
        if (mayBeOut(state)) this.say("I03", place, `event ${event.seq} sent into it while a call was ${state?.state}`);
    states.set(operationId, foldOperation(states.get(operationId) ?? null, event));
  }

  private checkSent(event: Told, sent: Sent, task: Followed): void {
    const { kind, operationKey, approvals, undoGrade, isAutomatic } = sent;
    if ((kind === "compensate") !== (task.state === "compensating"))
      this.say("I07", operationKey, `it was sent while the task was ${task.state}`);
    if (kind === "compensate") return;
    if (undoGrade === null) this.say("I07", operationKey, "it left without an undo on the stack");
    if (undoGrade === "D" && isAutomatic) this.say("I07", operationKey, "an irreversible action ran by itself");
    if (kind === "effect") return;
    if (approvals === 0)
      this.say(kind === "publish" ? "I02" : "I04", operationKey, "no living approval of these bytes");
    if (kind === "publish") task.isPageProved = false;
    else if (!task.isPageProved)
      this.say("I04", operationKey, `event ${event.seq} sent it before the page was verified`);
  }

  private followState(event: EventRow, task: Followed): void {
    const { seq, type, fromState, toState, taskId } = event;
    if (fromState !== null && fromState !== task.state)
      this.say("I08", `event ${seq} ${type}`, `it begins in ${fromState}, the task was ${task.state}`);
    if (toState === null) return;
    if (movesTask(event) && task.state !== null && isTerminal(task.state))
      this.say("I08", `event ${seq} ${type}`, `it moves a task that had ended as ${task.state}`);
    task.state = toState;
    if (toState === "succeeded" && this.ask.openEnds(taskId ?? "") > 0)
      this.say("I06", taskId ?? "", "it succeeded with calls or recipients that have no end");
    if (toState === "compensated" && this.ask.openUndos(taskId ?? "") > 0)
      this.say("I07", taskId ?? "", "it is compensated with entries or calls that have no end");
  }

  private compareRow(taskId: string): void {
    const row = this.ask.stateOf(taskId);
    const { state = null, token = 0 } = this.tasks.get(taskId) ?? {};
    if (row?.state !== state) this.say("I08", taskId, `the row says ${row?.state}, the events ${state}`);
    if (row?.token !== token) this.say("I05", taskId, `the row has token ${row?.token}, the newest claim ${token}`);
  }
}

const NOTHING_OUT: ReadonlySet<string> = new Set(["prepared", "cancelled", "rejected"]);

const mayBeOut = (state: ReplayedOperation | null): boolean =>
  state !== null && !NOTHING_OUT.has(state.state) && !(state.state === "not_found" && state.settled);
