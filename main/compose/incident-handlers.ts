import type { ExecuteResult } from "../../db/journal";
import type { Output } from "../../preload/contract";
import type { Desk } from "../commands/desk";
import { workOnIncident } from "../commands/work-on-incident";
import type { OperationId, TaskId } from "../domain/ids";
import type { Handlers } from "./channel-handlers";
import { closeObservedIncident } from "./close-observed-incident";
import { settleIncident } from "./settle-incident";
import type { Views } from "./views";
import type { Workspace } from "./workspace";

type IncidentChannel = Extract<keyof Handlers, `incident.${string}`>;

/** The incident screens and everything that a person does there. */
export function incidentHandlers(
  workspace: Workspace,
  views: Views,
  desk: Desk,
  reply: (result: ExecuteResult) => Output<"edition.start">,
): Pick<Handlers, IncidentChannel> {
  const at = <T extends { taskId: string | null }>(input: T) => ({ ...input, taskId: input.taskId as TaskId | null });
  return {
    "incident.list": () => views.incidents(),
    "incident.get": (input) => views.incident(input),
    "incident.open": ({ operationId, ...input }) =>
      reply(
        workOnIncident(desk, {
          ...{ type: "open_incident", rule: "by_hand", operationId: operationId as OperationId | null },
          ...at(input),
        }),
      ),
    "incident.passStep": (input) => reply(workOnIncident(desk, { type: "pass_runbook_step", ...at(input) })),
    "incident.note": (input) => reply(workOnIncident(desk, { type: "note_incident", ...at(input) })),
    "incident.pin": (input) => reply(workOnIncident(desk, { type: "pin_incident_event", ...at(input) })),
    "incident.settle": async (input) => reply(await settleIncident(workspace, desk, input)),
    "incident.close": async (input) => reply(await closeObservedIncident(workspace, desk, input)),
  };
}
