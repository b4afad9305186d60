import type { Statement } from "../../db/connect";
import type { Sqlite } from "../../db/open";
import type { Instant } from "../domain/ids";
import type { EventRow } from "../domain/records";

/** What a call that has just left rests on. */
export interface Sent {
  kind: string;
  operationKey: string;
  isAutomatic: boolean;
  /** Living approvals of exactly the bytes that left. */
  approvals: number;
  /** The grade of its undo; null: there is none on the task's stack. */
  undoGrade: string | null;
}

/** The journal's rows as `StepWatch` asks for them: prepared once a world, each answer small. */
export class StepQuestions {
  private readonly added: Statement;
  private readonly twice: Statement;
  private readonly state: Statement;
  private readonly place: Statement;
  private readonly left: Statement;
  private readonly ends: Statement;
  private readonly undos: Statement;

  constructor(sqlite: Sqlite) {
    this.added = sqlite.prepare(
      `SELECT seq, task_id AS taskId, type, from_state AS fromState, to_state AS toState, actor, fencing_token AS fencingToken,
         at, operation_id AS operationId, payload, prev_hash AS prevHash, hash FROM event WHERE seq > ? ORDER BY seq`,
    );
    this.twice = sqlite
      .prepare(
        `SELECT task_key FROM task WHERE state NOT IN ('succeeded', 'compensated', 'closed')
         GROUP BY task_key HAVING count(*) > 1`,
      )
      .pluck();
    this.state = sqlite.prepare("SELECT state, fencing_token AS token FROM task WHERE id = ?");
    this.place = sqlite
      .prepare(
        `SELECT CASE WHEN phase IN ('create', 'deliver', 'trigger') THEN phase || ' ' || slot ELSE operation_key END
         FROM operation WHERE id = ?`,
      )
      .pluck();
    this.left = sqlite.prepare(SENT);
    this.ends = sqlite.prepare(OPEN_ENDS).pluck();
    this.undos = sqlite.prepare(OPEN_UNDOS).pluck();
  }

  /** Only what is selected above: the rest of a row is the full checker's. */
  eventsAfter(seq: number): EventRow[] {
    return this.added.all(seq) as EventRow[];
  }

  keysLivedTwice(): string[] {
    return this.twice.all() as string[];
  }

  stateOf(taskId: string): { state: string; token: number } | undefined {
    return this.state.get(taskId) as { state: string; token: number } | undefined;
  }

  /** What may happen once only shares a place; the other phases name a state to reach and stand alone. */
  placeOf(operationId: string): string {
    return String(this.place.get(operationId));
  }

  /** @param at the event's own moment: approvals end by the clock on the wall, and are revoked by trusted time */
  sent(operationId: string, at: Instant): Sent {
    const row = this.left.get(at, operationId) as Omit<Sent, "isAutomatic"> & { isAutomatic: number };
    return { ...row, isAutomatic: row.isAutomatic === 1 };
  }

  openEnds(taskId: string): number {
    return Number(this.ends.get(taskId, taskId));
  }

  openUndos(taskId: string): number {
    return Number(this.undos.get(taskId, taskId));
  }
}

const SENT = `
  SELECT o.kind, o.operation_key AS operationKey, o.automatic AS isAutomatic,
    (SELECT c.grade FROM compensation c WHERE c.id = o.compensation_id AND c.task_id = o.task_id) AS undoGrade,
    (SELECT count(*) FROM approval a
     WHERE a.task_id = o.task_id AND a.scope = o.kind AND a.intent_key = o.intent_key
       AND a.hash_rule_version = o.hash_rule_version
       AND CASE o.kind WHEN 'publish' THEN a.content_hash = o.request_content_hash
           ELSE a.page_url = o.request_page_url AND a.body_hash = o.request_body_hash
             AND a.audience_hash = o.request_audience_hash END
       AND a.issued_at <= o.request_sent_at AND a.expires_at > o.request_sent_at
       AND (a.revoked_at IS NULL OR a.revoked_at >= o.request_sent_at)
       AND (a.ended_at IS NULL OR a.ended_at >= ?)) AS approvals
  FROM operation o WHERE o.id = ?`;

const OPEN_ENDS = `
  SELECT (SELECT count(*) FROM operation WHERE task_id = ? AND state NOT IN ('confirmed', 'cancelled') AND settled = 0)
    + (SELECT count(*) FROM recipient_account WHERE task_id = ? AND outcome IN ('accepted', 'unknown'))`;

const OPEN_UNDOS = `
  SELECT (SELECT count(*) FROM operation WHERE task_id = ? AND settled = 0)
    + (SELECT count(*) FROM compensation WHERE task_id = ? AND state NOT IN ('done', 'not_needed', 'closed_by_person'))`;
