import { httpCall } from "./http-call";

/** Somebody waits for the bundle meanwhile. */
const LIMIT_MS = 15_000;
/** A token with its certificates is some kilobytes. */
const MAX_BYTES = 256 * 1024;

export type TimestampAnswer = { kind: "answered"; bytes: Uint8Array } | { kind: "failed"; code: string };

/** Sends a request for a time stamp (RFC 3161, 3.4) and gives back what was answered, unread. */
export async function askTimestampServer(
  url: string,
  request: Uint8Array,
  limitMs = LIMIT_MS,
): Promise<TimestampAnswer> {
  const answer = await httpCall({
    method: "POST",
    url,
    headers: { "Content-Type": "application/timestamp-query", Accept: "application/timestamp-reply" },
    body: request,
    signal: AbortSignal.timeout(limitMs),
    maxBytes: MAX_BYTES,
  });
  if (answer.kind === "failed") return { kind: "failed", code: answer.code };
  if (answer.httpStatus !== 200) return { kind: "failed", code: `http_${answer.httpStatus}` };
  return { kind: "answered", bytes: answer.bytes };
}
