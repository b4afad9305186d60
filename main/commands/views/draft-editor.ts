import type { Input, Output } from "../../../preload/contract";
import { consequencesOf } from "../../domain/consequences";
import type { FactFault, ReadDraft } from "../../domain/draft-edit";
import type { TaskId } from "../../domain/ids";
import type { TaskView } from "../../domain/view";
import { dryRun } from "./dry-run";
import type { SourceOrigin } from "./frozen";
import { readOrigins } from "./source-views";
import { dryContext, type ViewPorts } from "./view-ports";

type Draft = NonNullable<Output<"draft.get">>;

/**
 * The draft of an edition as it can be edited: its facts with their quotes, what is wrong with them, and the unfinished edit.
 * @returns null while nothing was drafted.
 */
export function draftView(ports: ViewPorts, asked: Input<"draft.get">): Output<"draft.get"> {
  const clock = ports.clock();
  return ports.queries.consistent(() => {
    const view = ports.queries.tasks.view(asked.taskId as TaskId);
    const open = view === null ? null : ports.pipeline.draft.open(view);
    if (view === null || open === null) return null;
    const { task } = view;
    const origins = readOrigins(view);
    const answer = dryRun(view, ports.pipeline.draft.transition(view), dryContext(ports, view, clock.now));
    const { working } = open;
    return {
      ...{ taskId: task.id, edition: task.edition, state: task.state, stateVersion: task.stateVersion },
      ...{ blockedReason: task.blockedReason, canEdit: answer.open, unmet: answer.unmet },
      draftHash: open.hash,
      draft: contentOf(open.draft, open.faults, origins),
      sources: open.sources.map((source) => ({ ...source })),
      working:
        working === null
          ? null
          : {
              ...{ hash: working.hash, base: working.base, keptAt: working.keptAt },
              draft: contentOf(working.draft, working.faults, origins),
            },
      clock,
    };
  });
}

function contentOf(
  { title, intro, email, facts }: ReadDraft,
  faults: readonly FactFault[],
  origins: ReadonlyMap<string, SourceOrigin>,
): Draft["draft"] {
  return {
    ...{ title, intro, email },
    facts: facts.map((fact) => ({
      ...fact,
      sourceTitle: origins.get(fact.span?.snapshotHash ?? "")?.title ?? fact.sourceId,
      fault: faults.find(({ factId }) => factId === fact.id)?.kind ?? null,
    })),
  };
}

/** The words at a span of a frozen source, read there. An unknown task has no sources. */
export function pickedQuoteView(ports: ViewPorts, { taskId, span }: Input<"draft.pick">): Output<"draft.pick"> {
  return ports.queries.consistent(() => {
    const view = ports.queries.tasks.view(taskId as TaskId);
    if (view === null) return { kind: "fault", fault: "source_missing" };
    const picked = ports.pipeline.draft.pick(view, span);
    if (picked.kind === "fault") return picked;
    const sourceTitle = readOrigins(view).get(span.snapshotHash)?.title ?? picked.sourceId;
    return { ...picked, sourceTitle };
  });
}

/** What it would bring about to save this edit now: asked of the same rules that would then do it. */
export function weighedDraftView(ports: ViewPorts, asked: Input<"draft.weigh">): Output<"draft.weigh"> {
  const { now } = ports.clock();
  return ports.queries.consistent(() => {
    const view = ports.queries.tasks.view(asked.taskId as TaskId);
    if (view === null) return { ...NOTHING, unmet: [{ code: "task_not_found", values: { task: asked.taskId } }] };
    return weigh(ports, view, asked, now);
  });
}

const NOTHING: Output<"draft.weigh"> = {
  ...{ open: false, unmet: [], facts: [], fields: [], ends: [], to: null, packageHash: null },
  ...{ cancels: 0, changesPage: null, changesBody: null },
};

function weigh(ports: ViewPorts, view: TaskView, asked: Input<"draft.weigh">, now: number): Output<"draft.weigh"> {
  const { made, facts, fields, changesPage, changesBody } = ports.pipeline.draft.weigh(view, asked.seen, asked.edit);
  const context = dryContext(ports, view, now);
  const packageHash = view.task.context["packageHash"];
  const known = {
    ...{ facts: facts.map((one) => ({ ...one })), fields: fields.map((one) => ({ ...one })), changesPage, changesBody },
    packageHash: typeof packageHash === "string" ? packageHash : null,
  };
  if ("unmet" in made) return { ...NOTHING, ...known, unmet: [...made.unmet] };
  const found = consequencesOf(view, made.command, context);
  if (!found.ok) return { ...NOTHING, ...known, unmet: [...found.refusal.unmet] };
  const { to, ends, cancels } = found.consequences;
  return {
    ...known,
    ...{ open: true, unmet: [], to, cancels },
    ends: ends.map(({ scope, approver, issuedAt }) => ({ scope, approver, issuedAt })),
  };
}
