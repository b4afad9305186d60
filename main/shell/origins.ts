/** Our own scheme. Pages never come from file:// or from a network. */
export const SCHEME = "app";
const RENDERER_HOST = "imprimatur";
const PREVIEW_HOST = "preview";

export const RENDERER_URL = `${SCHEME}://${RENDERER_HOST}/index.html`;

const EXTERNAL_PROTOCOLS = new Set(["http:", "https:"]);

function parse(url: string): URL | null {
  try {
    return new URL(url);
  } catch {
    // No URL: belongs to nobody.
    return null;
  }
}

/** Parsed and compared part by part: `startsWith` would take app://imprimatur.evil/ for ours. */
function isOnHost(url: URL | null, host: string): boolean {
  return (
    url !== null &&
    url.protocol === `${SCHEME}:` &&
    url.hostname === host &&
    url.port === "" &&
    url.username === "" &&
    url.password === ""
  );
}

/** Whether the address is one of our own page. */
export const isRendererUrl = (url: string): boolean => isOnHost(parse(url), RENDERER_HOST);

/** The hash of the frozen bytes that a preview address names, or null when it is no preview address. */
export function previewHashOf(url: string): string | null {
  const parsed = parse(url);
  if (parsed === null || !isOnHost(parsed, PREVIEW_HOST)) return null;
  return /^\/([0-9a-f]{64})$/.exec(parsed.pathname)?.[1] ?? null;
}

/**
 * A web address that may be offered to the system's browser, in its unambiguous spelling (punycode host), or null.
 * Addresses with a user name in them are refused: `https://bank.example@evil.example` is made to be misread.
 */
export function externalUrl(url: string): { href: string; host: string } | null {
  const parsed = parse(url);
  if (parsed === null || !EXTERNAL_PROTOCOLS.has(parsed.protocol)) return null;
  if (parsed.username !== "" || parsed.password !== "" || parsed.hostname === "") return null;
  return { href: parsed.href, host: parsed.host };
}
