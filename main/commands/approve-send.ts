import type { ExecuteResult } from "../../db/journal";
import type { TaskId } from "../domain/ids";
import { type Desk, executeAsked, executeMade, type PipelineDesk, type Wish } from "./desk";

type Seen = { taskId: TaskId; expectedVersion: number } & Parameters<PipelineDesk["sendApproval"]>[1];

/** Approves the mailing of exactly this page, body and audience, with the typed confirmation. */
export const approveSend = (desk: Desk, seen: Seen): ExecuteResult => executeMade(desk, wishOf(desk, seen));

/** The same, where the key may have to be asked for: an agent's, a hardware key that waits to be touched. */
export const approveSendAsking = (desk: Desk, seen: Seen): Promise<ExecuteResult> =>
  executeAsked(desk, wishOf(desk, seen));

const wishOf = ({ pipeline }: Desk, seen: Seen): Wish => ({
  taskId: seen.taskId,
  expectedVersion: seen.expectedVersion,
  make: (view) => pipeline.sendApproval(view, seen),
});
