import type { CallContext, PageProbe, PageRead } from "../domain/ports";
import { readReference, readRetryAfterMs } from "./sources/answer-headers";
import { ACCEPTED_ENCODINGS } from "./sources/body-decoding";
import { isNestedTooDeeply } from "./sources/markup-limits";
import { follow } from "./sources/redirects";

/** A page of text; larger is not ours. */
const PAGE_MAX_BYTES = 5 * 1024 * 1024;
/** A trailing slash, a canonical name, and one to spare. */
const PAGE_MAX_REDIRECTS = 3;

export interface ProbeOptions {
  userAgent?: string;
  /**
   * Name of a query parameter to make each probe's address unique. Null by default: a unique address proves what the
   * origin has, not what readers get, and some sites serve another page for an unknown query.
   */
  uniqueQuery?: string | null;
}

/**
 * Reads a public page as a reader would see it, asking caches on the way to check with the origin. To be used only after
 * publishing: a probe before can make a cache keep a 404 for an hour (case N1).
 * Any complete answer is a read, whatever its status; the caller judges. Redirects stay on the same site, else the code is
 * `redirect_elsewhere`; a page nested too deeply to be compared in reasonable time is `too_deep`.
 */
export function createPageProbe(options: ProbeOptions = {}): PageProbe {
  return {
    async read(url: string, context: CallContext): Promise<PageRead> {
      const answer = await follow({
        method: "GET",
        url: withUniqueQuery(url, options.uniqueQuery ?? null, context.now),
        headers: {
          "user-agent":
            options.userAgent ?? "Mozilla/5.0 (compatible; Imprimatur/0.1; +https://example.org/imprimatur)",
          accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1",
          "accept-encoding": ACCEPTED_ENCODINGS,
          "cache-control": "no-cache",
          // The same word for caches that speak HTTP/1.0 only.
          pragma: "no-cache",
        },
        signal: context.signal,
        maxBodyBytes: PAGE_MAX_BYTES,
        wantsBody: () => true,
        maxRedirects: PAGE_MAX_REDIRECTS,
        // The page's address is what our own CMS adapter was configured with.
        privateHosts: "as_first",
        refuse: (from, to) => (isSameSite(from, to) ? null : "redirect_elsewhere"),
      });
      const { headers, status } = answer;
      // UTF-8, and every older encoding that a page may have, writes its tags in ASCII.
      const isTooDeep = answer.kind === "answered" && isNestedTooDeeply(Buffer.from(answer.body).toString("latin1"));
      if (answer.kind === "failed" || isTooDeep) {
        const code = answer.kind === "failed" ? answer.code : "too_deep";
        const retryAfterMs = readRetryAfterMs(headers, context.now);
        return {
          kind: "failed",
          error: { phase: "read", code, httpStatus: status, reference: readReference(headers), retryAfterMs },
        };
      }
      return {
        kind: "read",
        httpStatus: answer.status,
        finalUrl: answer.finalUrl,
        bytes: answer.body,
        mediaType: headers["content-type"] ?? "",
        ageSeconds: ageOf(headers.age),
      };
    },
  };
}

/** The same origin, or the same host moved from http to https. */
function isSameSite(from: URL, to: URL): boolean {
  return (
    from.origin === to.origin ||
    (from.hostname === to.hostname && from.protocol === "http:" && to.protocol === "https:")
  );
}

function withUniqueQuery(url: string, name: string | null, now: number): string {
  if (name === null) return url;
  try {
    const unique = new URL(url);
    unique.searchParams.set(name, String(now));
    return unique.href;
  } catch {
    // `follow` gives the code for an address that is none.
    return url;
  }
}

/** Seconds an answer has been in a cache, or null when no cache said so. */
function ageOf(age: string | undefined): number | null {
  return age !== undefined && /^\d{1,10}$/.test(age.trim()) ? Number(age) : null;
}
