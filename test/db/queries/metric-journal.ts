import type { Sqlite } from "../../../db/open";
import { openQueries, type Queries } from "../../../db/queries/open-queries";
import { canonicalJson, GENESIS, sha256 } from "../../../main/domain/hashing";
import { World } from "../../support/world";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

type Row = Readonly<Record<string, string | number | null>>;

/**
 * A journal that is written down row by row, at exactly the moments that a test names, with nobody to judge it: what the metrics
 * read and nothing else. Moments are minutes since the journal's beginning.
 */
export class MetricJournal {
  readonly world = new World();
  readonly start = this.world.now;
  private readonly sqlite: Sqlite = this.world.database.sqlite;
  private readonly places = new Map<string, number>();

  constructor() {
    this.sqlite.pragma("foreign_keys = OFF");
    this.sqlite.pragma("ignore_check_constraints = ON");
    const triggers = this.sqlite
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
      .pluck()
      .all();
    for (const name of triggers) this.sqlite.exec(`DROP TRIGGER "${name}"`);
  }

  queries(): Queries {
    return openQueries(this.world.openReader(), (hash) => this.world.journal.definitionOf(hash));
  }

  at = (minute: number): number => this.start + minute * MINUTE;

  task(id: string, more: Row = {}): void {
    this.put("task", {
      ...{
        id,
        task_key: id,
        task_version: 1,
        pipeline: "weekly",
        definition_hash: sha256("d"),
        edition: id,
        language: "en",
      },
      ...{
        state: "created",
        state_version: 0,
        state_since: this.start,
        deadline_at: this.start,
        zone: "UTC",
        owner: "editor",
      },
      ...{
        backup_owner: "b",
        context: "{}",
        created_by: "editor:lin",
        created_at: this.start,
        task_head: GENESIS,
        ...more,
      },
    });
  }

  /** @param more from and to state, operation and payload, where the event has them */
  event(
    taskId: string,
    minute: number,
    type: string,
    more: { from?: string; to?: string; operation?: string; payload?: Readonly<Record<string, unknown>> } = {},
  ): void {
    const seq = Number(this.sqlite.prepare("SELECT coalesce(max(seq), 0) + 1 FROM event").pluck().get());
    const place = (this.places.get(taskId) ?? 0) + 1;
    this.places.set(taskId, place);
    this.put("event", {
      ...{ seq, task_id: taskId, task_seq: place, type, from_state: more.from ?? null, to_state: more.to ?? null },
      ...{
        actor: "editor:lin",
        at: this.at(minute),
        zone: "UTC",
        operation_id: more.operation ?? null,
        evidence_refs: "[]",
      },
      ...{
        payload: canonicalJson(more.payload ?? {}),
        payload_hash: sha256(""),
        prev_hash: sha256(`p${seq}`),
        header: "",
      },
      ...{ task_prev_hash: GENESIS, hash: sha256(`h${seq}`) },
    });
  }

  /** An event of an operation, with the state that it leaves it in. */
  call(taskId: string, minute: number, type: string, operation: string, operationState: string): void {
    this.event(taskId, minute, type, { operation, payload: { operationState } });
  }

  attempt(taskId: string, minute: number, operation: string, number: number): void {
    this.event(taskId, minute, "RequestSent", {
      operation,
      payload: { operationState: "request_sent", attempt: number },
    });
    this.put("attempt", {
      ...{ operation_id: operation, number, task_id: taskId, actor: "editor:lin", fencing_token: 1, policy_version: 1 },
      ...{ base_delay_ms: 0, actual_delay_ms: 0, started_at: this.at(minute) },
    });
  }

  item(id: string, taskId: string, minute: number, more: Row = {}): void {
    this.put("recovery_item", {
      ...{
        id,
        task_id: taskId,
        kind: "dead_letter",
        stage: "to_triage",
        subject: "s",
        owner: "editor",
        backup_owner: "b",
      },
      ...{ created_at: this.at(minute), due_at: this.at(minute), ...more },
    });
  }

  put(table: string, row: Row): void {
    const names = Object.keys(row);
    this.sqlite
      .prepare(`INSERT INTO "${table}" (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`)
      .run(...Object.values(row));
  }
}
