import type { ExecuteResult } from "../../db/journal";
import type { SandboxControl } from "../adapters/sandbox-control";
import { driveUntil, type WorkspaceClock } from "../adapters/workspace-clock";
import { closeCompensation } from "../commands/close-compensation";
import { giveVerdict } from "../commands/give-verdict";
import { startEdition } from "../commands/start-edition";
import { unblock } from "../commands/unblock";
import type { Workspace } from "../compose/workspace";
import { isTerminal } from "../domain/definition";
import type { TaskId } from "../domain/ids";
import { taskKeyOf } from "../domain/keys";
import type { TaskView } from "../domain/view";
import { membershipDefinition } from "../pipeline/membership-cancellation/definition";

/** Stands for the person at the membership desk, and is named so in every event. */
const OPERATOR = "operator-script" as const;
/** The member of the origin's incident. */
export const MEMBER = "U-88";
/** Long enough for every wait of the way and of the way back. */
const RUN_MS = 2 * 3_600_000;
const MAX_PASSES = 500;
/** How long the script takes to ring the gateway's desk, and then the member. */
const ASKING_MS = 10 * 60_000;

export interface MembershipRun {
  taskId: TaskId;
  /** Null when the task ended; else why the script stopped. */
  stopped: string | null;
}

/** Takes one cancellation as far as it goes, with the two things that only a person can do. Safe to call again after a kill. */
export async function runMembership(
  workspace: Workspace,
  options: { clock: WorkspaceClock; control: SandboxControl; language: string },
): Promise<MembershipRun> {
  const { clock, control } = options;
  const taskId = findOrStart(workspace, options);
  const isWithheld = async () => (await control.withheld()) > 0;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const dueAt = await driveUntil(workspace.executor.runOnce(), { clock, isWithheld });
    const view = viewOf(workspace, taskId);
    if (isTerminal(view.task.state)) return { taskId, stopped: null };
    const decided = await decide(workspace, view, options);
    if (decided !== null && decided.result !== "applied")
      return { taskId, stopped: `the script was refused: ${JSON.stringify(decided)}` };
    if (decided !== null) continue;
    if (view.task.state === "blocked") return { taskId, stopped: `blocked: ${view.task.blockedReason}` };
    if (dueAt === null) return { taskId, stopped: `nothing is due in ${view.task.state}` };
    if (dueAt > clock.now()) await clock.advanceTo(dueAt);
  }
  return { taskId, stopped: "the cancellation turned in circles" };
}

function findOrStart(workspace: Workspace, options: { clock: WorkspaceClock; language: string }): TaskId {
  const { journal } = workspace;
  const { clock, language } = options;
  const existing = journal.reader.tasksByKey(taskKeyOf(membershipDefinition.name, MEMBER, language)).at(-1);
  if (existing) return existing.id;
  const { trusted } = workspace.desk(OPERATOR);
  const started = startEdition(
    { journal, clock, trusted, definition: membershipDefinition, actor: OPERATOR },
    { edition: MEMBER, language, deadlineAt: clock.now() + RUN_MS },
  );
  if (started.result !== "applied" || started.taskId === null)
    throw new Error(`the cancellation could not be started: ${JSON.stringify(started)}`);
  return started.taskId;
}

function viewOf(workspace: Workspace, id: TaskId): TaskView {
  const view = workspace.journal.reader.view(id);
  if (!view) throw new Error(`the journal has no task ${id}`);
  return view;
}

/** @returns null where nobody is asked. */
async function decide(
  workspace: Workspace,
  view: TaskView,
  options: { clock: WorkspaceClock; control: SandboxControl },
): Promise<ExecuteResult | null> {
  const { clock, control } = options;
  const { task } = view;
  const common = { taskId: task.id, expectedVersion: task.stateVersion };
  const lost = view.operations().find((row) => row.kind === "effect" && row.state === "locked");
  if (lost) {
    // No query exists: the gateway's own desk is asked, by telephone.
    await clock.advanceBy(ASKING_MS);
    const messages = (await control.records())?.services?.messages ?? [];
    const message = messages.find((candidate) => candidate.key === lost.operationKey);
    return giveVerdict(workspace.desk(OPERATOR), {
      taskId: task.id,
      operationId: lost.id,
      verdict: message ? "happened" : "did_not_happen",
      remoteId: message?.id ?? null,
      evidence: message ? `the gateway's desk has message ${message.id}` : "the gateway's desk has no such message",
    });
  }
  if (task.state === "blocked" && task.blockedReason === "outcome_unknown") {
    // Proven absent: too many of the writes cannot be asked for, so that it goes out anew is a person's word (domain 11).
    await clock.advanceBy(ASKING_MS);
    const evidence = "the membership system's own record shows no such change";
    return unblock(workspace.desk(OPERATOR), { ...common, to: task.resumeState ?? "", evidence });
  }
  const handed = view
    .compensations()
    .find((row) => row.state === "running" && row.steps[row.stepsDone]?.kind === "person");
  if (!handed) return null;
  await clock.advanceBy(ASKING_MS);
  return closeCompensation(workspace.desk(OPERATOR), {
    ...common,
    compensationId: handed.id,
    note: "the member was called: the membership goes on, the vouchers are usable, the message is void",
    evidence: "https://desk.example/calls/U-88",
  });
}
