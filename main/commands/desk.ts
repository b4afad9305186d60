import type { ExecuteResult, Journal } from "../../db/journal";
import type { Actor, Command, CommandContext, TransitionCommand } from "../domain/commands";
import type { TaskId } from "../domain/ids";
import type { Clock, TrustedTime } from "../domain/ports";
import { unmet } from "../domain/unmet";
import type { TaskView } from "../domain/view";
import type { DraftDesk } from "./draft-desk";
import type { Made } from "./made";
import { type ApprovalSigner, type Signed, signApproval } from "./sign-approval";

/** What a pipeline can make of a person's wish. The pipeline knows its content; the commands know the person and the journal. */
export interface PipelineDesk {
  contentApproval(
    view: TaskView,
    seen: {
      packageHash: string;
      contentHash: string;
      comparedWith: { choice: string; hash: string | null };
      acknowledged: readonly string[];
      readSections: readonly string[];
    },
  ): Made;
  sendApproval(
    view: TaskView,
    seen: {
      pageUrl: string;
      bodyHash: string;
      audienceHash: string;
      typed: string;
      acknowledgedAdditions: readonly string[];
    },
  ): Made;
  contentEdit(
    view: TaskView,
    basePackageHash: string | null,
    edit: { title: string; intro: string; facts: readonly { id: string; headline: string; statement: string }[] },
  ): Made;
  draft: DraftDesk;
  emailEdit(view: TaskView, words: { subject: string; intro: string }): Command;
  unblocking(view: TaskView, way: { to: string; evidence: string; newDeadlineAt?: number }): TransitionCommand;
}

/** A person at the journal: who, with what clock, through which desk. */
export interface Desk {
  actor: Actor;
  journal: Journal;
  clock: Clock;
  trusted: TrustedTime;
  pipeline: PipelineDesk;
  /** Signs what the person approves; absent where no key is kept. */
  signer?: ApprovalSigner;
}

/** Executes a person's command; without `expectedVersion` it is about the task as it is now. */
export function executeFor(desk: Desk, command: Command, expectedVersion?: number): ExecuteResult {
  return desk.journal.execute(command, contextOf(desk, command, expectedVersion));
}

function contextOf(desk: Desk, command: Command, expectedVersion: number | undefined): CommandContext {
  const version =
    expectedVersion ??
    ("taskId" in command && command.taskId !== null
      ? desk.journal.reader.task(command.taskId)?.stateVersion
      : undefined);
  return {
    actor: desk.actor,
    now: desk.clock.now(),
    trusted: desk.trusted.read(),
    ...(version === undefined ? {} : { expectedVersion: version }),
  };
}

/** What a person wants of a task: made of the task as it is at the moment. */
export interface Wish {
  taskId: TaskId;
  expectedVersion: number | undefined;
  make(view: TaskView): Made;
}

/**
 * Loads the task, makes the command, signs what it approves, executes it: the way of everything a person may do. A key that has
 * to be asked for is not asked here: `executeAsked` does that.
 */
export function executeMade(desk: Desk, wish: Wish): ExecuteResult {
  const tried = tryNow(desk, wish);
  if ("answer" in tried) return tried.answer;
  return { result: "guard_failed", unmet: [unmet("signing_agent_missing")] };
}

/**
 * The same, with a key that somebody else has and that may take a while. Nothing is held meanwhile: once the signature is there
 * the task is loaded and the command made anew, its hashes computed again, and everything is asked as at a click. What was signed
 * has to be, word for word, what is approved by then.
 */
export async function executeAsked(desk: Desk, wish: Wish): Promise<ExecuteResult> {
  const tried = tryNow(desk, wish);
  if ("answer" in tried) return tried.answer;
  const signed = await tried.asks();
  if (signed.kind === "failed") return { result: "guard_failed", unmet: [signed.unmet] };
  const made = makeNow(desk, wish);
  if ("answer" in made) return made.answer;
  const { trusted, expectedVersion } = tried.context;
  const command = { ...made.command, approvalSignature: signed.signature, approvalStated: trusted };
  return desk.journal.execute(command, contextOf(desk, command, expectedVersion));
}

function makeNow(
  desk: Desk,
  { taskId, make }: Wish,
): { answer: ExecuteResult } | { view: TaskView; command: TransitionCommand } {
  const view = desk.journal.reader.view(taskId);
  if (!view) return { answer: { result: "not_found", unmet: [{ code: "task_not_found", values: { task: taskId } }] } };
  const made = make(view);
  if ("unmet" in made) return { answer: { result: "guard_failed", unmet: made.unmet } };
  return { view, command: made.command };
}

function tryNow(
  desk: Desk,
  wish: Wish,
): { answer: ExecuteResult } | { asks(): Promise<Signed>; context: CommandContext } {
  const made = makeNow(desk, wish);
  if ("answer" in made) return made;
  const context = contextOf(desk, made.command, wish.expectedVersion);
  const signed = signApproval(desk.signer, made.view, made.command, context);
  if ("unmet" in signed) return { answer: { result: "guard_failed", unmet: signed.unmet } };
  if ("asks" in signed) return { asks: signed.asks, context };
  return { answer: desk.journal.execute(signed.command, context) };
}
