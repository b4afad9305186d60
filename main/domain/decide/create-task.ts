import type { Command, CommandContext } from "../commands";
import type { PipelineDefinition } from "../definition";
import { definitionHash, isTerminal } from "../definition";
import { derivedId, GENESIS } from "../hashing";
import { asTaskId } from "../ids";
import { type Decision, draftEvent, refuse } from "../plan";
import type { TaskRow } from "../records";
import { type Unmet, unmet } from "../unmet";

type CreateTask = Extract<Command, { type: "create_task" }>;

/**
 * One durable intent for one edition. At most one is live per key; a timer makes version 1 only; a further version names
 * what it supersedes (I01). A definition other than the registered one is refused by its hash (case C7).
 */
export function decideCreateTask(
  existing: readonly Pick<TaskRow, "id" | "taskVersion" | "state">[],
  definition: PipelineDefinition,
  command: CreateTask,
  context: CommandContext,
): Decision {
  const missing: Unmet[] = [];
  const live = existing.find((task) => !isTerminal(task.state));
  if (live) missing.push(unmet("task_live_already", { task: live.id, state: live.state }));
  if (existing.some((task) => task.taskVersion === command.taskVersion))
    missing.push(unmet("task_version_exists", { version: command.taskVersion }));
  if (context.actor === "scheduler" && command.taskVersion !== 1) missing.push(unmet("timer_only_version_1"));
  if (command.taskVersion > 1 && !existing.some((task) => task.id === command.supersedesTaskId))
    missing.push(unmet("supersedes_missing"));
  if (definitionHash(definition) !== command.definitionHash)
    missing.push(unmet("definition_stale", { pipeline: command.pipeline }));
  if (missing.length > 0) return refuse("guard_failed", ...missing);
  const task = newTask(definition, command, context);
  const event = draftEvent("TaskCreated", {
    toState: task.state,
    reason: command.reason ?? null,
    payload: {
      taskKey: task.taskKey,
      taskVersion: task.taskVersion,
      edition: task.edition,
      definitionHash: task.definitionHash,
      deadlineAt: task.deadlineAt,
      context: command.context ?? {},
    },
  });
  return { ok: true, plan: { task: { id: task.id }, events: [event], writes: [{ table: "task", insert: task }] } };
}

function newTask(definition: PipelineDefinition, command: CreateTask, context: CommandContext): TaskRow {
  return {
    id: asTaskId(derivedId("t", command.taskKey, command.taskVersion)),
    taskKey: command.taskKey,
    taskVersion: command.taskVersion,
    pipeline: command.pipeline,
    definitionHash: command.definitionHash,
    edition: command.edition,
    language: command.language,
    state: definition.initialState,
    stateVersion: 0,
    stateSince: context.now,
    resumeState: null,
    retryAt: null,
    blockedReason: null,
    deadlineAt: command.deadlineAt,
    zone: command.zone,
    leaseOwner: null,
    fencingToken: 0,
    leaseExpiresAt: null,
    lastHeartbeatAt: null,
    takeoverToken: 0,
    supersedesTaskId: command.supersedesTaskId,
    owner: definition.owner,
    backupOwner: definition.backupOwner,
    callsUsed: 0,
    context: {},
    createdBy: context.actor,
    createdAt: context.now,
    taskSeq: 0,
    taskHead: GENESIS,
  };
}
