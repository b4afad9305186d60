import { inArray, isNull } from "drizzle-orm";
import { type BetterSQLite3Database, drizzle } from "drizzle-orm/better-sqlite3";
import type { TaskId } from "../main/domain/ids";
import type { DefinitionFacts, JournalRows, KeptRows } from "../main/domain/invariants";
import type {
  AlertRow,
  ArtifactRow,
  EventRow,
  IncidentRow,
  RecoveryItemRow,
  SuppressionRow,
} from "../main/domain/records";
import type { Sqlite } from "./connect";
import * as schema from "./schema";

type Orm = BetterSQLite3Database<typeof schema>;

/**
 * Reads the rows of tasks that only a full check holds against the events.
 * @param taskIds only these tasks'; absent: everybody's.
 */
export function loadKeptRows(sqlite: Sqlite, taskIds?: readonly TaskId[]): KeptRows {
  const orm: Orm = drizzle(sqlite, { schema });
  const { alert, artifact, event, incident, recoveryItem, pipelineDefinition } = schema;
  type Column = Parameters<typeof inArray>[0];
  const ofTasks = (column: Column) => (taskIds ? inArray(column, [...taskIds]) : undefined);
  return {
    definitions: orm.select().from(pipelineDefinition).all().map(readDefinition),
    artifacts: orm.select().from(artifact).where(ofTasks(artifact.taskId)).all() as ArtifactRow[],
    incidents: orm.select().from(incident).where(ofTasks(incident.taskId)).all() as IncidentRow[],
    everyIncident: orm.select().from(incident).all() as IncidentRow[],
    incidentEvents: orm
      .select()
      .from(event)
      .where(inArray(event.type, ["IncidentOpened", "IncidentClosed"]))
      .orderBy(event.seq)
      .all() as EventRow[],
    recoveryItems: orm.select().from(recoveryItem).where(ofTasks(recoveryItem.taskId)).all() as RecoveryItemRow[],
    alerts: orm.select().from(alert).where(ofTasks(alert.taskId)).all() as AlertRow[],
  };
}

/** Reads what belongs to no task. @throws Error when the journal has lost its own row. */
export function loadJournalRows(sqlite: Sqlite): JournalRows {
  const orm: Orm = drizzle(sqlite, { schema });
  const { event, incident, journalState, suppression } = schema;
  const state = orm.select().from(journalState).get();
  if (!state) throw new Error("journal_state has no row");
  const { epoch, epochReconciled, suppressionVersion } = state;
  return {
    ...{ epoch, epochReconciled, suppressionVersion },
    suppressions: orm.select().from(suppression).all() as SuppressionRow[],
    incidents: orm.select().from(incident).where(isNull(incident.taskId)).all() as IncidentRow[],
    events: orm.select().from(event).where(isNull(event.taskId)).orderBy(event.seq).all() as EventRow[],
  };
}

/** Its body is held against its hash elsewhere; one that cannot be read says nothing here. */
function readDefinition({ hash, body }: { hash: string; body: string }): DefinitionFacts {
  const said = parse(body);
  return { hash, name: said["name"], owner: said["owner"], backupOwner: said["backupOwner"] };
}

function parse(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
