import canonicalize from "canonicalize";
import { z } from "zod";
import { classify, type ErrorTable, type RawError } from "../domain/errors";
import { Bug, type Instant } from "../domain/ids";
import type { CallContext, WriteAnswer } from "../domain/ports";
import { type HttpAnswer, type HttpResult, httpCall, toRawError } from "./http-call";

/**
 * What the sandbox's CMS and mail provider have in common as remotes. A server of a tester's own is reached the same way.
 */

/** Where the objects live and how to get in. */
export interface SandboxAccess {
  token: string;
}

/** Ids are strings in one server and numbers in the next. */
export const remoteIdSchema = z.union([z.string().min(1).max(200), z.int()]).transform(String);

/**
 * Raw errors to classes. Only what was answered before any processing is a definite no; every 5xx after sending, every
 * lost or garbled answer and every 409 leaves the outcome unknown until the remote was asked.
 */
export const sandboxErrors: ErrorTable = {
  version: 1,
  rules: [
    ...rows("before_send", "transient", ["dns", "refused", "unreachable", "tls", "timeout"]),
    ...rows("before_send", "permanent_input", ["bad_url", "unsupported_phase"]),
    ...rows("after_send", "auth", ["http_401", "http_403"]),
    ...rows("after_send", "permanent_input", ["http_400", "http_413", "http_415", "http_422"]),
    ...rows("after_send", "business_conflict", ["http_404", "http_410", "http_412", "taken_by_another"]),
    // Refused at the door: the answer itself says that nothing was processed. Without that word a 429 proves nothing.
    ...rows("after_send", "transient", ["http_429_unprocessed", "http_503_unprocessed"]),
    ...rows("after_send", "unknown_outcome", [
      ...["timeout", "reset", "unparsable", "too_large", "answer_differs", "already_done"],
      ...["http_408", "http_409", "http_425", "http_429"],
      ...["http_500", "http_502", "http_503", "http_504", "http_520", "http_522", "http_524"],
    ]),
    ...rows("query", "auth", ["http_401", "http_403"]),
    ...rows("query", "transient", [
      ...["dns", "refused", "unreachable", "tls", "timeout", "reset", "unparsable", "too_large"],
      ...["http_408", "http_425", "http_429", "http_500", "http_502", "http_503", "http_504"],
    ]),
    ...rows("query", "permanent_input", ["bad_url", "http_400"]),
  ],
};

function rows(phase: RawError["phase"], cls: ErrorTable["rules"][number]["class"], codes: readonly string[]) {
  return codes.map((code) => ({ phase, code, class: cls }));
}

/** The bytes of a request body: canonical JSON, so that the same values always are the same bytes. */
export function canonicalBytes(value: unknown): Uint8Array {
  const text = canonicalize(value);
  if (text === undefined) throw new Bug("a request body must be a JSON value");
  return new TextEncoder().encode(text);
}

/** Puts a path behind a base address that may end with a slash or have a path of its own. */
export function joinUrl(base: string, path: string): string {
  return base.replace(/\/+$/, "") + path;
}

/** Sends frozen bytes as they are. */
export function sendJson(
  access: SandboxAccess,
  method: "POST" | "PUT",
  url: string,
  body: Uint8Array,
  context: CallContext,
): Promise<HttpResult> {
  const headers = { Authorization: `Bearer ${access.token}`, "Content-Type": "application/json" };
  return httpCall({ method, url, headers, body, signal: context.signal, clock: context.now });
}

/** Asks, with the login that lets drafts be seen. */
export function askJson(access: SandboxAccess, url: string, context: CallContext): Promise<HttpResult> {
  const headers = { Authorization: `Bearer ${access.token}` };
  return httpCall({ method: "GET", url, headers, signal: context.signal, clock: context.now });
}

/** Reads an answer's JSON by a schema; null when it is anything else. The text of it goes nowhere. */
export function readJson<Schema extends z.ZodType>(answer: HttpAnswer, schema: Schema): z.infer<Schema> | null {
  try {
    const checked = schema.safeParse(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(answer.bytes)));
    return checked.success ? checked.data : null;
  } catch {
    return null;
  }
}

/** Takes a time of the remote. Null when it is not one. */
export function readTime(text: string): Instant | null {
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}

const refusalSchema = z.object({ code: z.string().max(80).optional(), processed: z.boolean().optional() });

/** What a remote gave as its reason, reduced to its code. */
export function refusalOf(answer: HttpAnswer): z.infer<typeof refusalSchema> {
  return readJson(answer, refusalSchema) ?? {};
}

/**
 * Judges a write that did not end in a confirmation, by the error table and nothing else. Only the classes that are a
 * definite no become `rejected`; whatever the table does not know stays unknown.
 */
export function judgeFailure(result: HttpResult, code?: string): WriteAnswer {
  if (result.kind === "failed" && result.phase === "before_send") {
    return { kind: "not_sent", error: toRawError(result, "before_send") };
  }
  const isUnprocessed =
    result.kind === "answered" && [429, 503].includes(result.httpStatus) && refusalOf(result).processed === false;
  const named = code ?? (isUnprocessed ? `http_${result.httpStatus}_unprocessed` : undefined);
  const error = toRawError(result, "after_send", named);
  switch (classify(sandboxErrors, error)) {
    case "auth":
    case "permanent_input":
    case "business_conflict":
    case "transient":
      return { kind: "rejected", error };
    default:
      return { kind: "unknown", error };
  }
}

/** A phase this remote does not have. Nothing was sent, and nothing will be. */
export function unsupportedPhase(): WriteAnswer {
  const error: RawError = {
    phase: "before_send",
    code: "unsupported_phase",
    httpStatus: null,
    reference: null,
    retryAfterMs: null,
  };
  return { kind: "not_sent", error };
}

/** The answer of a remote that says the write was done; null for every other outcome. */
export function doneAnswer(result: HttpResult): HttpAnswer | null {
  return result.kind === "answered" && [200, 201, 202].includes(result.httpStatus) ? result : null;
}

/** "No such object" in the protocol's own words. A bare 404 may come from a proxy or a wrong address, and proves nothing. */
export function isProvenAbsent(result: HttpResult): boolean {
  return result.kind === "answered" && result.httpStatus === 404 && refusalOf(result).code === "not_found";
}
