import type { ExecuteResult, Journal } from "../../db/journal";
import type { Actor } from "../domain/commands";
import { definitionHash, type PipelineDefinition } from "../domain/definition";
import { taskKeyOf } from "../domain/keys";
import type { Clock, TrustedTime } from "../domain/ports";
import { deadlineOf } from "../domain/schedule";

/**
 * Starts an edition by hand or by the timer: one durable intent, version 1, due on the Monday of its week (I01).
 * @param input.edition ISO week such as `2026-W30`; @param input.startAt not before (ms UTC). By hand it is due at once, and
 * stays so when the clock on the wall was wrong and is set back: it would wait for a moment that nobody meant
 */
export function startEdition(
  desk: { journal: Journal; clock: Clock; trusted: TrustedTime; definition: PipelineDefinition; actor: Actor },
  input: { edition: string; language: string; startAt?: number; deadlineAt?: number },
): ExecuteResult {
  const { definition } = desk;
  const { dueLocal, zone } = definition.deadlines;
  return desk.journal.execute(
    {
      type: "create_task",
      taskKey: taskKeyOf(definition.name, input.edition, input.language),
      taskVersion: 1,
      pipeline: definition.name,
      definitionHash: definitionHash(definition),
      edition: input.edition,
      language: input.language,
      deadlineAt: input.deadlineAt ?? deadlineOf(input.edition, dueLocal, zone),
      zone,
      supersedesTaskId: null,
      context: { startAt: input.startAt ?? 0 },
    },
    { actor: desk.actor, now: desk.clock.now(), trusted: desk.trusted.read() },
  );
}
