import type { ExecuteResult } from "../../db/journal";
import type { IncidentCommand } from "../domain/incident-command";
import { type Desk, executeFor } from "./desk";

/**
 * What a person does about an incident: opens it, passes a step of its runbook, notes, pins, ends it (domain 10). It needs no
 * version of the task: who freezes something at night must not be told that the task has moved on meanwhile.
 */
export const workOnIncident = (desk: Desk, command: IncidentCommand): ExecuteResult => executeFor(desk, command);
