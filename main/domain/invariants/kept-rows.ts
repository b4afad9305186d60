import type { AlertRow, ArtifactRow, RecoveryItemRow, TaskRow } from "../records";
import { checkAlertFacts } from "./alert-facts";
import { checkApprovalFacts } from "./approval-facts";
import { checkArtifactFacts } from "./artifact-facts";
import { compareFacts } from "./compare-fact";
import { checkIncidents, type KeptIncidents } from "./incident-facts";
import { type Evidence, groupBy, type Told, type Violation } from "./snapshot";

/** What a definition that tasks began with says about its owners. */
export interface DefinitionFacts {
  hash: string;
  name: unknown;
  owner: unknown;
  backupOwner: unknown;
}

/** Rows of tasks that only a full check of a workspace reads; they are no part of what the promises are judged by. */
export interface KeptRows extends KeptIncidents {
  definitions: readonly DefinitionFacts[];
  artifacts: readonly ArtifactRow[];
  recoveryItems: readonly RecoveryItemRow[];
  alerts: readonly AlertRow[];
}

/**
 * Holds the rest of the tasks' rows against the events: approvals before anything leaves under them, frozen artifacts, owners,
 * incidents with what opened and closed them, and how far each recovery item was taken.
 */
export function checkKeptRows(evidence: Evidence, kept: KeptRows): Violation[] {
  const artifacts = groupBy(kept.artifacts, (row) => row.taskId);
  const items = groupBy(kept.recoveryItems, (row) => row.taskId);
  const alerts = groupBy(kept.alerts, (row) => row.taskId);
  return [
    ...checkApprovalFacts(evidence),
    ...evidence.snapshot.tasks.flatMap((task) => {
      const events = evidence.ofTask(task.id);
      return [
        ...checkOwners(task, kept.definitions),
        ...checkArtifactFacts(task, artifacts.get(task.id) ?? [], events),
        ...checkItems(task, items.get(task.id) ?? [], events),
        ...checkAlertFacts(task, alerts.get(task.id) ?? [], events),
      ];
    }),
    ...checkIncidents(evidence, kept),
  ];
}

/** The owners are in the definition, whose hash the task's first event tells. */
function checkOwners(task: TaskRow, definitions: readonly DefinitionFacts[]): Violation[] {
  const definition = definitions.find(({ hash }) => hash === task.definitionHash);
  if (!definition) return [];
  return compareFacts("I08", task.taskKey, [
    ["pipeline", task.pipeline, definition.name],
    ["owner", task.owner, definition.owner],
    ["backupOwner", task.backupOwner, definition.backupOwner],
  ]);
}

const MOVED_FIELDS = ["owner", "method", "verification", "review"] as const;

/** How far each recovery item was taken, by whom and in how many minutes, is what the events of its moves tell. */
export function checkItems(task: TaskRow, rows: readonly RecoveryItemRow[], events: readonly Told[]): Violation[] {
  const moves = events.filter((event) => event.type === "RecoveryItemMoved");
  if (moves.some((event) => event.isWithheld)) return [];
  const byItem = groupBy(moves, (event) => event.payload["itemId"]);
  const missing = [...byItem.keys()].filter((id) => !rows.some((row) => row.id === id));
  return [
    ...missing.map((id) => lost(task.taskKey, `the events tell of recovery item ${id}, no row does`)),
    ...rows.flatMap((row) => {
      const told = byItem.get(row.id) ?? [];
      const last = told.at(-1)?.payload ?? { to: "to_triage" };
      const minutes = told.reduce((sum, event) => sum + Number(event.payload["minutes"] ?? 0), 0);
      return compareFacts("I08", task.taskKey, [
        [`recovery item ${row.id} stage`, row.stage, last["to"]],
        [`recovery item ${row.id} minutes`, row.minutes, minutes],
        ...MOVED_FIELDS.map((field) => [`recovery item ${row.id} ${field}`, row[field], last[field]] as const),
      ]);
    }),
  ];
}

const lost = (subject: string, detail: string): Violation => ({ invariant: "I08", subject, detail });
