import { hasWord, wordFor } from "../../words";

/** Why work failed: in words where the code has some, otherwise as the system told it. */
export function detailWord(detail: string): string {
  const code = detail.split(" ")[0] ?? "";
  return hasWord("audit.why", code) ? wordFor("audit.why", code) : detail;
}
