import type { ErrorRule, ErrorTable } from "../../domain/errors";

/** Every 5xx: in a read the same status that is an unknown outcome after a send only means "not now" (domain 7). */
const SERVER_ERRORS: readonly ErrorRule[] = Array.from({ length: 100 }, (_, index) => ({
  phase: "read",
  code: `http_${500 + index}`,
  class: "transient",
}));

const transient = (code: string): ErrorRule => ({ phase: "read", code, class: "transient" });
const wrongInput = (code: string): ErrorRule => ({ phase: "read", code, class: "permanent_input" });
const auth = (code: string): ErrorRule => ({ phase: "read", code, class: "auth" });

/**
 * Classes of what can go wrong when a source, a link or a public page is read. Nothing leaves in a read but the
 * question, so what is not the source's own fault may be asked again. Raise the version with any change.
 */
export const READ_ERRORS: ErrorTable = {
  version: 1,
  rules: [
    // Before SERVER_ERRORS, since the first row that matches decides: these two do not pass by waiting.
    wrongInput("http_501"),
    wrongInput("http_505"),
    ...["dns", "timeout", "reset", "refused", "unreachable", "network", "tls", "unparsable", "cut_short"].map(
      transient,
    ),
    ...["http_408", "http_421", "http_425", "http_429"].map(transient),
    ...SERVER_ERRORS,
    ...["http_401", "http_402", "http_403", "http_407", "http_511"].map(auth),
    ...["http_400", "http_404", "http_405", "http_406", "http_410", "http_414", "http_451"].map(wrongInput),
    // A redirect or success without what a source needs: the address is no longer the right one.
    ...["http_204", "http_205", "http_304"].map(wrongInput),
    ...["too_large", "bad_content_encoding", "tls_certificate", "private_address", "too_deep"].map(wrongInput),
    ...[
      "bad_url",
      "bad_redirect",
      "insecure_redirect",
      "redirect_loop",
      "too_many_redirects",
      "redirect_elsewhere",
    ].map(wrongInput),
  ],
};
