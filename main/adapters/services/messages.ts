import { z } from "zod";
import type {
  AdapterManifest,
  CallContext,
  LookAnswer,
  OutgoingRequest,
  WriteAdapter,
  WriteAnswer,
} from "../../domain/ports";
import {
  canonicalBytes,
  doneAnswer,
  judgeFailure,
  readJson,
  remoteIdSchema,
  type SandboxAccess,
  sandboxErrors,
  sendJson,
  unsupportedPhase,
} from "../sandbox-protocol";

/** The body of a short message. */
export function buildMessage(input: { operationKey: string; memberId: string; text: string }): Uint8Array {
  const { operationKey: key, memberId, text } = input;
  return canonicalBytes({ key, memberId, text });
}

const sentSchema = z.object({ id: remoteIdSchema, key: z.string() });
const askedSchema = z.object({ key: z.string() });

export const messagesSandboxManifest: AdapterManifest = {
  name: "messages-sandbox",
  version: 1,
  key: { where: "field key of the message, in the answer only", unique: false },
  // A gateway takes messages and answers no questions: whoever lost the answer cannot find out, and stops (domain 6).
  query: { reliable: false, visibilityDelayMs: 0, horizonMs: 0, keyRetentionMs: null, lookBudget: 1 },
  retry: { resendAfterNotSent: true, resendAfterProvenAbsent: false, maxAttempts: 3 },
  approvalBinds: [],
  compensation: { action: "a person tells the member: a message cannot be taken back", grade: "C" },
  errors: sandboxErrors,
  callTimeoutMs: 10_000,
  deliveryObservable: false,
};

/** A gateway for short messages (sandbox/PROTOCOL.md, Services). */
export class SandboxMessages implements WriteAdapter {
  readonly manifest = messagesSandboxManifest;

  constructor(private readonly access: SandboxAccess) {}

  async send(request: OutgoingRequest, context: CallContext): Promise<WriteAnswer> {
    if (request.phase !== "deliver") return unsupportedPhase();
    const result = await sendJson(this.access, "POST", request.target, request.bytes, context);
    const done = doneAnswer(result);
    if (done === null) return judgeFailure(result);
    const sent = readJson(done, sentSchema);
    if (sent === null) return judgeFailure(result, "unparsable");
    const asked = askedSchema.safeParse(JSON.parse(new TextDecoder().decode(request.bytes)));
    if (!asked.success || sent.key !== asked.data.key) return judgeFailure(result, "answer_differs");
    return { kind: "confirmed", remoteId: sent.id, url: null, observed: null, httpStatus: done.httpStatus };
  }

  async look(): Promise<LookAnswer> {
    return { kind: "seen", able: false, objects: [], query: "no query exists" };
  }
}
