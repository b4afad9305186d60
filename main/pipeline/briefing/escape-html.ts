/** Writes text so that it is nothing but text inside an HTML element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/'/g, "&#39;");
}

/** As {@link escapeHtml}, with line breaks kept visible. */
export function escapeLines(text: string): string {
  return text.split("\n").map(escapeHtml).join("<br>");
}
