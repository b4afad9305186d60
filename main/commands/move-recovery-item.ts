import type { ExecuteResult } from "../../db/journal";
import type { Command } from "../domain/commands";
import { type Desk, executeFor } from "./desk";

type MoveItem = Omit<Extract<Command, { type: "move_recovery_item" }>, "type">;

/** A person takes a recovery item on, with what they did, what proved it and how long it took (domain 10). */
export function moveRecoveryItem(desk: Desk, input: MoveItem & { expectedVersion: number }): ExecuteResult {
  const { expectedVersion, ...move } = input;
  return executeFor(desk, { type: "move_recovery_item", ...move }, expectedVersion);
}
