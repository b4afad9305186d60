import type { IncomingMessage, ServerResponse } from "node:http";

/** Larger than the 6 MB that a real CMS was seen to take, small enough for memory. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** What a handler has to say; the server writes it. */
export interface Answer {
  status: number;
  /** A value to be sent as JSON, or bytes to be sent as they are. */
  body: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** One request, fully received. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  method: string;
  url: URL;
  /** Path segments after the first, decoded: `/cms/posts/7` gives `["posts", "7"]`. */
  rest: readonly string[];
  body: Buffer;
  /** The time of this request: its `Imprimatur-Clock`, else the server's own. */
  at: number;
}

/** Reads a request to its end, so that "received" means all of it. Null when it was cut or is too large. */
export async function readBody(request: IncomingMessage): Promise<Buffer | "cut" | "too-large"> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      const bytes = chunk as Buffer;
      size += bytes.length;
      if (size > MAX_BODY_BYTES) return "too-large";
      chunks.push(bytes);
    }
  } catch {
    return "cut";
  }
  return request.complete ? Buffer.concat(chunks) : "cut";
}

/**
 * Takes the time a request carries. `null` when there is none, `NaN` when it is not a time: a client that sends
 * nonsense is told so, or its mistake would look like a slow remote.
 */
export function readClock(request: IncomingMessage): number | null {
  const header = request.headers["imprimatur-clock"];
  if (header === undefined) return null;
  const text = Array.isArray(header) ? header.join() : header;
  const isTime = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text);
  return isTime ? Date.parse(text.toUpperCase()) : Number.NaN;
}

/** Turns an answer into bytes and headers. */
export function encodeAnswer(answer: Answer): { bytes: Buffer; headers: Record<string, string> } {
  const isBytes = Buffer.isBuffer(answer.body);
  const bytes = Buffer.isBuffer(answer.body) ? answer.body : Buffer.from(`${JSON.stringify(answer.body)}\n`, "utf8");
  const type: Record<string, string> = isBytes ? {} : { "Content-Type": "application/json; charset=utf-8" };
  return { bytes, headers: { ...type, ...answer.headers, "Content-Length": String(bytes.length) } };
}

/** Sends an answer. A client that has gone is not an error: what was committed stays committed. */
export function sendAnswer(exchange: Exchange, answer: Answer): void {
  const { response } = exchange;
  if (response.destroyed || response.headersSent) return;
  const { bytes, headers } = encodeAnswer(answer);
  response.writeHead(answer.status, headers);
  response.end(exchange.method === "HEAD" ? undefined : bytes);
}

/** Starts an answer and cuts the line in the middle of it. */
export function sendHalf(exchange: Exchange, answer: Answer): void {
  const { response } = exchange;
  if (response.destroyed || response.headersSent) return;
  const { bytes, headers } = encodeAnswer(answer);
  response.writeHead(answer.status, headers);
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
}

export const refuse = (status: number, code: string, more: Record<string, unknown> = {}): Answer => ({
  status,
  body: { code, ...more },
});
