import type { CallContext, SourceConfig, SourceFormat, SourceRead, SourceReader } from "../../domain/ports";
import { readReference, readRetryAfterMs } from "./answer-headers";
import { ACCEPTED_ENCODINGS } from "./body-decoding";
import { type Followed, follow } from "./redirects";

export { READ_ERRORS } from "./source-errors";

/** Who asks, and where its owner can be found: servers may refuse us, but must not have to guess. */
export const USER_AGENT = "Imprimatur/0.1 (+https://example.org/imprimatur; reads each source once per edition)";

/** Larger than any honest feed (case: 12 sources, once a week), small enough to be parsed without stopping the app. */
export const SOURCE_MAX_BYTES = 10 * 1024 * 1024;

/** Five hops are what browsers' predecessors and most feed readers allow; honest sources need one or two. */
export const SOURCE_MAX_REDIRECTS = 5;

const ACCEPT: Readonly<Record<SourceFormat, string>> = {
  rss: "application/rss+xml, application/xml;q=0.9, text/xml;q=0.8, */*;q=0.1",
  atom: "application/atom+xml, application/xml;q=0.9, text/xml;q=0.8, */*;q=0.1",
  "json-feed": "application/feed+json, application/json;q=0.9, */*;q=0.1",
  html: "text/html, application/xhtml+xml;q=0.9, */*;q=0.1",
  auto: "*/*",
};

/**
 * Reads sources over HTTP. One call is one chain of requests: no conditional request (a snapshot must hold the bytes),
 * no cache, no cookie kept, no second try. Only a 200 with a whole body is a read; everything else is failed, in phase
 * `read`, with a code of `READ_ERRORS`. Bytes are as the server meant them, after Content-Encoding.
 */
export function createSourceReader(options: { userAgent?: string } = {}): SourceReader {
  const userAgent = options.userAgent ?? USER_AGENT;
  return {
    async read(source: SourceConfig, context: CallContext): Promise<SourceRead> {
      const answer = await follow({
        method: "GET",
        url: source.url,
        headers: { "user-agent": userAgent, accept: ACCEPT[source.format], "accept-encoding": ACCEPTED_ENCODINGS },
        signal: context.signal,
        maxBodyBytes: SOURCE_MAX_BYTES,
        wantsBody: (status) => status === 200,
        maxRedirects: SOURCE_MAX_REDIRECTS,
        privateHosts: "as_first",
      });
      return toSourceRead(answer, source, context);
    },
  };
}

function toSourceRead(answer: Followed, source: SourceConfig, context: CallContext): SourceRead {
  if (answer.kind === "answered" && answer.status === 200) {
    return {
      kind: "read",
      bytes: answer.body,
      requestedUrl: source.url,
      finalUrl: answer.finalUrl,
      httpStatus: answer.status,
      contentType: answer.headers["content-type"] ?? null,
      fetchedAt: context.now,
    };
  }
  const { status, headers } = answer;
  const code = answer.kind === "failed" ? answer.code : codeOfStatus(answer.status);
  // Other statuses carry the header too, with other meanings (a redirect's is about the redirect).
  const retryAfterMs = status === 429 || status === 503 ? readRetryAfterMs(headers, context.now) : null;
  return {
    kind: "failed",
    error: { phase: "read", code, httpStatus: status, reference: readReference(headers), retryAfterMs },
  };
}

/** A 206 that nobody asked for is a part of the body, whatever it calls itself. */
function codeOfStatus(status: number): string {
  return status === 206 ? "cut_short" : `http_${status}`;
}
