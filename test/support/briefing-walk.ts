import { sha256 } from "../../main/domain/hashing";
import type { RecipientOutcome } from "../../main/domain/records";
import { audienceRecords, computeAudience } from "../../main/pipeline/briefing/audience";
import { sendApproval, sendConfirmation } from "../../main/pipeline/briefing/desk";
import { freezeJson } from "../../main/pipeline/briefing/frozen";
import { bodyHashInput, renderEmail } from "../../main/pipeline/briefing/render-email";
import { ContentWalk } from "./content-walk";

/** The main path, in order: what `to` walks along. */
const STAGES = [
  "created",
  "collecting",
  "drafting",
  "checking",
  "awaiting_content_approval",
  "content_approved",
  "publishing",
  "published",
  "awaiting_send_approval",
  "sending",
  "send_pending",
  "succeeded",
] as const;
export type Stage = (typeof STAGES)[number];

/** One edition of the weekly briefing from its creation to the account of its last recipient. */
export class BriefingWalk extends ContentWalk {
  /** Walks the main path until the task is in the stage. */
  to(stage: Stage): this {
    const steps: Record<Exclude<Stage, "succeeded">, () => unknown> = {
      created: () => this.start(),
      collecting: () => this.freezeSources(),
      drafting: () => this.draft(),
      checking: () => this.check(),
      awaiting_content_approval: () => this.approveContent(),
      content_approved: () => this.startPublishing(),
      publishing: () => this.publish(),
      published: () => this.openSendReview(),
      awaiting_send_approval: () => this.approveSend(),
      sending: () => this.mail(),
      send_pending: () => this.account("delivered"),
    };
    for (let at = this.state as Stage; at !== stage; at = this.state as Stage) {
      const step = at === "succeeded" ? undefined : steps[at];
      if (!step || STAGES.indexOf(at) > STAGES.indexOf(stage)) throw new Error(`no way from ${at} to ${stage}`);
      step();
    }
    return this;
  }

  openSendReview(words?: { subject: string; intro: string }): void {
    const { document, email: drafted } = this.package();
    const pageUrl = String(this.view().task.context["pageUrl"]);
    const email = renderEmail({ document, email: words ?? drafted, pageUrl });
    const artifact = freezeJson(this.world.blobs, "email", email);
    const records = this.audience();
    const context = {
      ...records.context,
      emailHash: artifact.hash,
      bodyHash: sha256(bodyHashInput(email)),
      sendRejected: 0,
    };
    const artifacts = [artifact, records.artifact];
    this.executor({
      type: "transition",
      taskId: this.taskId,
      event: "SendReviewOpened",
      artifacts,
      audience: records.audience,
      context,
    });
  }

  private audience() {
    const view = this.view();
    return audienceRecords(this.ports, view.task, computeAudience(this.ports, view.suppressionVersion()));
  }

  refreshAudience(): void {
    const { artifact, audience, context } = this.audience();
    this.executor({
      type: "transition",
      taskId: this.taskId,
      event: "AudienceChanged",
      artifacts: [artifact],
      audience,
      context,
    });
  }

  approveSend(): void {
    const { task } = this.view();
    const seen = (name: string) => String(task.context[name]);
    const typed = sendConfirmation(this.edition, Number(task.context["audienceCount"]));
    const acknowledgedAdditions = this.world.members.map((row) => row.recipientId);
    const hashes = { pageUrl: seen("pageUrl"), bodyHash: seen("bodyHash"), audienceHash: seen("audienceHash") };
    this.made(sendApproval(this.ports, this.view(), { ...hashes, typed, acknowledgedAdditions }));
  }

  /** Campaign and start, both confirmed. */
  mail(): void {
    for (const phase of ["create", "trigger"] as const) {
      const operation = this.operation("send", phase);
      this.markSent(operation);
      this.answer(operation.id, "confirmed", { remoteId: "930" });
    }
    this.executor({ type: "transition", taskId: this.taskId, event: "SendAccepted" });
  }

  /** Reports for some recipients, or one for all; when nobody is open any more, the edition has succeeded. */
  account(reported: RecipientOutcome | Readonly<Record<string, RecipientOutcome>>): void {
    const open = this.view()
      .recipients()
      .filter((row) => row.outcome === "unknown" || row.outcome === "accepted");
    const outcomes = open.flatMap(({ recipientId }) => {
      const outcome = typeof reported === "string" ? reported : reported[recipientId];
      return outcome === undefined ? [] : [{ recipientId, outcome, code: null, at: this.world.now }];
    });
    this.executor({
      type: "account_recipients",
      taskId: this.taskId,
      outcomes,
      nextObserveAt: this.world.now + 60_000,
    });
    if (outcomes.length === open.length && !outcomes.some((row) => row.outcome === "accepted"))
      this.executor({ type: "transition", taskId: this.taskId, event: "DeliveryAccounted" });
  }
}
