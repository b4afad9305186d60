import type { CallContext, LinkCheck, LinkChecker, LinkVerdict } from "../domain/ports";
import { type Followed, follow } from "./sources/redirects";

export interface LinkCheckerOptions {
  /**
   * Links come from other people's feeds. False (for real work) refuses those that lead to this machine or its own
   * network; true is for the sandbox, whose sites are all on this machine.
   */
  allowPrivateHosts: boolean;
  userAgent?: string;
  /** Real ms given to HEAD before GET takes over: some servers never answer HEAD at all. */
  headPatienceMs?: number;
}

const LINK_MAX_REDIRECTS = 5;
const HEAD_PATIENCE_MS = 5000;

/** Statuses with which sites turn programs away while people get through: a person has to look (standards: links). */
const BOT_BLOCKED = new Set([401, 402, 403, 407, 429, 451, 999]);
/** The server itself says that something behind it took too long. */
const TIMED_OUT = new Set([408, 504, 522, 524]);

/**
 * Checks links: HEAD, and GET after any HEAD that is not good, since many servers answer HEAD wrongly. What counts is
 * the end of the chain. Verdicts: `ok`, `redirect` (good, but under another address; code `to_homepage` when a deep
 * link ends at the site's home page, the usual face of a page that is gone), `timeout`, `bot_blocked`, `broken`.
 */
export function createLinkChecker(options: LinkCheckerOptions): LinkChecker {
  return {
    async check(url: string, context: CallContext): Promise<LinkCheck> {
      const head = await headWithPatience(url, context, options);
      const answer = isGood(head) ? head : await visit("GET", url, context.signal, options);
      return judge(url, answer);
    },
  };
}

function visit(
  method: "GET" | "HEAD",
  url: string,
  signal: AbortSignal,
  options: LinkCheckerOptions,
): Promise<Followed> {
  return follow({
    method,
    url,
    headers: {
      "user-agent":
        options.userAgent ?? "Mozilla/5.0 (compatible; Imprimatur/0.1; link check; +https://example.org/imprimatur)",
      accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8",
    },
    signal,
    maxBodyBytes: 0,
    // Status and address say all that is asked; bodies may be films.
    wantsBody: () => false,
    maxRedirects: LINK_MAX_REDIRECTS,
    privateHosts: options.allowPrivateHosts ? "always" : "never",
  });
}

async function headWithPatience(url: string, context: CallContext, options: LinkCheckerOptions): Promise<Followed> {
  const own = new AbortController();
  const stop = () => own.abort();
  const timer = setTimeout(stop, options.headPatienceMs ?? HEAD_PATIENCE_MS);
  context.signal.addEventListener("abort", stop, { once: true });
  if (context.signal.aborted) own.abort();
  try {
    return await visit("HEAD", url, own.signal, options);
  } finally {
    clearTimeout(timer);
    context.signal.removeEventListener("abort", stop);
  }
}

function isGood(answer: Followed): boolean {
  return answer.kind === "answered" && answer.status >= 200 && answer.status < 300;
}

function judge(url: string, answer: Followed): LinkCheck {
  const { verdict, code } = verdictOf(url, answer);
  const isReached = answer.kind === "answered" || answer.status !== null;
  return {
    url,
    verdict,
    httpStatus: answer.status,
    finalUrl: isReached ? answer.finalUrl : null,
    hops: answer.hops,
    code,
  };
}

function verdictOf(url: string, answer: Followed): { verdict: LinkVerdict; code: string | null } {
  if (answer.kind === "failed") return { verdict: answer.code === "timeout" ? "timeout" : "broken", code: answer.code };
  const { status } = answer;
  if (BOT_BLOCKED.has(status) || isChallenge(answer)) return { verdict: "bot_blocked", code: `http_${status}` };
  if (TIMED_OUT.has(status)) return { verdict: "timeout", code: `http_${status}` };
  if (status < 200 || status >= 300) return { verdict: "broken", code: `http_${status}` };
  if (answer.hops === 0) return { verdict: "ok", code: null };
  return { verdict: "redirect", code: isSentHome(url, answer.finalUrl) ? "to_homepage" : null };
}

/** A check of the visitor that only a browser passes, sent as 403 or 503. */
function isChallenge(answer: Followed): boolean {
  return answer.headers["cf-mitigated"] === "challenge";
}

/** A link to the home page itself is exempt: it may end there in any way it likes (case I6). */
function isSentHome(from: string, to: string): boolean {
  const [start, end] = [new URL(from), new URL(to)];
  if (siteOf(start) !== siteOf(end)) return false;
  return !isHome(start) && isHome(end);
}

function isHome(url: URL): boolean {
  // `/?p=17` is a page of its own on many sites. Language roots and index files are home under another name.
  return (
    url.search === "" &&
    /^\/(?:(?:[a-z]{2}(?:[-_][a-z]{2,4})?\/?)?(?:(?:index|default|home)\.[a-z]{3,5})?)?$/i.test(url.pathname)
  );
}

function siteOf(url: URL): string {
  return `${url.hostname.replace(/^www\./, "")}:${url.port}`;
}
