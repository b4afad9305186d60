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
import { toRawError } from "../http-call";
import {
  askJson,
  canonicalBytes,
  doneAnswer,
  isProvenAbsent,
  joinUrl,
  judgeFailure,
  readJson,
  remoteIdSchema,
  type SandboxAccess,
  sandboxErrors,
  sendJson,
  unsupportedPhase,
} from "../sandbox-protocol";

/** The body of a state to reach, of a member or of its vouchers. A null revision means: whatever was written there last. */
export function buildServiceState(input: {
  operationKey: string;
  status: string;
  expectedRevision: number | null;
}): Uint8Array {
  const { operationKey: key, status, expectedRevision } = input;
  return canonicalBytes({ key, status, expectedRevision });
}

const objectSchema = z.object({
  id: remoteIdSchema,
  status: z.string().max(40),
  revision: z.int().nullish(),
  appliedKeys: z.array(z.string()).default([]),
});
const askedSchema = z.object({ status: z.string() });

export const membershipSandboxManifest: AdapterManifest = {
  name: "membership-sandbox",
  version: 1,
  key: { where: "appliedKeys of the member and of its vouchers", unique: true },
  query: { reliable: true, visibilityDelayMs: 2_000, horizonMs: 60_000, keyRetentionMs: null, lookBudget: 8 },
  retry: { resendAfterNotSent: true, resendAfterProvenAbsent: true, maxAttempts: 3 },
  approvalBinds: [],
  compensation: { action: "bring it back to the state it was in", grade: "B" },
  errors: sandboxErrors,
  callTimeoutMs: 10_000,
  deliveryObservable: false,
};

/**
 * A shop's members and vouchers (sandbox/PROTOCOL.md, Services). Each write names a state to reach; its target is the address
 * of the very thing it is about, which is also asked there.
 */
export class SandboxMembership implements WriteAdapter {
  readonly manifest = membershipSandboxManifest;

  constructor(private readonly access: SandboxAccess) {}

  async send(request: OutgoingRequest, context: CallContext): Promise<WriteAnswer> {
    if (request.phase !== "update" && request.phase !== "undo") return unsupportedPhase();
    const result = await sendJson(this.access, "POST", request.target, request.bytes, context);
    const done = doneAnswer(result);
    if (done === null) return judgeFailure(result);
    const object = readJson(done, objectSchema);
    if (object === null) return judgeFailure(result, "unparsable");
    const asked = askedSchema.safeParse(JSON.parse(new TextDecoder().decode(request.bytes)));
    if (!asked.success || object.status !== asked.data.status) return judgeFailure(result, "answer_differs");
    return {
      kind: "confirmed",
      remoteId: object.id,
      url: null,
      observed: toRemoteObject(object),
      httpStatus: done.httpStatus,
    };
  }

  async look(query: Parameters<WriteAdapter["look"]>[0], context: CallContext): Promise<LookAnswer> {
    const asked = `GET ${new URL(query.target).pathname}`;
    const result = await askJson(this.access, joinUrl(query.target, ""), context);
    if (isProvenAbsent(result)) return { kind: "seen", able: true, objects: [], query: asked };
    if (result.kind === "failed" || result.httpStatus !== 200)
      return { kind: "failed", error: toRawError(result, "query"), query: asked };
    const object = readJson(result, objectSchema);
    if (object === null) return { kind: "failed", error: toRawError(result, "query", "unparsable"), query: asked };
    return { kind: "seen", able: true, objects: [toRemoteObject(object)], query: asked };
  }
}

function toRemoteObject(object: z.infer<typeof objectSchema>): RemoteObject {
  return {
    remoteId: object.id,
    externalKey: null,
    intentHash: null,
    contentHash: null,
    taskId: null,
    url: null,
    state: object.status,
    revision: object.revision ?? null,
    appliedKeys: object.appliedKeys,
  };
}
