import type { IncomingHttpHeaders } from "node:http";
import { ChainCookies } from "./cookies";
import { type Exchange, type ExchangeRequest, exchange } from "./exchange";

/** A chain of requests from one address to where it ends, followed by hand so that every hop is judged. */
export interface FollowRequest {
  method: "GET" | "HEAD";
  url: string;
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
  maxBodyBytes: number;
  wantsBody: (status: number) => boolean;
  maxRedirects: number;
  /**
   * `never` and `always` hold for every hop. `as_first`: the first address is the editor's own choice and may be
   * private; a redirect may lead to a private host only when the chain began at one.
   */
  privateHosts: "never" | "always" | "as_first";
  /** Refuses a hop by a code, or allows it by null. Asked besides the general rules. */
  refuse?: (from: URL, to: URL) => string | null;
}

interface Chain {
  finalUrl: string;
  /** Redirects followed. */
  hops: number;
  headers: IncomingHttpHeaders;
}

export type Followed =
  | (Chain & { kind: "answered"; status: number; body: Uint8Array })
  | (Chain & { kind: "failed"; code: string; status: number | null });

/** Sends one request of a chain. Given by tests where no real server can be had: public addresses, proven https. */
export type SendOnce = (request: ExchangeRequest) => Promise<Exchange>;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Follows a chain to its end. Never rejects. Codes besides those of `exchange`: `bad_url`, `bad_redirect` (no usable
 * Location), `insecure_redirect` (https to http), `redirect_loop` (same address with same cookies), `too_many_redirects`.
 */
export async function follow(request: FollowRequest, sendOnce: SendOnce = exchange): Promise<Followed> {
  const start = parseUrl(request.url, undefined);
  if (start === null) return failed("bad_url", null, { finalUrl: request.url, hops: 0, headers: {} });
  const cookies = new ChainCookies();
  const seen = new Set<string>();
  let url = start;
  let privateAllowed = request.privateHosts !== "never";
  for (let hops = 0; ; hops += 1) {
    const cookie = cookies.headerFor(url);
    const visit = `${withoutFragment(url)} ${cookie ?? ""}`;
    const chain = { finalUrl: url.href, hops, headers: {} };
    if (seen.has(visit)) return failed("redirect_loop", null, chain);
    seen.add(visit);
    const answer = await sendOnce(exchangeRequest(request, url, cookie, privateAllowed));
    const reached = { ...chain, headers: answer.headers };
    if (answer.kind === "failed") return failed(answer.code, answer.status, reached);
    if (request.privateHosts === "as_first") privateAllowed = privateAllowed && answer.fromPrivateHost;
    cookies.keep(url, answer.headers["set-cookie"] ?? []);
    const location = answer.headers.location;
    if (!REDIRECTS.has(answer.status))
      return { kind: "answered", ...reached, status: answer.status, body: answer.body };
    const next = location === undefined ? null : parseUrl(location, url);
    if (next === null) return failed("bad_redirect", answer.status, reached);
    const refusal = findRefusal(request, url, next);
    if (refusal !== null) return failed(refusal, answer.status, reached);
    if (hops >= request.maxRedirects) return failed("too_many_redirects", answer.status, reached);
    url = next;
  }
}

function exchangeRequest(
  request: FollowRequest,
  url: URL,
  cookie: string | null,
  allowPrivateHosts: boolean,
): ExchangeRequest {
  const { method, signal, maxBodyBytes, wantsBody } = request;
  const headers = cookie === null ? request.headers : { ...request.headers, cookie };
  return { method, url, headers, signal, maxBodyBytes, allowPrivateHosts, wantsBody };
}

function findRefusal(request: FollowRequest, from: URL, to: URL): string | null {
  // What was asked for over a proven connection must not be answered over one that anybody can rewrite.
  if (from.protocol === "https:" && to.protocol === "http:") return "insecure_redirect";
  return request.refuse?.(from, to) ?? null;
}

/** Only http(s), and without a password: addresses are stored and shown. */
function parseUrl(text: string, base: URL | undefined): URL | null {
  let url: URL;
  try {
    url = new URL(latin1AsUtf8(text), base);
  } catch {
    return null;
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  if (url.username !== "" || url.password !== "") return null;
  // A fragment survives a redirect that names none.
  if (base !== undefined && url.hash === "") url.hash = base.hash;
  return url;
}

/** Node reads header bytes as Latin-1; addresses with Chinese in them are sent as bare UTF-8 by many servers. */
function latin1AsUtf8(text: string): string {
  if (!/[\u0080-\u00FF]/.test(text) || /[\u0100-\uFFFF]/.test(text)) return text;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "latin1"));
  } catch {
    return text;
  }
}

function withoutFragment(url: URL): string {
  return url.href.split("#", 1)[0] ?? "";
}

function failed(code: string, status: number | null, chain: Chain): Followed {
  return { kind: "failed", code, status, ...chain };
}
