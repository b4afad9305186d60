import type { TaskRow } from "../../domain/records";
import { briefingDefinition } from "./definition";
import { contextOf } from "./frozen";

/** Nothing goes on with this edition by itself: a gate or a block, or a rejected mailing that waits for new words. */
export const waitsForPerson = (task: TaskRow): boolean =>
  (briefingDefinition.humanStates as readonly string[]).includes(task.state) || waitsForWords(task);

/** The mailing was rejected, and its words were not written anew yet. */
export const waitsForWords = (task: TaskRow): boolean =>
  task.state === "published" && contextOf(task, "sendRejected") === 1;
