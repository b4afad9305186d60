import { z } from "zod";
import type {
  AdapterManifest,
  CallContext,
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
  refusalOf,
  remoteIdSchema,
  type SandboxAccess,
  sandboxErrors,
  sendJson,
  unsupportedPhase,
} from "../sandbox-protocol";

export type PostStatus = "draft" | "published" | "trash";

export interface CmsCreateInput {
  operationKey: string;
  intentKey: string;
  slug: string;
  title: string;
  language: string;
  html: string;
  contentHash: string;
  intentHash: string;
  taskId: string;
  status: "draft" | "published";
}

/** The body of a create: what becomes the page. */
export function buildCmsCreate(input: CmsCreateInput): Uint8Array {
  const { operationKey: key, intentKey, slug, title, language, html, contentHash, intentHash, taskId, status } = input;
  return canonicalBytes({ key, intentKey, slug, title, language, html, contentHash, intentHash, taskId, status });
}

/** The body of a target state. A null revision means: in that state, whatever it holds now. */
export function buildCmsStatus(input: {
  operationKey: string;
  status: PostStatus;
  expectedRevision: number | null;
}): Uint8Array {
  return canonicalBytes({ key: input.operationKey, status: input.status, expectedRevision: input.expectedRevision });
}

export interface CmsUpdateInput {
  operationKey: string;
  expectedRevision: number;
  title: string;
  html: string;
  contentHash: string;
  intentHash: string;
  taskId: string;
}

/** The body of new content for a post that exists; refused by the remote when its revision is another. */
export function buildCmsUpdate(input: CmsUpdateInput): Uint8Array {
  const { operationKey: key, expectedRevision, title, html, contentHash, intentHash, taskId } = input;
  return canonicalBytes({ key, expectedRevision, title, html, contentHash, intentHash, taskId });
}

/** The place of an edition on the site: `publish:weekly-briefing:2026-W30:zh-CN` → `weekly-briefing-2026-w30-zh-cn`. */
export function slugOfSlot(slot: string): string {
  const place = slot.replace(/^[a-z]+:/, "").toLowerCase();
  return place.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "");
}

const objectSchema = z.object({
  id: remoteIdSchema,
  key: z.string().nullish(),
  slug: z.string().nullish(),
  url: z.url({ protocol: /^https?$/ }).nullish(),
  status: z.string().max(40),
  revision: z.int().nullish(),
  contentHash: z.string().nullish(),
  intentHash: z.string().nullish(),
  taskId: z.string().nullish(),
  appliedKeys: z.array(z.string()).default([]),
});
type CmsObject = z.infer<typeof objectSchema>;

const listSchema = z.object({ objects: z.array(objectSchema), complete: z.boolean().default(false) });
const conflictSchema = z.object({ object: objectSchema });
/** What the frozen bytes ask for, read back from them: they are the truth about what was sent. */
const askedSchema = z.object({
  key: z.string(),
  slug: z.string().optional(),
  html: z.string().optional(),
  contentHash: z.string().optional(),
  intentHash: z.string().optional(),
  taskId: z.string().optional(),
  status: z.string().optional(),
});

export const cmsSandboxManifest: AdapterManifest = {
  name: "cms-sandbox",
  version: 1,
  key: { where: "field key of the post; slug as second key", unique: false },
  query: { reliable: true, visibilityDelayMs: 2000, horizonMs: 60_000, keyRetentionMs: null, lookBudget: 8 },
  retry: { resendAfterNotSent: true, resendAfterProvenAbsent: true, maxAttempts: 5 },
  approvalBinds: ["contentHash"],
  compensation: { action: "take the page down / point back", grade: "B" },
  errors: sandboxErrors,
  callTimeoutMs: 30_000,
  deliveryObservable: false,
};

/** The sandbox's CMS, or a tester's own server that speaks the same protocol (sandbox/PROTOCOL.md). */
export class SandboxCms implements WriteAdapter {
  readonly manifest = cmsSandboxManifest;

  constructor(private readonly access: SandboxAccess) {}

  async send(request: OutgoingRequest, context: CallContext): Promise<WriteAnswer> {
    const asked = readAsked(request.bytes);
    const route = asked === null ? null : routeOf(request, asked);
    if (asked === null || route === null) return unsupportedPhase();
    const url = joinUrl(request.target, route.path);
    const result = await sendJson(this.access, route.method, url, request.bytes, context);
    const done = doneAnswer(result);
    if (done !== null) return this.confirm(request, asked, done);
    if (result.kind === "answered" && result.httpStatus === 412) {
      // Another revision is there. When it carries our own key, it is ours: an earlier try of this very write.
      const there = readJson(result, conflictSchema)?.object;
      if (there?.appliedKeys.includes(asked.key) === true) return judgeFailure(result, "already_done");
    }
    if (result.kind === "answered" && result.httpStatus === 409 && request.phase === "create") {
      // Our own key there is a candidate and is looked at; another task's object is a no: nothing was made beside it.
      const there = readJson(result, conflictSchema)?.object;
      if (there && there.key !== asked.key && there.taskId !== asked.taskId && refusalOf(result).code === "slug_taken")
        return judgeFailure(result, "taken_by_another");
    }
    return judgeFailure(result);
  }

  async look(query: Parameters<WriteAdapter["look"]>[0], context: CallContext): Promise<LookAnswer> {
    if (query.remoteId !== null) return this.lookById(query.target, query.remoteId, context);
    // The slug is asked for as well: who else may hold the place is part of the answer.
    const search = new URLSearchParams({ key: query.createKey, slug: slugOfSlot(query.slot) });
    const asked = `GET /cms/posts?${search}`;
    const result = await askJson(this.access, joinUrl(query.target, `/cms/posts?${search}`), context);
    if (result.kind === "failed" || result.httpStatus !== 200) return failed(toRawError(result, "query"), asked);
    const list = readJson(result, listSchema);
    if (list === null) return failed(toRawError(result, "query", "unparsable"), asked);
    return { kind: "seen", able: list.complete, objects: list.objects.map(toRemoteObject), query: asked };
  }

  private async lookById(target: string, remoteId: string, context: CallContext): Promise<LookAnswer> {
    const path = `/cms/posts/${encodeURIComponent(remoteId)}`;
    const asked = `GET ${path}`;
    const result = await askJson(this.access, joinUrl(target, path), context);
    if (isProvenAbsent(result)) {
      return { kind: "seen", able: true, objects: [], query: asked };
    }
    if (result.kind === "failed" || result.httpStatus !== 200) return failed(toRawError(result, "query"), asked);
    const object = readJson(result, objectSchema);
    if (object === null || object.id !== remoteId) return failed(toRawError(result, "query", "unparsable"), asked);
    return { kind: "seen", able: true, objects: [toRemoteObject(object)], query: asked };
  }

  /** Takes a done for a done only where the answer is about exactly what was asked; anything else is looked into. */
  private confirm(request: OutgoingRequest, asked: z.infer<typeof askedSchema>, answer: HttpAnswer): WriteAnswer {
    const object = readJson(answer, objectSchema);
    if (object === null) return judgeFailure(answer, "unparsable");
    const isSame = (field: "contentHash" | "intentHash" | "taskId" | "status" | "slug"): boolean =>
      asked[field] === undefined || asked[field] === object[field];
    const fields = ["contentHash", "intentHash", "taskId", "status", "slug"] as const;
    const isOurs = request.phase === "create" ? object.key === asked.key : object.id === request.remoteId;
    if (!isOurs || !fields.every(isSame)) return judgeFailure(answer, "answer_differs");
    const observed = toRemoteObject(object);
    return { kind: "confirmed", remoteId: object.id, url: observed.url, observed, httpStatus: answer.httpStatus };
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

/** Which call a phase is. An undo points back (content) or takes down (a state); its frozen bytes say which. */
function routeOf(
  request: OutgoingRequest,
  asked: z.infer<typeof askedSchema>,
): { method: "POST" | "PUT"; path: string } | null {
  if (request.phase === "create") return { method: "POST", path: "/cms/posts" };
  if (request.remoteId === null) return null;
  const post = `/cms/posts/${encodeURIComponent(request.remoteId)}`;
  const isContent = request.phase === "update" || (request.phase === "undo" && asked.html !== undefined);
  if (isContent) return { method: "PUT", path: post };
  const isState = request.phase === "publish" || request.phase === "undo";
  return isState ? { method: "POST", path: `${post}/status` } : null;
}

function toRemoteObject(object: CmsObject): RemoteObject {
  return {
    remoteId: object.id,
    externalKey: object.key ?? null,
    intentHash: object.intentHash ?? null,
    contentHash: object.contentHash ?? null,
    taskId: object.taskId ?? null,
    url: object.url ?? null,
    state: object.status,
    revision: object.revision ?? null,
    appliedKeys: object.appliedKeys,
  };
}
