import { PRIVATE_ADDRESS } from "./private-hosts";

/**
 * Reduces what Node reports about a broken call to a few stable codes. Codes only, never the text of an error: it
 * differs by system and language (case B15).
 */
export type NetworkCode =
  | "timeout"
  | "dns"
  | "refused"
  | "unreachable"
  | "reset"
  | "tls"
  | "tls_certificate"
  | "unparsable"
  | "private_address"
  | "network";

const EXACT: Readonly<Record<string, NetworkCode>> = {
  ENOTFOUND: "dns",
  EAI_AGAIN: "dns",
  EAI_FAIL: "dns",
  EAI_NODATA: "dns",
  EAI_NONAME: "dns",
  ENODATA: "dns",
  ESERVFAIL: "dns",
  ECONNREFUSED: "refused",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  ENETDOWN: "unreachable",
  EHOSTDOWN: "unreachable",
  EADDRNOTAVAIL: "unreachable",
  ECONNRESET: "reset",
  ECONNABORTED: "reset",
  EPIPE: "reset",
  ETIMEDOUT: "timeout",
  ESOCKETTIMEDOUT: "timeout",
  EPROTO: "tls",
  [PRIVATE_ADDRESS]: "private_address",
};

/** Names that OpenSSL and Node give to a certificate that does not hold; asking again does not make it hold. */
const CERTIFICATE =
  /^(?:CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CRL_|ERR_TLS_CERT_|INVALID_CA$|HOSTNAME_MISMATCH$|PATH_LENGTH_)/;

/** @param signal the call's own; when it has aborted, that is why the call broke, whatever the error says. */
export function networkCodeOf(error: unknown, signal: AbortSignal): NetworkCode {
  if (signal.aborted) return "timeout";
  const code = codeOf(error);
  if (code === null) return "network";
  const exact = EXACT[code];
  if (exact !== undefined) return exact;
  if (CERTIFICATE.test(code)) return "tls_certificate";
  if (code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_")) return "tls";
  if (code.startsWith("HPE_")) return "unparsable";
  return "network";
}

function codeOf(error: unknown): string | null {
  if (typeof error !== "object" || error === null) return null;
  if ("code" in error && typeof error.code === "string") return error.code;
  // Several addresses were tried at once: each attempt failed in its own way, the first stands for all.
  if ("errors" in error && Array.isArray(error.errors)) return codeOf(error.errors[0]);
  return null;
}
