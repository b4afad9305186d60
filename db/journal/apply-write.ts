import { assertNever, Bug } from "../../main/domain/ids";
import type { Write } from "../../main/domain/plan";
import type { Sqlite, Statement } from "../connect";
import * as schema from "../schema";
import { TableWriter } from "./table-writer";

/** Carries out planned writes. It decides nothing; what the database refuses ends the whole transaction. */
export class WriteApplier {
  private readonly task: TableWriter;
  private readonly step: TableWriter;
  private readonly artifact: TableWriter;
  private readonly compensation: TableWriter;
  private readonly operation: TableWriter;
  private readonly attempt: TableWriter;
  private readonly approval: TableWriter;
  private readonly reconciliation: TableWriter;
  private readonly audience: TableWriter;
  private readonly recipient: TableWriter;
  private readonly intentConflict: TableWriter;
  private readonly recoveryItem: TableWriter;
  private readonly incident: TableWriter;
  private readonly alert: TableWriter;
  private readonly suppression: TableWriter;
  private readonly signer: TableWriter;
  private readonly journalState: TableWriter;
  private readonly clearRecipients: Statement;
  private readonly raiseAgain: Statement;

  constructor(sqlite: Sqlite) {
    this.task = new TableWriter(sqlite, schema.task);
    this.step = new TableWriter(sqlite, schema.step);
    this.artifact = new TableWriter(sqlite, schema.artifact);
    this.compensation = new TableWriter(sqlite, schema.compensation);
    this.operation = new TableWriter(sqlite, schema.operation);
    this.attempt = new TableWriter(sqlite, schema.attempt);
    this.approval = new TableWriter(sqlite, schema.approval);
    this.reconciliation = new TableWriter(sqlite, schema.reconciliation);
    this.audience = new TableWriter(sqlite, schema.audienceSnapshot);
    this.recipient = new TableWriter(sqlite, schema.recipientAccount);
    this.intentConflict = new TableWriter(sqlite, schema.intentConflict);
    this.recoveryItem = new TableWriter(sqlite, schema.recoveryItem);
    this.incident = new TableWriter(sqlite, schema.incident);
    this.alert = new TableWriter(sqlite, schema.alert);
    this.suppression = new TableWriter(sqlite, schema.suppression);
    this.signer = new TableWriter(sqlite, schema.signer);
    this.journalState = new TableWriter(sqlite, schema.journalState);
    this.raiseAgain = sqlite.prepare(
      `UPDATE alert SET times = times + 1, last_at = max(last_at, ?)
       WHERE subject = ? AND code = ? AND acknowledged_at IS NULL AND settled_at IS NULL`,
    );
    this.clearRecipients = sqlite.prepare("DELETE FROM recipient_account WHERE task_id = ?");
  }

  /** @throws SqliteError when a constraint or trigger refuses; Bug when a conditional update does not land. */
  apply(write: Write): void {
    switch (write.table) {
      case "task":
        this.task.insert({ ...write.insert });
        return;
      case "step":
        this.step.upsert({ ...write.upsert }, ["task_id", "name", "round"]);
        return;
      case "artifact":
        this.artifact.insertIfNew({ ...write.insertIfNew });
        return;
      case "compensation":
        if ("insert" in write) {
          this.compensation.insert({ ...write.insert });
          return;
        }
        landed(
          this.compensation.update({ ...write.update, id: undefined }, { id: write.update.id, state: write.was }),
          "compensation",
        );
        return;
      case "operation":
        this.applyOperation(write);
        return;
      case "attempt":
        this.applyAttempt(write);
        return;
      case "approval":
        if ("insert" in write) {
          this.approval.insert({ ...write.insert });
          return;
        }
        landed(this.approval.update({ ...write.update, id: undefined }, { id: write.update.id }), "approval");
        return;
      case "reconciliation":
        this.reconciliation.insert({ ...write.insert });
        return;
      case "audience_snapshot":
        this.audience.insertIfNew({ ...write.insertIfNew });
        return;
      case "recipient_account":
        if ("clear" in write) {
          this.clearRecipients.run(write.clear);
          return;
        }
        this.recipient.upsert({ ...write.upsert }, ["task_id", "recipient_id"]);
        return;
      case "intent_conflict":
        this.intentConflict.insertIfNew({ ...write.insertIfNew });
        return;
      case "recovery_item":
        this.applyRecoveryItem(write);
        return;
      case "incident":
        if ("insertIfNew" in write) this.incident.insertIfNew({ ...write.insertIfNew });
        else landed(this.incident.update({ closedAt: write.close.closedAt }, { id: write.close.id }), "incident");
        return;
      case "alert":
        this.applyAlert(write);
        return;
      case "suppression":
        if ("insertIfNew" in write) this.suppression.insertIfNew({ ...write.insertIfNew });
        else landed(this.suppression.remove(write.remove), "suppression");
        return;
      case "signer":
        this.signer.insert({ ...write.insert });
        return;
      case "journal_state":
        landed(this.journalState.update(write.patch, { id: 1 }), "journal_state");
        return;
      default:
        assertNever(write, "write");
    }
  }

  private applyOperation(write: Extract<Write, { table: "operation" }>): void {
    if ("insert" in write) {
      this.operation.insert({ ...write.insert });
      return;
    }
    const { id, ...patch } = write.update;
    landed(this.operation.update(patch, { id, state: write.was }), "operation");
  }

  private applyRecoveryItem(write: Extract<Write, { table: "recovery_item" }>): void {
    if ("insertIfNew" in write) {
      this.recoveryItem.insertIfNew({ ...write.insertIfNew });
      return;
    }
    const { id, ...patch } = write.update;
    landed(this.recoveryItem.update(patch, { id, stage: write.was }), "recovery_item");
  }

  private applyAlert(write: Extract<Write, { table: "alert" }>): void {
    if ("raise" in write) {
      const { subject, code, at } = write.raise;
      // The same while one is open is that one: the index of open alerts holds it as well.
      if (this.raiseAgain.run(at, subject, code).changes === 0) this.alert.insert({ ...write.raise, lastAt: at });
      return;
    }
    const { id, ...patch } = write.update;
    landed(this.alert.update(patch, { id, acknowledgedAt: null, settledAt: null }), "alert");
  }

  private applyAttempt(write: Extract<Write, { table: "attempt" }>): void {
    if ("insert" in write) {
      this.attempt.insert({ ...write.insert });
      return;
    }
    const { operationId, number, ...patch } = write.close;
    landed(this.attempt.update(patch, { operationId, number }), "attempt");
  }
}

function landed(changes: number, what: string): void {
  if (changes !== 1) throw new Bug(`a conditional write on ${what} changed ${changes} rows`);
}
