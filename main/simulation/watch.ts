import type { Sqlite } from "../../db/open";
import { sha256 } from "../domain/hashing";
import type { RemoteRecords, Violation } from "../domain/invariants";
import type { BlobStore, OutgoingRequest } from "../domain/ports";
import type { ApprovalRow, OperationRow } from "../domain/records";
import type { ContentPackage, FrozenAudience } from "../pipeline/briefing/records";
import { bodyHashInput } from "../pipeline/briefing/render-email";
import type { Body, RemoteAnswer, RemoteCore } from "./remote-core";
import { recordsOf } from "./remote-records";

type Sent = Pick<OperationRow, "id" | "taskId" | "state" | "requestBytesHash" | "requestSentAt">;

/**
 * Stands beside the remotes and judges every effect at the moment it happens, by the journal as it is then and by the bytes that
 * arrived: it shares nothing with the guards, and recomputes what it compares.
 */
export class RemoteWatch {
  readonly found: Violation[] = [];
  /** Objects by the place they were made for. */
  private readonly made = new Map<string, string[]>();
  private readonly mailed = new Map<string, number>();

  constructor(
    private readonly sqlite: Sqlite,
    private readonly blobs: BlobStore,
  ) {}

  /** @param isRemoteFault the remote itself carried it out once too often: that is no fault of ours, but must become an incident */
  onCommit(request: OutgoingRequest, answer: RemoteAnswer, core: RemoteCore, isRemoteFault: boolean): void {
    if (answer.status >= 400) return;
    this.checkOrigin(request);
    if (request.phase === "create") this.checkSingle(request, answer, isRemoteFault);
    if (request.phase === "trigger") this.checkMailed(request, core);
  }

  /** Places with more than one object, by the remote's fault or ours. */
  doubled(): string[] {
    return [...this.made].filter(([, ids]) => ids.length > 1).map(([slot]) => slot);
  }

  /** The remotes' records, each place with its first object only where the remote made the second one itself. */
  records(core: RemoteCore): RemoteRecords {
    const known = new Set([...this.made.values()].map(([first]) => first));
    return recordsOf(core, (system, id) => known.has(`${system} ${id}`));
  }

  private say(invariant: Violation["invariant"], subject: string, detail: string): void {
    this.found.push({ invariant, subject, detail: `at the remote: ${detail}` });
  }

  private checkSingle({ slot, kind }: OutgoingRequest, answer: RemoteAnswer, isRemoteFault: boolean): void {
    const ids = this.made.get(slot) ?? [];
    ids.push(`${kind === "publish" ? "cms" : "mail"} ${answer.object?.remoteId ?? ""}`);
    this.made.set(slot, ids);
    if (ids.length > 1 && !isRemoteFault)
      this.say("I03", slot, `object ${ids.length} of this place: ${ids.join(", ")}`);
  }

  private checkMailed(request: OutgoingRequest, core: RemoteCore): void {
    const campaign = core.campaigns.find(({ id }) => id === request.remoteId);
    for (const id of campaign?.recipients ?? []) {
      const mail = `${request.slot} ${id}`;
      const count = (this.mailed.get(mail) ?? 0) + 1;
      this.mailed.set(mail, count);
      if (count > 1) this.say("I03", mail, `mail ${count} of this edition to one recipient`);
    }
  }

  /** Nothing is there without a `RequestSent` of exactly these bytes under an approval that was living when they left. */
  private checkOrigin(request: OutgoingRequest): void {
    const { operationKey, kind } = request;
    const invariant = kind === "send" ? "I04" : "I02";
    const sent = this.sqlite
      .prepare<[string], Sent>(
        `SELECT id, task_id AS taskId, state, request_bytes_hash AS requestBytesHash, request_sent_at AS requestSentAt
         FROM operation WHERE operation_key = ?`,
      )
      .get(operationKey);
    if (!sent || sent.requestSentAt === null) return this.say(invariant, operationKey, "the journal never sent it");
    if (sent.requestBytesHash !== sha256(request.bytes))
      this.say(invariant, operationKey, "these are not the bytes that the journal sent");
    if (kind !== "publish" && kind !== "send") return;
    const approval = this.approvalOf(sent);
    if (!approval) return this.say(invariant, operationKey, "no approval was named when it left");
    this.checkLiving(invariant, operationKey, approval, sent.requestSentAt);
    const body = JSON.parse(new TextDecoder().decode(request.bytes)) as Body;
    if (kind === "publish" && body["html"] !== undefined) this.checkPage(operationKey, approval, body);
    if (kind === "send" && request.phase === "create") this.checkMail(operationKey, approval, sent, body);
  }

  private approvalOf(sent: Sent): ApprovalRow | undefined {
    return this.sqlite
      .prepare<[string], ApprovalRow>(
        `SELECT a.id, a.scope, a.content_hash AS contentHash, a.package_hash AS packageHash, a.body_hash AS bodyHash,
           a.audience_hash AS audienceHash, a.issued_at AS issuedAt, a.expires_at AS expiresAt, a.revoked_at AS revokedAt,
           a.ended_at AS endedAt
         FROM attempt t JOIN approval a ON a.id = t.approval_id WHERE t.operation_id = ? ORDER BY t.number DESC LIMIT 1`,
      )
      .get(sent.id);
  }

  private checkLiving(invariant: "I02" | "I04", key: string, approval: ApprovalRow, at: number): void {
    const { issuedAt, expiresAt, revokedAt, endedAt } = approval;
    if (issuedAt > at || expiresAt <= at) this.say(invariant, key, "its approval was not valid when it left");
    if (revokedAt !== null && revokedAt < at) this.say(invariant, key, "its approval was revoked before it left");
    if (endedAt !== null && endedAt < at) this.say(invariant, key, "its approval had ended before it left");
  }

  private checkPage(key: string, approval: ApprovalRow, body: Body): void {
    const { packageHash, contentHash } = approval;
    if (packageHash === null || contentHash !== body["contentHash"])
      return this.say("I02", key, "it carries another content than was approved");
    const pack = JSON.parse(new TextDecoder().decode(this.blobs.get(packageHash))) as ContentPackage;
    if (sha256(String(body["html"])) !== pack.pageHash) this.say("I02", key, "the page is not the approved one");
  }

  private checkMail(key: string, approval: ApprovalRow, sent: Sent, body: Body): void {
    const email = { subject: String(body["subject"]), text: String(body["text"]), html: String(body["html"]) };
    if (sha256(bodyHashInput(email)) !== approval.bodyHash) this.say("I04", key, "the mail is not the approved one");
    const artifact = this.sqlite
      .prepare<[string, string | null], FrozenAudienceHash>(
        "SELECT artifact_hash AS hash FROM audience_snapshot WHERE task_id = ? AND audience_hash = ?",
      )
      .get(sent.taskId, approval.audienceHash);
    if (!artifact) return this.say("I04", key, "the approved audience was never frozen");
    const frozen = JSON.parse(new TextDecoder().decode(this.blobs.get(artifact.hash))) as FrozenAudience;
    const meant = frozen.recipients.map(({ id }) => id).join(" ");
    const reached = (body["recipients"] as readonly { id: string }[]).map(({ id }) => id).join(" ");
    if (meant !== reached) this.say("I04", key, "it goes to others than were approved");
    const suppressed = this.sqlite
      .prepare<[number], string>("SELECT recipient_id FROM suppression WHERE at < ?")
      .pluck()
      .all(sent.requestSentAt ?? 0);
    const wronged = suppressed.filter((id) => reached.split(" ").includes(id));
    if (wronged.length > 0) this.say("I04", key, `it goes to ${wronged.join(", ")}, who had unsubscribed`);
  }
}

interface FrozenAudienceHash {
  hash: FrozenHash;
}
type FrozenHash = Parameters<BlobStore["get"]>[0];
