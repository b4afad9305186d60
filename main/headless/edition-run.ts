import type { ExecuteResult } from "../../db/journal";
import type { SandboxControl } from "../adapters/sandbox-control";
import { driveUntil, type WorkspaceClock } from "../adapters/workspace-clock";
import { approveContent } from "../commands/approve-content";
import { approveSend } from "../commands/approve-send";
import { startEdition } from "../commands/start-edition";
import { folderSigner } from "../compose/approval-signer";
import type { Workspace } from "../compose/workspace";
import { isTerminal } from "../domain/definition";
import type { TaskId } from "../domain/ids";
import { taskKeyOf } from "../domain/keys";
import type { TaskRow } from "../domain/records";
import { briefingDefinition } from "../pipeline/briefing/definition";
import { sendConfirmation } from "../pipeline/briefing/desk";

/** The name under which the script stands for a person in every event it causes. */
const OPERATOR = "operator-script" as const;
/** How long the script reads before it decides: the ledger's medians (domain 11). */
const CONTENT_READING_MS = 7 * 60_000;
const SEND_READING_MS = 3 * 60_000;
/** An edition takes well under a hundred passes; more means that something turns in circles. */
const MAX_PASSES = 2_000;

export interface EditionRun {
  task: TaskRow;
  /** Null when the edition ended; else why the script stopped: a refusal, a block, or nothing left to wait for. */
  stopped: string | null;
}

/**
 * Takes one edition as far as it goes, moving the workspace clock and deciding as a person would who finds everything right.
 * Safe to call again after a kill: it goes on with the task that is there.
 * @param options.unavailable why the journal cannot be written, once it cannot: a script can free no disk
 * @throws what made the journal unavailable
 */
export async function runEdition(
  workspace: Workspace,
  options: {
    clock: WorkspaceClock;
    control: SandboxControl;
    edition: string;
    language: string;
    unavailable?(): unknown;
  },
): Promise<EditionRun> {
  const { clock, control } = options;
  const taskId = findOrStart(workspace, options);
  const isWithheld = async () => (await control.withheld()) > 0;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const dueAt = await driveUntil(workspace.executor.runOnce(), { clock, isWithheld });
    const unavailable = options.unavailable?.() ?? null;
    if (unavailable !== null) throw unavailable;
    const task = taskOf(workspace, taskId);
    if (isTerminal(task.state)) return { task, stopped: null };
    const decided = await decide(workspace, task, clock);
    if (decided !== null) {
      if (decided.result === "applied") continue;
      return { task, stopped: `the script's approval was refused: ${JSON.stringify(decided)}` };
    }
    if (task.state === "blocked" && !hasOpenLooks(workspace, taskId))
      return { task, stopped: `blocked: ${task.blockedReason}` };
    if (task.state === "awaiting_observation")
      return { task, stopped: "recipients without an outcome are left to a person" };
    if (dueAt === null) return { task, stopped: `nothing is due in ${task.state}` };
    if (dueAt > clock.now()) await clock.advanceTo(dueAt);
  }
  return { task: taskOf(workspace, taskId), stopped: "the edition turned in circles" };
}

function findOrStart(
  workspace: Workspace,
  options: { clock: WorkspaceClock; edition: string; language: string },
): TaskId {
  const { journal } = workspace;
  const { edition, language } = options;
  const existing = journal.reader.tasksByKey(taskKeyOf(briefingDefinition.name, edition, language)).at(-1);
  if (existing) return existing.id;
  const { trusted } = workspace.desk(OPERATOR);
  const started = startEdition(
    { journal, clock: options.clock, trusted, definition: briefingDefinition, actor: OPERATOR },
    { edition, language },
  );
  if (started.result !== "applied" || started.taskId === null)
    throw new Error(`the edition could not be started: ${JSON.stringify(started)}`);
  return started.taskId;
}

function taskOf(workspace: Workspace, id: TaskId): TaskRow {
  const task = workspace.journal.reader.task(id);
  if (!task) throw new Error(`the journal has no task ${id}`);
  return task;
}

const hasOpenLooks = (workspace: Workspace, id: TaskId): boolean =>
  workspace.journal.reader
    .view(id)
    ?.operations()
    .some((operation) => operation.state === "unknown" && operation.nextLookAt !== null) ?? false;

/** @returns null in every state in which nobody is asked. */
async function decide(workspace: Workspace, task: TaskRow, clock: WorkspaceClock): Promise<ExecuteResult | null> {
  const { context } = task;
  const desk = { ...workspace.desk(OPERATOR), signer: folderSigner(workspace) };
  const common = { taskId: task.id, expectedVersion: task.stateVersion };
  if (task.state === "awaiting_content_approval") {
    await clock.advanceBy(CONTENT_READING_MS);
    const acknowledged = String(context["warnings"] ?? "")
      .split("\n")
      .filter((id) => id !== "");
    const seen = {
      packageHash: String(context["packageHash"]),
      contentHash: String(context["contentHash"]),
      acknowledged,
      readSections: ["all"],
    };
    return approveContent(desk, { ...common, ...seen, comparedWith: { choice: "nothing", hash: null } });
  }
  if (task.state === "awaiting_send_approval") {
    await clock.advanceBy(SEND_READING_MS);
    const typed = sendConfirmation(task.edition, Number(context["audienceCount"]));
    const acknowledgedAdditions =
      workspace.journal.reader
        .view(task.id)
        ?.recipients()
        .map((row) => row.recipientId) ?? [];
    const seen = {
      pageUrl: String(context["pageUrl"]),
      bodyHash: String(context["bodyHash"]),
      audienceHash: String(context["audienceHash"]),
    };
    return approveSend(desk, { ...common, ...seen, typed, acknowledgedAdditions });
  }
  return null;
}
