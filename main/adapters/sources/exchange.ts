import http, { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";
import { decodeBody } from "./body-decoding";
import { networkCodeOf } from "./network-codes";
import { isPrivateAddress, isPrivateHost, publicLookup } from "./private-hosts";

/** One request without a body and what came of it. No redirect is followed and nothing is tried again. */
export interface ExchangeRequest {
  method: "GET" | "HEAD";
  url: URL;
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** Largest body in bytes, as sent and as decompressed. */
  maxBodyBytes: number;
  /** Whether the body of an answer with this status is wanted; others are dropped unread. */
  wantsBody: (status: number) => boolean;
  /** False refuses hosts of this machine and its network, after the name was resolved. */
  allowPrivateHosts: boolean;
}

export type Exchange =
  | { kind: "answered"; status: number; headers: IncomingHttpHeaders; body: Uint8Array; fromPrivateHost: boolean }
  | { kind: "failed"; code: string; status: number | null; headers: IncomingHttpHeaders };

/**
 * Sends one GET or HEAD. Never rejects.
 * Codes besides those of `network-codes.ts`: `too_large`, `cut_short` (the body ended before its announced end),
 * `bad_content_encoding`.
 */
export function exchange(request: ExchangeRequest): Promise<Exchange> {
  if (request.signal.aborted) return Promise.resolve(failed("timeout"));
  if (!request.allowPrivateHosts && isPrivateHost(request.url)) return Promise.resolve(failed("private_address"));
  return new Promise((settle) => {
    const fail = (error: unknown) => settle(failed(networkCodeOf(error, request.signal)));
    let answered = false;
    let dialled = "";
    try {
      const outgoing = (request.url.protocol === "https:" ? https : http).request(request.url, optionsOf(request));
      // Read while the connection is surely open; afterwards the socket may have forgotten it.
      outgoing.on("socket", (socket) => {
        socket.once("connect", () => {
          dialled = socket.remoteAddress ?? "";
        });
      });
      outgoing.on("response", (incoming) => {
        answered = true;
        readAnswer(incoming, request, isPrivateAddress(dialled)).then(settle, fail);
      });
      // After the answer began, `readAnswer` says what happened; the request's own error would be a second, vaguer word.
      outgoing.on("error", (error) => {
        if (!answered) fail(error);
      });
      // An answer that is none, such as a switch of protocols nobody asked for, ends without an error.
      outgoing.on("close", () => {
        if (!answered) settle(failed(request.signal.aborted ? "timeout" : "unparsable"));
      });
      outgoing.end();
    } catch (error) {
      fail(error);
    }
  });
}

function optionsOf(request: ExchangeRequest): RequestOptions {
  return {
    method: request.method,
    headers: request.headers,
    signal: request.signal,
    // A kept connection may be dead without our knowing, and there is no second try to hide that.
    agent: false,
    ...(request.allowPrivateHosts ? {} : { lookup: publicLookup }),
  };
}

async function readAnswer(
  incoming: IncomingMessage,
  request: ExchangeRequest,
  fromPrivateHost: boolean,
): Promise<Exchange> {
  const status = incoming.statusCode ?? 0;
  const headers = incoming.headers;
  if (request.method === "HEAD" || !request.wantsBody(status)) {
    // An error after we hung up is nobody's business; without a listener it would end the process.
    incoming.on("error", () => undefined);
    incoming.destroy();
    return { kind: "answered", status, headers, body: new Uint8Array(), fromPrivateHost };
  }
  const raw = await readBody(incoming, request);
  if (typeof raw === "string") return failed(raw, status, headers);
  const decoded = await decodeBody(raw, headers["content-encoding"] ?? null, request.maxBodyBytes);
  // The call's time includes unpacking: a body must not be unpacked past the deadline.
  if (request.signal.aborted) return failed("timeout", status, headers);
  if (decoded.kind === "failed") return failed(decoded.code, status, headers);
  return { kind: "answered", status, headers, body: decoded.bytes, fromPrivateHost };
}

async function readBody(incoming: IncomingMessage, request: ExchangeRequest): Promise<Uint8Array | string> {
  if (Number(incoming.headers["content-length"] ?? 0) > request.maxBodyBytes) {
    incoming.on("error", () => undefined);
    incoming.destroy();
    return "too_large";
  }
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      size += chunk.length;
      // Leaving the loop destroys the stream.
      if (size > request.maxBodyBytes) return "too_large";
      chunks.push(chunk);
    }
  } catch (error) {
    const code = networkCodeOf(error, request.signal);
    return code === "timeout" || code === "unparsable" ? code : "cut_short";
  }
  return incoming.complete ? Buffer.concat(chunks) : "cut_short";
}

function failed(code: string, status: number | null = null, headers: IncomingHttpHeaders = {}): Exchange {
  return { kind: "failed", code, status, headers };
}
