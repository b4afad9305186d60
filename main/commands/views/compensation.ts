import { type CompensationRows, readCompensation } from "../../../db/queries/compensation";
import type { Input, Output } from "../../../preload/contract";
import { isFinished, planHash, undoOrder } from "../../domain/compensation";
import { isTerminal } from "../../domain/definition";
import type { TaskId } from "../../domain/ids";
import { hasLeft } from "../../domain/operation";
import type { TaskView } from "../../domain/view";
import { dryRun, WRITTEN } from "./dry-run";
import { undoEntry } from "./undo-entry";
import { openUndoEvent, type UndoTold } from "./undo-steps";
import { dryContext, type ViewPorts } from "./view-ports";

type Compensation = NonNullable<Output<"compensation.get">>;

const DAY_MS = 86_400_000;

/** The undo of one edition: what would be done, what is being done and by whom, and what it came to (domain 9). */
export function compensationView(ports: ViewPorts, asked: Input<"compensation.get">): Output<"compensation.get"> {
  const clock = ports.clock();
  return readCompensation(ports.queries, asked.taskId as TaskId, (rows) => assemble(ports, rows, clock));
}

function assemble(ports: ViewPorts, rows: CompensationRows, clock: Compensation["clock"]): Compensation {
  const { view, items } = rows;
  const { task, definition } = view;
  const entries = view.compensations();
  const told = rows.events.map(openUndoEvent);
  const context = dryContext(ports, view, clock.now);
  const hash = planHash(entries);
  const start = dryRun(
    view,
    {
      command: {
        type: "transition",
        taskId: task.id,
        event: "CompensationStarted",
        reason: WRITTEN,
        payload: { planHash: hash },
      },
    },
    context,
  );
  return {
    taskId: task.id,
    edition: task.edition,
    taskVersion: task.taskVersion,
    state: task.state,
    stateVersion: task.stateVersion,
    phase: phaseOf(task.state),
    planHash: hash,
    entries: undoOrder(entries).map((entry) => undoEntry(view, entry, told, items, context)),
    finished: entries.filter(isFinished).length,
    start,
    started: startedOf(told),
    endedAt: told.filter((event) => event.type === "Compensated").at(-1)?.at ?? null,
    mailed: mailedTo(view),
    failures: { today: view.undoFailures(clock.now - DAY_MS), limit: definition.undoFailuresPerDay },
    clock,
  };
}

function phaseOf(state: string): Compensation["phase"] {
  if (state === "compensating") return "running";
  if (state === "compensated") return "ended";
  return isTerminal(state) ? "over" : "before";
}

function startedOf(told: readonly UndoTold[]): Compensation["started"] {
  const event = told.filter((one) => one.type === "CompensationStarted").at(-1);
  if (event === undefined) return null;
  const hash = event.payload["planHash"];
  return { at: event.at, by: event.actor, reason: event.reason, planHash: typeof hash === "string" ? hash : null };
}

/** Recipients whose mail left or may have left: those are not to be called back by anything. */
function mailedTo(view: TaskView): number {
  const isMailed = view
    .operations()
    .some((row) => row.kind === "send" && row.phase !== "create" && hasLeft(row) && row.state !== "not_found");
  return isMailed ? view.recipients().filter((row) => row.outcome !== "excluded").length : 0;
}
