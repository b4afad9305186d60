import type { Output } from "../../../preload/contract";
import { seenObjects } from "../../domain/decide/incident";
import { taskKeyOf } from "../../domain/keys";
import { editionAfter } from "../../domain/schedule";
import type { TaskView } from "../../domain/view";

type IncidentView = NonNullable<Output<"run.get">>["incidents"][number];

/** The open incidents that freeze a task's writes, each with the objects that opened it. */
export function incidentViews(view: TaskView): IncidentView[] {
  const { pipeline, edition, language } = view.task;
  return view.freezes().map((incident) => ({
    id: incident.id,
    rule: incident.rule,
    scope: incident.scope,
    scopeValue: incident.scopeValue,
    openedAt: incident.openedAt,
    openedBy: incident.openedBy,
    objects: seenObjects(view, incident).map(({ remoteId, url, state }) => ({ remoteId, url, state })),
    nextTaskKey: taskKeyOf(pipeline, editionAfter(edition), language),
  }));
}
