import { z } from "zod";
import type { Instant } from "../../domain/ids";
import type {
  AdapterManifest,
  CallContext,
  DeliveryObserver,
  DeliveryReport,
  LookAnswer,
  OutgoingRequest,
  RemoteObject,
  WriteAdapter,
  WriteAnswer,
} from "../../domain/ports";
import { type HttpAnswer, toRawError } from "../http-call";
import {
  askJson,
  canonicalBytes,
  doneAnswer,
  isProvenAbsent,
  joinUrl,
  judgeFailure,
  readJson,
  readTime,
  refusalOf,
  remoteIdSchema,
  type SandboxAccess,
  sandboxErrors,
  sendJson,
  unsupportedPhase,
} from "../sandbox-protocol";

export interface MailCreateInput {
  operationKey: string;
  intentKey: string;
  name: string;
  subject: string;
  text: string;
  html: string;
  bodyHash: string;
  audienceHash: string;
  intentHash: string;
  taskId: string;
  pageUrl: string;
  recipients: readonly { id: string; address: string }[];
}

/** The body of a campaign with everybody it goes to, by id order. It holds addresses: it is kept encrypted, never logged. */
export function buildMailCreate(input: MailCreateInput): Uint8Array {
  const { operationKey: key, intentKey, name, subject, text, html, bodyHash, audienceHash } = input;
  const { intentHash, taskId, pageUrl } = input;
  const recipients = input.recipients
    .map(({ id, address }) => ({ id, address }))
    .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const about = { key, intentKey, name, intentHash, taskId, pageUrl };
  return canonicalBytes({ ...about, subject, text, html, bodyHash, audienceHash, recipients });
}

/** The body of the start of a campaign. */
export function buildMailTrigger(input: { operationKey: string }): Uint8Array {
  return canonicalBytes({ key: input.operationKey });
}

/** The body of holding a campaign back: a target state, harmless to ask for again. */
export function buildMailCancel(input: { operationKey: string }): Uint8Array {
  return canonicalBytes({ key: input.operationKey, status: "cancelled" });
}

const campaignSchema = z.object({
  id: remoteIdSchema,
  key: z.string().nullish(),
  status: z.string().max(40),
  bodyHash: z.string().nullish(),
  audienceHash: z.string().nullish(),
  intentHash: z.string().nullish(),
  taskId: z.string().nullish(),
  recipientCount: z.int().nullish(),
  triggers: z.array(z.object({ key: z.string() })).default([]),
  appliedKeys: z.array(z.string()).default([]),
});
const startedSchema = campaignSchema.partial().extend({ id: remoteIdSchema, status: z.string().max(40) });
const listSchema = z.object({ objects: z.array(campaignSchema), complete: z.boolean().default(false) });
const askedSchema = z.object({
  key: z.string(),
  bodyHash: z.string().optional(),
  audienceHash: z.string().optional(),
  intentHash: z.string().optional(),
  taskId: z.string().optional(),
  recipients: z.array(z.unknown()).optional(),
});
const reportSchema = z.object({
  recipients: z.array(
    z.object({
      id: z.string().min(1),
      outcome: z.enum(["accepted", "delivered", "bounced", "complained"]),
      at: z.string(),
      code: z.string().max(80).nullish(),
    }),
  ),
});

export const mailSandboxManifest: AdapterManifest = {
  name: "mail-sandbox",
  version: 1,
  key: { where: "field key of the campaign and of each trigger", unique: false },
  query: { reliable: true, visibilityDelayMs: 2000, horizonMs: 60_000, keyRetentionMs: null, lookBudget: 8 },
  retry: { resendAfterNotSent: true, resendAfterProvenAbsent: true, maxAttempts: 5 },
  approvalBinds: ["pageUrl", "bodyHash", "audienceHash"],
  compensation: { action: "a person tells the customers: a mail cannot be taken back", grade: "C" },
  errors: sandboxErrors,
  callTimeoutMs: 30_000,
  deliveryObservable: true,
};

/** The sandbox's mail provider, or a tester's own server that speaks the same protocol (sandbox/PROTOCOL.md). */
export class SandboxMail implements WriteAdapter, DeliveryObserver {
  readonly manifest = mailSandboxManifest;

  constructor(private readonly access: SandboxAccess) {}

  async send(request: OutgoingRequest, context: CallContext): Promise<WriteAnswer> {
    const asked = readAsked(request.bytes);
    const path = pathOf(request);
    if (asked === null || path === null) return unsupportedPhase();
    const result = await sendJson(this.access, "POST", joinUrl(request.target, path), request.bytes, context);
    const done = doneAnswer(result);
    if (done !== null) return request.phase === "create" ? confirmCreate(asked, done) : confirmLater(request, done);
    // "Already sent" may be about our own lost trigger: evidence to be checked, not a refusal.
    const isSentBefore =
      request.phase === "trigger" && result.kind === "answered" && refusalOf(result).code === "already_sent";
    return judgeFailure(result, isSentBefore ? "already_done" : undefined);
  }

  async look(query: Parameters<WriteAdapter["look"]>[0], context: CallContext): Promise<LookAnswer> {
    if (query.remoteId !== null) return this.lookById(query.target, query.remoteId, context);
    const path = `/mail/campaigns?${new URLSearchParams({ key: query.createKey })}`;
    const asked = `GET ${path}`;
    const result = await askJson(this.access, joinUrl(query.target, path), context);
    if (result.kind === "failed" || result.httpStatus !== 200) return failed(toRawError(result, "query"), asked);
    const list = readJson(result, listSchema);
    if (list === null) return failed(toRawError(result, "query", "unparsable"), asked);
    return { kind: "seen", able: list.complete, objects: list.objects.map(toRemoteObject), query: asked };
  }

  private async lookById(target: string, remoteId: string, context: CallContext): Promise<LookAnswer> {
    const path = `/mail/campaigns/${encodeURIComponent(remoteId)}`;
    const asked = `GET ${path}`;
    const result = await askJson(this.access, joinUrl(target, path), context);
    if (isProvenAbsent(result)) {
      return { kind: "seen", able: true, objects: [], query: asked };
    }
    if (result.kind === "failed" || result.httpStatus !== 200) return failed(toRawError(result, "query"), asked);
    const campaign = readJson(result, campaignSchema);
    if (campaign === null || campaign.id !== remoteId) return failed(toRawError(result, "query", "unparsable"), asked);
    return { kind: "seen", able: true, objects: [toRemoteObject(campaign)], query: asked };
  }

  async report(query: { target: string; remoteId: string }, context: CallContext): Promise<DeliveryReport> {
    const path = `/mail/campaigns/${encodeURIComponent(query.remoteId)}/report`;
    const result = await askJson(this.access, joinUrl(query.target, path), context);
    if (result.kind === "failed" || result.httpStatus !== 200)
      return { kind: "failed", error: toRawError(result, "query") };
    const report = readJson(result, reportSchema);
    const recipients = report?.recipients.map(({ id, outcome, at, code }) => ({
      recipientId: id,
      outcome,
      at: readTime(at),
      code: code ?? null,
    }));
    const isWhole = recipients?.every((entry): entry is typeof entry & { at: Instant } => entry.at !== null) === true;
    if (recipients === undefined || !isWhole) {
      return { kind: "failed", error: toRawError(result, "query", "unparsable") };
    }
    return { kind: "seen", recipients };
  }
}

function failed(error: Extract<LookAnswer, { kind: "failed" }>["error"], query: string): LookAnswer {
  return { kind: "failed", error, query };
}

function readAsked(bytes: Uint8Array): z.infer<typeof askedSchema> | null {
  try {
    return askedSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}

/** A mailing is created and started, or held back before it started; what was mailed no path takes back. */
function pathOf(request: OutgoingRequest): string | null {
  if (request.phase === "create") return "/mail/campaigns";
  if (request.remoteId === null) return null;
  const campaign = `/mail/campaigns/${encodeURIComponent(request.remoteId)}`;
  if (request.phase === "trigger") return `${campaign}/trigger`;
  return request.phase === "undo" ? `${campaign}/status` : null;
}

function confirmCreate(asked: z.infer<typeof askedSchema>, answer: HttpAnswer): WriteAnswer {
  const campaign = readJson(answer, campaignSchema);
  if (campaign === null) return judgeFailure(answer, "unparsable");
  const hashes = ["bodyHash", "audienceHash", "intentHash", "taskId"] as const;
  const isSame =
    campaign.key === asked.key &&
    hashes.every((field) => asked[field] === campaign[field]) &&
    (campaign.recipientCount ?? asked.recipients?.length) === asked.recipients?.length;
  if (!isSame) return judgeFailure(answer, "answer_differs");
  const observed = toRemoteObject(campaign);
  return { kind: "confirmed", remoteId: campaign.id, url: null, observed, httpStatus: answer.httpStatus };
}

/** A start or a holding back: the answer is about the same campaign, and a held back one says so. */
function confirmLater(request: OutgoingRequest, answer: HttpAnswer): WriteAnswer {
  const started = readJson(answer, startedSchema);
  if (started === null) return judgeFailure(answer, "unparsable");
  const isAsAsked = request.phase !== "undo" || started.status === "cancelled";
  if (started.id !== request.remoteId || !isAsAsked) return judgeFailure(answer, "answer_differs");
  const { triggers = [], appliedKeys = [] } = started;
  const observed = toRemoteObject({ ...started, triggers, appliedKeys });
  return { kind: "confirmed", remoteId: started.id, url: null, observed, httpStatus: answer.httpStatus };
}

function toRemoteObject(campaign: z.infer<typeof campaignSchema>): RemoteObject {
  return {
    remoteId: campaign.id,
    externalKey: campaign.key ?? null,
    intentHash: campaign.intentHash ?? null,
    contentHash: campaign.bodyHash ?? null,
    taskId: campaign.taskId ?? null,
    url: null,
    state: campaign.status,
    revision: null,
    appliedKeys: [...campaign.triggers.map((trigger) => trigger.key), ...campaign.appliedKeys],
  };
}
