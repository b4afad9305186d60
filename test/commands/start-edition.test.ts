import { expect, test } from "vitest";
import { Journal } from "../../db/journal";
import { createWorkspaceTime } from "../../main/adapters/trusted-time";
import { createWorkspaceClock } from "../../main/adapters/workspace-clock";
import { startEdition } from "../../main/commands/start-edition";
import { deadlineOf } from "../../main/domain/schedule";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";
import { briefingNext } from "../../main/pipeline/briefing/next";
import { openMemoryJournal } from "../../main/simulation/memory";

const MONDAY = deadlineOf("2026-W30", "08:00", briefingDefinition.deadlines.zone);
const NINE_DAYS_MS = 9 * 86_400_000;

test("an edition begun by hand under a clock that was wrong does not wait for the wrong time", () => {
  const wrong = createWorkspaceClock({ start: MONDAY + NINE_DAYS_MS });
  const crash = { reach: () => undefined };
  const journal = new Journal({
    sqlite: openMemoryJournal(MONDAY),
    definitions: [briefingDefinition],
    crash,
    now: () => wrong.now(),
  });
  const desk = { journal, clock: wrong, trusted: createWorkspaceTime(wrong), definition: briefingDefinition };
  const started = startEdition({ ...desk, actor: "editor:lin" }, { edition: "2026-W30", language: "en" });
  expect(started.result).toBe("applied");

  const [task] = journal.reader.liveTasks();
  const view = task && journal.reader.view(task.id);
  if (!view) throw new Error("the edition has no task");
  const next = briefingNext(
    () => {
      throw new Error("nothing is sent yet");
    },
    () => 1,
  );
  const setRight = { now: MONDAY, trustedAt: MONDAY, inFlight: new Set<never>() };
  expect(next(view, setRight)).toMatchObject({ do: "transition", intent: { event: "CollectStarted" } });
  const context = { actor: "executor:a", now: MONDAY, trusted: { at: MONDAY, trusted: true, source: "test" } } as const;
  journal.execute({ type: "claim_lease", taskId: view.task.id }, context);
  const collecting = journal.execute(
    { type: "transition", taskId: view.task.id, event: "CollectStarted" },
    { ...context, expectedVersion: 0, fencingToken: 1 },
  );
  expect(collecting.result).toBe("applied");
});
