import type { IncomingHttpHeaders } from "node:http";
import type { Instant } from "../../domain/ids";
import { parseDate } from "./dates";

/**
 * The server's hint when to come again, in ms from the answer, or null when there is none that can be understood.
 * A date is measured against the server's own `Date` where it sends one: its clock is the one it means.
 */
export function readRetryAfterMs(headers: IncomingHttpHeaders, now: Instant): number | null {
  const hint = (headers["retry-after"] ?? "").trim();
  if (/^\d{1,12}$/.test(hint)) return Number(hint) * 1000;
  const at = parseDate(hint);
  if (at === null) return null;
  return Math.max(0, at - (parseDate(headers.date) ?? now));
}

/** The server's own name for the request, for asking its owner about it: printable ASCII, 120 characters at most. */
export function readReference(headers: IncomingHttpHeaders): string | null {
  const found = ["x-request-id", "x-correlation-id", "x-amzn-requestid", "cf-ray"]
    .map((name) => headers[name])
    .find(isText);
  const safe = (found ?? "").replace(/[^\x20-\x7E]/g, "").slice(0, 120);
  return safe === "" ? null : safe;
}

function isText(value: string | string[] | undefined): value is string {
  return typeof value === "string";
}
