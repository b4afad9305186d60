import { openScheduleFires } from "../../db/schedule-fires";
import { createWorkspaceTime } from "../adapters/trusted-time";
import { startEdition } from "../commands/start-edition";
import { startNextVersion } from "../commands/start-next-version";
import type { Workspace } from "../compose/workspace";
import type { TaskId } from "../domain/ids";
import type { Clock } from "../domain/ports";
import type { TaskRow } from "../domain/records";
import type { TaskView } from "../domain/view";
import { Scheduler } from "../engine/scheduler";
import { briefingDefinition } from "../pipeline/briefing/definition";
import { describeResult } from "./scenarios-recovering";
import { OPERATOR, SCENARIO_LANGUAGE } from "./scenarios-views";

/** The edition begins because a person says so. */
export function startEditionByHand(workspace: Workspace, clock: Clock, edition: string): string {
  const { trusted } = workspace.desk(OPERATOR);
  const desk = { journal: workspace.journal, clock, trusted, definition: briefingDefinition, actor: OPERATOR };
  return describeResult(startEdition(desk, { edition, language: SCENARIO_LANGUAGE }));
}

/** Another version of the same edition, due when the one before was. */
export function startAnotherVersion(workspace: Workspace, { id: taskId, deadlineAt }: TaskRow): string {
  const desk = { ...workspace.desk(OPERATOR), definition: briefingDefinition };
  return describeResult(startNextVersion(desk, { taskId, deadlineAt, reason: "other content is right" }));
}

/** One timer per workspace, each with a connection of its own, fire for one period. @returns what each of them recorded */
export function fireAtOnce(workspaces: readonly Workspace[], clock: Clock): string[] {
  const { zone } = briefingDefinition.deadlines;
  const schedule = { name: "weekly", pattern: "30 8 * * 1", zone, slot: "morning", activeFrom: clock.now() - 1 };
  const pipelines = [{ schedule, definition: briefingDefinition, language: SCENARIO_LANGUAGE }];
  const schedulers = workspaces.map(({ database, journal }) => {
    const fires = openScheduleFires(database.sqlite);
    return new Scheduler({ pipelines, journal, fires, clock, trusted: createWorkspaceTime(clock) });
  });
  for (const scheduler of schedulers) scheduler.runOnce();
  return schedulers.map((scheduler) => scheduler.status()[0]?.last?.key ?? "nothing");
}

/** The edition a scenario is about: the newest version that was started. @throws Error before any was. */
export function newestView({ reader, journal }: Workspace): TaskView {
  const id = reader
    .prepare<[], { id: TaskId }>("SELECT id FROM task ORDER BY created_at DESC, task_version DESC LIMIT 1")
    .get()?.id;
  const view = id === undefined ? null : journal.reader.view(id);
  if (!view) throw new Error("no edition was started");
  return view;
}
