import type { ExecuteResult } from "../../db/journal";
import { closeCompensation } from "../commands/close-compensation";
import { closeIncident } from "../commands/close-incident";
import type { Desk } from "../commands/desk";
import { resumeCompensation } from "../commands/resume-compensation";
import { startCompensation } from "../commands/start-compensation";
import { folderSigner } from "../compose/approval-signer";
import type { Workspace } from "../compose/workspace";
import { planHash } from "../domain/compensation";
import type { CompensationId } from "../domain/ids";
import { taskKeyOf } from "../domain/keys";
import type { TaskRow } from "../domain/records";
import type { TaskView } from "../domain/view";
import { observeDuplicate } from "../pipeline/briefing/incident-evidence";
import { OPERATOR } from "./scenarios-views";

/** What the operator needs of the stage: the workspace of the moment, and the edition it is about. */
export interface OperatorPlace {
  workspace(): Workspace;
  view(): TaskView;
  /** Keeps what was asked for and what came of it. */
  note(asked: string, result: string): void;
}

/** `applied`, or the result with the codes of everything that was missing; a piece of evidence by its name. */
export function describeResult(result: ExecuteResult): string {
  if (result.result === "applied") return "applied";
  if (result.result === "unavailable") return `unavailable: ${result.code}`;
  const named = result.unmet.map(({ code, values }) =>
    code === "incident_evidence_missing" ? String(values["what"]) : code,
  );
  return [`${result.result}:`, ...new Set(named)].join(" ");
}

/** What a person does when something is to be undone or an incident to be closed. */
export class RecoveringOperator {
  constructor(protected readonly place: OperatorPlace) {}

  startCompensation(reason: string): string {
    const read = planHash(this.place.view().compensations());
    return this.give("start_compensation", (desk, { id: taskId, stateVersion: expectedVersion }) =>
      startCompensation(desk, { taskId, expectedVersion, planHash: read, reason }),
    );
  }

  resumeUndo(action: string, reason: string): string {
    const compensationId = this.entry(action);
    return this.give(`resume ${action}`, (desk, { id: taskId, stateVersion: expectedVersion }) =>
      resumeCompensation(desk, { taskId, expectedVersion, compensationId, reason }),
    );
  }

  closeUndo(action: string, note: string): string {
    const compensationId = this.entry(action);
    return this.give(`close ${action}`, (desk, { id: taskId, stateVersion: expectedVersion }) =>
      closeCompensation(desk, { taskId, expectedVersion, compensationId, note, evidence: "desk note 12" }),
    );
  }

  async closeIncident(canonicalId: string, released: boolean): Promise<string> {
    const view = this.place.view();
    const operation = view.operations().find((row) => row.kind === "publish" && row.phase === "create");
    const incident = view.freezes()[0];
    if (!operation || !incident) throw new Error("there is no incident to close");
    const observed = await observeDuplicate(this.place.workspace().ports, view, operation, canonicalId);
    const word = released ? "released by the owner at 09:40" : "";
    return this.give("close_incident", (desk, task) =>
      closeIncident(desk, {
        taskId: task.id,
        expectedVersion: task.stateVersion,
        incidentId: incident.id,
        evidence: {
          ...observed.evidence,
          schedulerReleased: word,
          drafterReleased: word,
          nextTaskKey: taskKeyOf(task.pipeline, "2026-W31", task.language),
        },
        artifacts: observed.artifacts,
        reason: "a gateway had repeated the request; the second page is down",
      }),
    );
  }

  private entry(action: string): CompensationId {
    const found = this.place
      .view()
      .compensations()
      .find((row) => row.action === action);
    if (!found) throw new Error(`the edition has no undo entry ${action}`);
    return found.id;
  }

  protected give(asked: string, run: (desk: Desk, task: TaskRow) => ExecuteResult): string {
    const workspace = this.place.workspace();
    const desk = { ...workspace.desk(OPERATOR), signer: folderSigner(workspace) };
    const answer = describeResult(run(desk, this.place.view().task));
    this.place.note(asked, answer);
    return answer;
  }
}
