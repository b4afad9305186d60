import type { z } from "zod";
import type { DrillQuestion } from "../../preload/contract";
import { incidentFacts, scopeWords } from "../commands/views/incident-facts";
import type { DrillChoice, DrillQuestionKind } from "../domain/drill-led";
import type { IncidentKind } from "../domain/incident";
import { fillIn, RUNBOOK_FACTS, type Runbook, type Words } from "../domain/runbook";
import { runbookOf } from "../domain/runbooks";
import type { TaskView } from "../domain/view";
import { callInDoubt, type LedStage } from "./drill-led-stage";

export type Question = z.infer<typeof DrillQuestion>;

interface Asked {
  number: number;
  what: DrillQuestionKind;
  choices: readonly DrillChoice[];
  last: Question["last"];
  kind: IncidentKind;
}

/** What stands still, as a person is asked about it: the choices, the runbook of the case, and the facts of the moment. */
export async function questionAt(stage: LedStage, { kind, ...asked }: Asked): Promise<Question> {
  const view = stage.view();
  const shown = casesFacts(view, kind, stage.engine.clock.now());
  const undo = stage.views().compensation({ taskId: view.task.id });
  // Before the outcome of a call is known, the way to know is to ask by key.
  const isOpenQuestion = asked.what !== "verify" && callInDoubt(view)?.state === "unknown";
  return {
    ...asked,
    choices: [...asked.choices],
    runbook: asked.what === "classify" ? null : runbookFor(shown),
    facts: RUNBOOK_FACTS.flatMap((name) => {
      const value = shown.facts[name] ?? "";
      return value === "" ? [] : [{ name, value: value.slice(0, 2000) }];
    }),
    operations: await callsToLookAt(stage, view, asked.what),
    undo:
      undo === null || undo.started === null
        ? []
        : undo.entries.map(({ action, status, code }) => ({ action, status, code })),
    remote: isOpenQuestion ? null : await stage.remotes(),
  };
}

/** The facts of the incident screen; a case that no rule has opened an incident for has the same. */
function casesFacts(view: TaskView, kind: IncidentKind, now: number) {
  const { task } = view;
  const call = callInDoubt(view) ?? view.operations().find((row) => row.kind === "publish");
  const open = view.freezes()[0];
  const row = {
    ...(open ?? {
      ...({ id: "drill", taskId: task.id, rule: "by_hand", kind, scope: "slot", openedBy: "system" } as const),
      ...{ operationId: call?.id ?? null, scopeValue: call?.slot ?? task.id, openedAt: now, closedAt: null },
    }),
    ...{ edition: task.edition, taskState: task.state },
  };
  const facts = incidentFacts({ row, view, events: [], epoch: view.epoch() }, null, task.zone);
  // Nobody opened it yet.
  return { kind, facts: open ? facts : { ...facts, since: "", openedBy: "" }, scope: scopeWords(row) };
}

function runbookFor({ kind, facts, scope }: ReturnType<typeof casesFacts>): Question["runbook"] {
  const runbook: Runbook = runbookOf(kind);
  const fill = (words: Words): Words => ({
    en: fillIn(words.en, { ...facts, scope: scope.en }),
    "zh-CN": fillIn(words["zh-CN"], { ...facts, scope: scope["zh-CN"] }),
  });
  return {
    kind,
    version: runbook.version,
    parts: Object.fromEntries(Object.entries(runbook.parts).map(([part, words]) => [part, fill(words)])),
    steps: runbook.steps.map(({ id, phase, who, withinMinutes, words, branches }) => ({
      ...{ id, phase, who, withinMinutes, words: fill(words) },
      branches: branches.map((branch) => ({ id: branch.id, words: fill(branch.words) })),
    })),
  };
}

/** What the run's own panel is about: calls in doubt, and at the end every call that was made. */
async function callsToLookAt(
  stage: LedStage,
  view: TaskView,
  what: DrillQuestionKind,
): Promise<Question["operations"]> {
  const run = await stage.views().run({ taskId: view.task.id });
  const isShown = ({ state, verdicts }: Question["operations"][number]) =>
    what === "verify" ? state !== "prepared" : verdicts.length > 0 || ["unknown", "locked", "conflict"].includes(state);
  return run?.operations.filter(isShown).slice(-6) ?? [];
}
