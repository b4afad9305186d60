import type { ExecuteResult } from "../../db/journal";
import { closeIncident } from "../commands/close-incident";
import type { Desk } from "../commands/desk";
import { taskKeyOf } from "../domain/keys";
import type { TaskRow } from "../domain/records";
import { observeDuplicate } from "../pipeline/briefing/incident-evidence";
import type { BriefingPorts } from "../pipeline/briefing/ports";
import type { RemoteCore } from "./remote-core";

interface Around {
  core: RemoteCore;
  ports(): BriefingPorts | null;
  /** The edition after this one. */
  nextEdition(): string;
  note(text: string): void;
}

/** What somebody does at the website's own screen; the program has no part in it. */
const TAKE_DOWN = { key: "by hand", status: "draft", expectedRevision: null };

/**
 * Two pages in one place: the owner keeps the first, takes the other down at the website's own screen, and closes the incident with
 * what can be seen then. Too early, it is refused and asked for again another time.
 */
export async function closeDuplicate(around: Around, desk: Desk, task: TaskRow): Promise<void> {
  const view = desk.journal.reader.view(task.id);
  const incident = view?.freezes()[0];
  const operation = view?.operations().find((row) => row.kind === "publish" && row.phase === "create");
  const ports = around.ports();
  if (!view || !incident || !operation || !ports) return;
  const [canonical, ...others] = around.core.posts.filter(({ key }) => key === operation.operationKey);
  if (!canonical) return;
  for (const { id, versions } of others)
    if (versions.at(-1)?.status === "published") around.core.changePost(id, TAKE_DOWN, desk.clock.now());
  const observed = await observeDuplicate(ports, view, operation, canonical.id);
  const released = "released by the owner";
  const answer: ExecuteResult = closeIncident(desk, {
    taskId: task.id,
    expectedVersion: task.stateVersion,
    incidentId: incident.id,
    evidence: {
      ...observed.evidence,
      schedulerReleased: released,
      drafterReleased: released,
      nextTaskKey: taskKeyOf(task.pipeline, around.nextEdition(), task.language),
    },
    artifacts: observed.artifacts,
    reason: "the website had carried a request out twice; the second page is down",
  });
  const unmet = "unmet" in answer ? ` ${answer.unmet.map(({ values }) => String(values["what"])).join(",")}` : "";
  around.note(`close incident in ${task.state}: ${answer.result}${unmet}`);
}
