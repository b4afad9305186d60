import {
  type IncidentEventRow,
  type IncidentRows,
  readIncident,
  readIncidentList,
} from "../../../db/queries/incidents";
import type { Input, Output } from "../../../preload/contract";
import { seenObjects } from "../../domain/decide/incident";
import { INVENTORY, isJudged, missingPieces } from "../../domain/incident-inventory";
import { type PassedStep, runbookProgress } from "../../domain/incident-progress";
import { taskKeyOf } from "../../domain/keys";
import { isMailing } from "../../domain/operation";
import type { IncidentRow } from "../../domain/records";
import { fillIn, type Words } from "../../domain/runbook";
import { runbookOf } from "../../domain/runbooks";
import { editionAfter } from "../../domain/schedule";
import type { TaskView } from "../../domain/view";
import { incidentFacts, scopeWords } from "./incident-facts";
import { dryContext, type ViewPorts } from "./view-ports";

type IncidentView = NonNullable<Output<"run.get">>["incidents"][number];
type Incident = NonNullable<Output<"incident.get">>;

const nextTaskKeyOf = ({ task: { pipeline, edition, language } }: TaskView): string =>
  taskKeyOf(pipeline, editionAfter(edition), language);

/** The open incidents that freeze a task's writes, each with the objects that opened it. */
export function incidentViews(view: TaskView): IncidentView[] {
  return view.freezes().map((incident) => ({
    id: incident.id,
    rule: incident.rule,
    kind: incident.kind,
    scope: incident.scope,
    scopeValue: incident.scopeValue,
    openedAt: incident.openedAt,
    openedBy: incident.openedBy,
    objects: seenObjects(view, incident).map(({ remoteId, url, state }) => ({ remoteId, url, state })),
    nextTaskKey: nextTaskKeyOf(view),
  }));
}

/** Every incident, and the places that one may be opened for by hand: those of the live editions. */
export function incidentsView(ports: ViewPorts): Output<"incident.list"> {
  const incidents = readIncidentList(ports.queries).map(({ operationId: _id, taskState: _state, ...row }) => row);
  const places = ports.queries.tasks.liveTasks().flatMap((task) => {
    const view = ports.queries.tasks.view(task.id);
    const operations = view?.operations().filter((row) => row.recipientId === null) ?? [];
    return [
      {
        taskId: task.id,
        edition: task.edition,
        slots: [...new Set(operations.map(({ slot }) => slot))],
        adapters: [...new Set(operations.map(({ adapter }) => adapter))],
        operations: operations.map(({ id, operationKey: key, state }) => ({ id, key, state })),
      },
    ];
  });
  return { clock: ports.clock(), incidents, places };
}

/** One incident with its runbook filled in, its clocks, its timeline and what is still to be shown. Nothing of it needs the network. */
export function incidentView(ports: ViewPorts, asked: Input<"incident.get">): Output<"incident.get"> {
  const clock = ports.clock();
  return readIncident(ports.queries, asked.incidentId, (rows) => assemble(ports, rows, clock));
}

function assemble(ports: ViewPorts, rows: IncidentRows, clock: Incident["clock"]): Incident {
  const { row, view, events } = rows;
  const own = events.filter(({ payload }) => incidentIdIn(payload) === row.id);
  const finding = own.find(({ type }) => type === "IncidentOpened")?.reason ?? null;
  const facts = incidentFacts(rows, finding, view?.task.zone ?? clock.zone);
  const scoped = scopeWords(row);
  const fill = (words: Words): Words => ({
    en: fillIn(words.en, { ...facts, scope: scoped.en }),
    "zh-CN": fillIn(words["zh-CN"], { ...facts, scope: scoped["zh-CN"] }),
  });
  const runbook = runbookOf(row.kind);
  const { steps, next } = runbookProgress(runbook, own.flatMap(passing), row.openedAt);
  const { id, kind, rule, scope, scopeValue, taskId, edition, taskState, openedAt, openedBy, closedAt } = row;
  return {
    ...{ id, kind, rule, scope, scopeValue, taskId, edition, taskState, openedAt, openedBy, closedAt, finding, clock },
    stateVersion: view?.task.stateVersion ?? null,
    objects: view === null ? [] : seenObjects(view, row).map(({ remoteId, url, state }) => ({ remoteId, url, state })),
    isMailing: view?.slotOperations(scopeValue).some((operation) => isMailing(operation.kind)) ?? false,
    nextTaskKey: view === null ? null : nextTaskKeyOf(view),
    runbook: {
      version: runbook.version,
      parts: Object.fromEntries(Object.entries(runbook.parts).map(([part, words]) => [part, fill(words)])),
      drafts: { customerNote: fill(runbook.drafts.customerNote), correction: fill(runbook.drafts.correction) },
      steps: steps.map(({ step, passed, ...times }) => ({
        ...step,
        ...times,
        passed:
          passed === null
            ? null
            : { how: passed.how, branch: passed.branch, by: passed.by, at: passed.at, note: passed.note },
        words: fill(step.words),
        branches: step.branches.map((branch) => ({ ...branch, words: fill(branch.words) })),
      })),
      next,
    },
    queued: view === null ? [] : queuedLooks(view),
    evidence: evidenceOf(ports, rows),
    timeline: timelineOf(events, row),
  };
}

/** What is asked of the outside by itself as soon as there is a network: every call without a settled outcome. */
const queuedLooks = (view: TaskView): Incident["queued"] =>
  view
    .operations()
    .filter((row) => row.state !== "prepared" && (!row.settled || row.nextLookAt !== null))
    .map(({ id, operationKey: key, state, nextLookAt: at }) => ({ operationId: id, key, state, at }));

type Piece = readonly [id: string, by: "look" | "person"];
const RELEASED: readonly Piece[] = [
  ["scheduler_released", "person"],
  ["drafter_released", "person"],
  ["next_key", "person"],
];
/** What is asked for where a look found two objects in one place; the names are those of the refusal. */
const OF_TWO_PAGES: readonly Piece[] = [
  ["objects_traceable", "look"],
  ["canonical_page", "look"],
  ["duplicate_not_public", "look"],
  ...RELEASED,
];
const OF_TWO_MAILINGS: readonly Piece[] = [
  ["objects_traceable", "look"],
  ["canonical_mailing", "look"],
  ["duplicate_not_mailed", "look"],
  ...RELEASED,
];

/** The pieces of the inventory, and which of them the journal has already. What a person shows is asked for at the closing. */
function evidenceOf(ports: ViewPorts, { row, view, epoch }: IncidentRows): Incident["evidence"] {
  const context =
    view === null ? { actor: ports.actor, now: 0, trusted: ports.trusted.read() } : dryContext(ports, view, 0);
  const input = { view, isEpochReconciled: epoch.reconciled >= epoch.epoch, context, observed: null };
  if (row.rule === "duplicate_remote") {
    const isThere = row.closedAt !== null;
    const isMailingSlot = view?.slotOperations(row.scopeValue).some(({ kind }) => isMailing(kind)) ?? false;
    return (isMailingSlot ? OF_TWO_MAILINGS : OF_TWO_PAGES).map(([id, by]) => ({ id, by, isThere }));
  }
  const missing = missingPieces(row.kind, input, {});
  return INVENTORY[row.kind].map((piece) => {
    const by = isJudged(piece, view !== null) ? (piece.isLooked === true ? "look" : "journal") : "person";
    return { id: piece.id, by, isThere: row.closedAt !== null || (by === "journal" && !missing.includes(piece.id)) };
  });
}

const payloadOf = (text: string | null): Readonly<Record<string, unknown>> =>
  text === null ? {} : (JSON.parse(text) as Readonly<Record<string, unknown>>);
const incidentIdIn = (text: string | null): unknown => payloadOf(text)["incidentId"];

function passing({ type, payload, actor, at, reason }: IncidentEventRow): PassedStep[] {
  if (type !== "RunbookStepPassed") return [];
  const { step, how, branch } = payloadOf(payload) as Pick<PassedStep, "step" | "how" | "branch">;
  return [{ step, how, branch: branch ?? null, by: actor, at, note: reason }];
}

/** Pins are no entries of their own: they are shown at the event that they hold. Another incident's work is not shown here. */
function timelineOf(events: readonly IncidentEventRow[], row: IncidentRow): Incident["timeline"] {
  const pinned = new Set<unknown>();
  for (const { type, payload } of events) {
    if (type !== "IncidentEventPinned" || incidentIdIn(payload) !== row.id) continue;
    const { seq, isPinned } = payloadOf(payload);
    if (isPinned === true) pinned.add(seq);
    else pinned.delete(seq);
  }
  return events
    .filter(
      ({ type, payload }) => type !== "IncidentEventPinned" && (payload === null || incidentIdIn(payload) === row.id),
    )
    .map(({ seq, type, actor, at, reason, payload }) => {
      const step = payloadOf(payload)["step"];
      return {
        seq,
        type,
        actor,
        at,
        text: reason,
        step: typeof step === "string" ? step : null,
        isPinned: pinned.has(seq),
      };
    });
}
