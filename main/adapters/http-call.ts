import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { RawError } from "../domain/errors";
import type { Instant } from "../domain/ids";

/** Plenty for an answer about one object with its page; a remote that says more is not answering the question. */
const DEFAULT_MAX_BYTES = 8 * 1024 * 1024;
const MAX_REFERENCE_CHARS = 120;

export interface HttpCall {
  method: "GET" | "POST" | "PUT" | "DELETE";
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent as it is. */
  body?: Uint8Array;
  /** The time limit and the only one: nothing here waits by a timer of its own. */
  signal: AbortSignal;
  /** Workspace time, sent as `Imprimatur-Clock`, so that a sandbox goes by the same clock. */
  clock?: Instant;
  maxBytes?: number;
}

/** An answer as received, whatever its status. */
export interface HttpAnswer {
  kind: "answered";
  httpStatus: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  reference: string | null;
  retryAfterMs: number | null;
}

/**
 * A call without an answer. `before_send` is only said where it is proven: until the connection stood (for TLS: until
 * its handshake was over) no byte of the request existed outside this process. Everything later is `after_send`.
 */
export interface HttpFailure {
  kind: "failed";
  phase: "before_send" | "after_send";
  code: string;
  /** Set when the head of an answer was read and its body was not. */
  httpStatus: number | null;
  reference: string | null;
}

export type HttpResult = HttpAnswer | HttpFailure;

/**
 * Makes one HTTP call: one connection, used once, so that a stale one cannot lie about what was sent; no retry and no
 * redirect, because either would be a second request that nobody decided on.
 */
export async function httpCall(call: HttpCall): Promise<HttpResult> {
  const url = parseUrl(call.url);
  if (url === null) return notSent("bad_url");
  const connected = await openConnection(url, call.signal);
  if (!("socket" in connected)) return notSent(connected.code);
  return exchange(call, url, connected.socket);
}

function notSent(code: string): HttpFailure {
  return { kind: "failed", phase: "before_send", code, httpStatus: null, reference: null };
}

function parseUrl(text: string): URL | null {
  try {
    const url = new URL(text);
    const isHttp = url.protocol === "http:" || url.protocol === "https:";
    // A login in an address ends up in logs; adapters send it in a header.
    return isHttp && url.username === "" && url.password === "" ? url : null;
  } catch {
    return null;
  }
}

/** Connects, and for https also shakes hands. As long as this has not succeeded, nothing was sent. */
function openConnection(url: URL, signal: AbortSignal): Promise<{ socket: Socket } | { code: string }> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ code: "timeout" });
    const isTls = url.protocol === "https:";
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const port = Number(url.port) || (isTls ? 443 : 80);
    const servername = isIP(host) === 0 ? host : undefined;
    const socket = isTls
      ? connectTls({ host, port, servername, ALPNProtocols: ["http/1.1"] })
      : connectTcp({ host, port });
    let isTcpUp = false;
    const finish = (outcome: { socket: Socket } | { code: string }): void => {
      signal.removeEventListener("abort", abort);
      socket.removeAllListeners("error");
      // An error between two owners would otherwise end the process.
      socket.on("error", () => undefined);
      if ("code" in outcome) socket.destroy();
      resolve(outcome);
    };
    const abort = (): void => finish({ code: "timeout" });
    signal.addEventListener("abort", abort, { once: true });
    socket.once("connect", () => {
      isTcpUp = true;
    });
    socket.once(isTls ? "secureConnect" : "connect", () => finish({ socket }));
    socket.once("error", (error: NodeJS.ErrnoException) => finish({ code: connectionCode(error.code, isTcpUp) }));
  });
}

/** Reduces the many names of the system to the few that matter. */
function connectionCode(code: string | undefined, isTcpUp: boolean): string {
  if (isTcpUp) return "tls";
  switch (code) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EAI_NODATA":
    case "EAI_NONAME":
    case "EAI_FAIL":
      return "dns";
    case "ECONNREFUSED":
      return "refused";
    default:
      return "unreachable";
  }
}

/** Sends the request over a connection that stands, and reads the answer to its end. */
function exchange(call: HttpCall, url: URL, socket: Socket): Promise<HttpResult> {
  return new Promise((resolve) => {
    let head: IncomingMessage | null = null;
    const outgoing = request({
      createConnection: () => socket,
      method: call.method,
      host: url.hostname,
      path: url.pathname + url.search,
      headers: requestHeaders(call, url),
    });
    const finish = (result: HttpResult): void => {
      call.signal.removeEventListener("abort", abort);
      outgoing.destroy();
      socket.destroy();
      resolve(result);
    };
    const fail = (code: string): void => {
      const reference = head === null ? null : readReference(head.headers);
      finish({ kind: "failed", phase: "after_send", code, httpStatus: head?.statusCode ?? null, reference });
    };
    const abort = (): void => fail("timeout");
    call.signal.addEventListener("abort", abort, { once: true });
    outgoing.on("error", (error: NodeJS.ErrnoException) => fail(exchangeCode(error.code)));
    outgoing.on("response", (response) => {
      head = response;
      const chunks: Buffer[] = [];
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > (call.maxBytes ?? DEFAULT_MAX_BYTES)) fail("too_large");
        else chunks.push(chunk);
      });
      response.on("error", (error: NodeJS.ErrnoException) => fail(exchangeCode(error.code)));
      response.on("close", () => fail("reset"));
      response.on("end", () => finish(answerOf(response, Buffer.concat(chunks), call.clock)));
    });
    // The signal may have gone off between the two halves of the call; then this line is where the call ends, unsent.
    if (call.signal.aborted) return finish(notSent("timeout"));
    outgoing.end(call.body);
  });
}

function requestHeaders(call: HttpCall, url: URL): Record<string, string> {
  const headers: Record<string, string> = {
    Host: url.host,
    "User-Agent": "Imprimatur",
    Accept: "application/json",
    "Accept-Encoding": "identity",
    Connection: "close",
    ...call.headers,
  };
  if (call.clock !== undefined) headers["Imprimatur-Clock"] = new Date(call.clock).toISOString();
  if (call.body !== undefined) headers["Content-Length"] = String(call.body.byteLength);
  return headers;
}

function exchangeCode(code: string | undefined): string {
  return code?.startsWith("HPE_") === true ? "unparsable" : "reset";
}

function answerOf(response: IncomingMessage, bytes: Buffer, clock: Instant | undefined): HttpAnswer {
  const { headers } = response;
  const serverTime = Date.parse(headers.date ?? "");
  const now = Number.isNaN(serverTime) ? (clock ?? Date.now()) : serverTime;
  return {
    kind: "answered",
    httpStatus: response.statusCode ?? 0,
    headers,
    bytes,
    reference: readReference(headers),
    retryAfterMs: parseRetryAfter(headers["retry-after"], now),
  };
}

/** The remote's own name for the request. Untrusted: printable ASCII only, and short. */
function readReference(headers: IncomingHttpHeaders): string | null {
  const value = headers["x-request-id"];
  if (typeof value !== "string") return null;
  const clean = value.replace(/[^\x21-\x7e]/g, "").slice(0, MAX_REFERENCE_CHARS);
  return clean === "" ? null : clean;
}

/**
 * Reads `Retry-After`, which is a number of seconds or a date (RFC 9110, 10.2.3). `now` is the server's own time where
 * it told it, so that a wrong local clock does not stretch the wait. Null when absent or nonsense.
 */
export function parseRetryAfter(value: string | undefined, now: Instant): number | null {
  if (value === undefined) return null;
  const text = value.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // A date always names a day; without this, `Date.parse("-5")` would be a date to some engines.
  const isDate = /^[A-Za-z]{3,9},? /.test(text);
  // The oldest of the three forms names no zone and means GMT; without the word it would be read as local time.
  const at = isDate ? Date.parse(text.endsWith("GMT") ? text : `${text} GMT`) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** Reduces what happened to a call to the record the journal keeps. `phase` is `query` for a look, else as proven. */
export function toRawError(result: HttpResult, phase: RawError["phase"], code?: string): RawError {
  return {
    phase,
    code: code ?? (result.kind === "answered" ? `http_${result.httpStatus}` : result.code),
    httpStatus: result.httpStatus,
    reference: result.reference,
    retryAfterMs: result.kind === "answered" ? result.retryAfterMs : null,
  };
}
