import { approveContent } from "../commands/approve-content";
import { approveSend } from "../commands/approve-send";
import { closeProtectively } from "../commands/close-protectively";
import { closeRecipients } from "../commands/close-recipients";
import { executeFor } from "../commands/desk";
import { editContent } from "../commands/edit-content";
import { editEmail } from "../commands/edit-email";
import { giveVerdict } from "../commands/give-verdict";
import { recollect } from "../commands/recollect";
import { rejectContent } from "../commands/reject-content";
import { revokeApproval } from "../commands/revoke-approval";
import { suppressRecipient } from "../commands/suppress-recipient";
import { unblock } from "../commands/unblock";
import { sha256 } from "../domain/hashing";
import { isOpenAccount } from "../domain/open-account";
import { sendConfirmation } from "../pipeline/briefing/desk";
import type { DraftDocument } from "../pipeline/briefing/draft-schema";
import { thawJson } from "../pipeline/briefing/frozen";
import type { Operator, Seen } from "../sandbox/scenarios/stage";
import { RecoveringOperator } from "./scenarios-recovering";

/** The operator of a scenario: a person's commands, in the name of the script. */
export class ScenarioOperator extends RecoveringOperator implements Operator {
  see(): Seen {
    const { task } = this.place.view();
    return { ...task.context, stateVersion: task.stateVersion };
  }

  approveContent(seen: Seen = this.see()): string {
    const acknowledged = String(seen["warnings"] ?? "").split("\n");
    return this.give("approve_content", (desk, task) =>
      approveContent(desk, {
        taskId: task.id,
        expectedVersion: Number(seen["stateVersion"]),
        packageHash: String(seen["packageHash"]),
        contentHash: String(seen["contentHash"]),
        acknowledged: acknowledged.filter((id) => id !== ""),
        readSections: ["all"],
        comparedWith: { choice: "nothing", hash: null },
      }),
    );
  }

  approveSend(seen: Seen = this.see()): string {
    return this.give("approve_send", (desk, task) =>
      approveSend(desk, {
        taskId: task.id,
        expectedVersion: Number(seen["stateVersion"]),
        pageUrl: String(seen["pageUrl"]),
        bodyHash: String(seen["bodyHash"]),
        audienceHash: String(seen["audienceHash"]),
        typed: sendConfirmation(task.edition, Number(seen["audienceCount"])),
        acknowledgedAdditions: this.place
          .view()
          .recipients()
          .map((row) => row.recipientId),
      }),
    );
  }

  editContent(change: { title?: (title: string) => string; withoutFact?: string }): string {
    return this.give("edit_content", (desk, task) => {
      const { blobs } = this.place.workspace();
      const draft = thawJson<DraftDocument>(
        blobs,
        String(task.context["editedDraftHash"] ?? task.context["draftHash"]),
      );
      const { id: taskId, stateVersion: expectedVersion } = task;
      const facts = draft.facts
        .filter((fact) => fact.id !== change.withoutFact)
        .map(({ id, headline, statement }) => ({ id, headline, statement }));
      const title = change.title?.(draft.title) ?? draft.title;
      return editContent(desk, {
        taskId,
        expectedVersion,
        basePackageHash: null,
        edit: { title, intro: draft.intro, facts },
      });
    });
  }

  editEmail(words: { subject: string; intro: string }): string {
    return this.give("edit_email", (desk, task) =>
      editEmail(desk, { taskId: task.id, expectedVersion: task.stateVersion, ...words }),
    );
  }

  rejectContent(reason: string): string {
    return this.give("reject_content", (desk, task) =>
      rejectContent(desk, { taskId: task.id, expectedVersion: task.stateVersion, reason }),
    );
  }

  recollect(reason: string): string {
    return this.give("recollect", (desk, task) =>
      recollect(desk, { taskId: task.id, expectedVersion: task.stateVersion, reason }),
    );
  }

  revoke(scope: "publish" | "send", reason: string): string {
    return this.give(`revoke ${scope}`, (desk, task) =>
      revokeApproval(desk, { taskId: task.id, approvalId: String(task.context[`${scope}ApprovalId`]), reason }),
    );
  }

  unblock(to: string, evidence: string, newDeadlineInMs?: number): string {
    return this.give(`unblock ${to}`, (desk, task) =>
      unblock(desk, {
        taskId: task.id,
        expectedVersion: task.stateVersion,
        to,
        evidence,
        newDeadlineAt: newDeadlineInMs === undefined ? undefined : desk.clock.now() + newDeadlineInMs,
      }),
    );
  }

  unblockWithOtherBody(to: string, evidence: string): string {
    return this.give(`unblock ${to} with another body under the same key`, (desk, task) => {
      const command = desk.pipeline.unblocking(this.place.view(), { to, evidence });
      const operations = command.operations?.map((intent) => ({
        ...intent,
        hashes: { ...intent.hashes, bodyHash: sha256("another body") },
      }));
      return executeFor(desk, { ...command, ...(operations ? { operations } : {}) }, task.stateVersion);
    });
  }

  verdict(phase: string, verdict: Parameters<Operator["verdict"]>[1], remoteId?: string): string {
    return this.give(`verdict ${phase} ${verdict}`, (desk, task) => {
      const operation = this.place
        .view()
        .operations()
        .find((row) => `${row.kind}.${row.phase}` === phase);
      if (!operation) throw new Error(`the edition has no ${phase}`);
      const evidence = "looked at the remote's own screen";
      return giveVerdict(desk, {
        taskId: task.id,
        operationId: operation.id,
        verdict,
        remoteId: remoteId ?? null,
        evidence,
      });
    });
  }

  suppress(recipientId: string, reason: string): string {
    return this.give(`suppress ${recipientId}`, (desk) => suppressRecipient(desk, { recipientId, reason }));
  }

  addRecipient(id: string, address: string): string {
    const { customers } = this.place.workspace();
    const members = customers.recipients();
    const addresses = customers.addressesFor(members.map((row) => row.recipientId));
    const rows = members.map(({ recipientId, group }) => ({
      id: recipientId,
      address: addresses.get(recipientId) ?? "",
      group,
    }));
    const imported = customers.importAudience([...rows, { id, address, group: "paid" }]);
    this.place.note(`import with ${id}`, imported.kind);
    return imported.kind;
  }

  closeRecipients(evidence: string): string {
    return this.give("close_recipients", (desk, task) => {
      const open = this.place.view().recipients().filter(isOpenAccount);
      return closeRecipients(desk, { taskId: task.id, recipientIds: open.map((row) => row.recipientId), evidence });
    });
  }

  closeProtectively(reason: string): string {
    return this.give("close_protectively", (desk, task) =>
      closeProtectively(desk, { taskId: task.id, expectedVersion: task.stateVersion, reason }),
    );
  }
}
