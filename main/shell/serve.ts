import path from "node:path";
import { isRendererUrl, previewHashOf, SCHEME } from "./origins";

const policy = (...rules: string[]) => rules.join("; ");

/**
 * Our own page: everything from itself, nothing from a network, no inline script. Inline styles are needed by the
 * component library. Frames: previews only, which bring a policy of their own.
 */
export const PAGE_POLICY = policy(
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  `frame-src ${SCHEME}://preview`,
  "frame-ancestors 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
);

/**
 * A draft or a snapshot is hostile: it may carry styles and pictures of its own and nothing else. `sandbox` without any
 * permission takes away scripts, forms, windows and its origin, whatever the frame around it allows.
 */
export const PREVIEW_POLICY = policy(
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src data:",
  `frame-ancestors ${SCHEME}://imprimatur`,
  "base-uri 'none'",
  "form-action 'none'",
  "sandbox",
);

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".woff": "font/woff",
  ".ttf": "font/ttf",
};

/** What a preview may be shown as. Anything else is shown as its text: a PDF or an SVG is a program of its own. */
const PREVIEW_TYPES = /^(text\/html|text\/plain|image\/(png|jpeg|gif|webp))(;\s*charset=[a-z0-9_.:-]{1,40})?$/i;

const COMMON = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=(), payment=()",
};

/**
 * Finds the file that an address of our page names, inside `root`; null for anything odd: another kind of file, a hidden
 * one, an encoded separator, a way out of the folder.
 */
export function rendererFile(root: string, url: string): { file: string; mediaType: string } | null {
  if (!isRendererUrl(url)) return null;
  const { pathname } = new URL(url);
  const names: string[] = [];
  for (const part of pathname.split("/").slice(1)) {
    let name: string;
    try {
      name = decodeURIComponent(part);
    } catch {
      return null;
    }
    // Dots in front cover "..", "." and hidden files. A colon is a drive or a stream on Windows.
    if (name.startsWith(".") || /[/\\:\0]/.test(name)) return null;
    names.push(name);
  }
  if (names.length === 1 && names[0] === "") names[0] = "index.html";
  if (names.includes("")) return null;
  const file = path.join(root, ...names);
  const mediaType = MEDIA_TYPES[path.extname(file).toLowerCase()];
  const inside = path.relative(root, file);
  if (mediaType === undefined || inside.startsWith("..") || path.isAbsolute(inside)) return null;
  return { file, mediaType };
}

export interface Sources {
  rendererRoot: string;
  readFile(file: string): Promise<Uint8Array>;
  /** @throws when the bytes are damaged; the page then gets an empty answer, never wrong bytes. */
  preview(hash: string): Promise<{ bytes: Uint8Array; mediaType: string } | null>;
}

/** Refusals carry no body, there is nothing to say to a page that guesses; and a policy, like every answer. */
function empty(status: number, url: string): Response {
  const csp = isRendererUrl(url) ? PAGE_POLICY : PREVIEW_POLICY;
  return new Response(null, { status, headers: { ...COMMON, "Content-Security-Policy": csp } });
}

function previewType(mediaType: string): string {
  if (!PREVIEW_TYPES.test(mediaType)) return "text/plain; charset=utf-8";
  return /^text\/[a-z]+$/i.test(mediaType) ? `${mediaType}; charset=utf-8` : mediaType;
}

/** Answers one request to our scheme. */
export async function serve(request: { url: string; method: string }, sources: Sources): Promise<Response> {
  const none = (status: number) => empty(status, request.url);
  if (request.method !== "GET" && request.method !== "HEAD") return none(405);
  const send = (bytes: Uint8Array, type: string, csp: string) =>
    new Response(request.method === "HEAD" ? null : (bytes as Uint8Array<ArrayBuffer>), {
      headers: { ...COMMON, "Content-Type": type, "Content-Security-Policy": csp },
    });
  const hash = previewHashOf(request.url);
  try {
    if (hash !== null) {
      const found = await sources.preview(hash);
      return found === null ? none(404) : send(found.bytes, previewType(found.mediaType), PREVIEW_POLICY);
    }
    const found = rendererFile(sources.rendererRoot, request.url);
    return found === null ? none(404) : send(await sources.readFile(found.file), found.mediaType, PAGE_POLICY);
  } catch (error) {
    return none((error as NodeJS.ErrnoException | null)?.code === "ENOENT" ? 404 : 500);
  }
}
