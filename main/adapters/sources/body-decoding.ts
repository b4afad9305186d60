import { promisify } from "node:util";
import zlib from "node:zlib";

const gunzip = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.gunzip);
const inflate = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.inflate);
const inflateRaw = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);
const brotli = promisify<Uint8Array, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress);

export type DecodedBody =
  | { kind: "decoded"; bytes: Uint8Array }
  | { kind: "failed"; code: "too_large" | "cut_short" | "bad_content_encoding" };

/** What the reader says it accepts; nothing else is unpacked. */
export const ACCEPTED_ENCODINGS = "gzip, deflate, br";

/** One layer is what servers send; two are seen where a proxy packs again; more only serves to make a bomb. */
const MAX_LAYERS = 2;

/**
 * Undoes the Content-Encoding of a body.
 * @param maxBytes limit of each layer's result; a bomb is given up at the limit, not after it was unpacked.
 */
export async function decodeBody(body: Uint8Array, encoding: string | null, maxBytes: number): Promise<DecodedBody> {
  const layers = (encoding ?? "")
    .split(",")
    .map((one) => one.trim().toLowerCase())
    .filter((one) => one !== "" && one !== "identity");
  if (layers.length > MAX_LAYERS) return { kind: "failed", code: "bad_content_encoding" };
  let bytes = body;
  try {
    // The last named was applied last.
    for (const layer of layers.reverse()) bytes = await unpack(bytes, layer, maxBytes);
  } catch (error) {
    return { kind: "failed", code: codeOf(error) };
  }
  return { kind: "decoded", bytes };
}

function unpack(bytes: Uint8Array, layer: string, maxOutputLength: number): Promise<Uint8Array> {
  switch (layer) {
    case "gzip":
    case "x-gzip":
      return gunzip(bytes, { maxOutputLength });
    case "deflate":
      // By the standard it has a zlib header; some servers send it without. The header's first nibble is always 8.
      return ((bytes[0] ?? 0) & 0x0f) === 8
        ? inflate(bytes, { maxOutputLength })
        : inflateRaw(bytes, { maxOutputLength });
    case "br":
      return brotli(bytes, { maxOutputLength });
    default:
      return Promise.reject(new Error("an encoding that was not asked for"));
  }
}

function codeOf(error: unknown): "too_large" | "cut_short" | "bad_content_encoding" {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ERR_BUFFER_TOO_LARGE") return "too_large";
  if (code === "Z_BUF_ERROR" || code === "ERR__ERROR_FORMAT_UNEXPECTED_END") return "cut_short";
  return "bad_content_encoding";
}
