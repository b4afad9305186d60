import { Check, Copy, TriangleAlert } from "lucide-react";
import { useWords } from "../i18n";
import { useCopy } from "./copy-text";

/** What a hash is of: the chip's word. */
export type HashOf =
  | "plain"
  | "draft"
  | "package"
  | "content"
  | "snapshot"
  | "body"
  | "audience"
  | "capture"
  | "intent"
  | "event"
  | "artifact"
  | "compared"
  | "file"
  | "bundle";

/** A hash as a short chip that copies the whole; the same chip on every screen, so that equal hashes look equal. */
export function HashChip({ hash, of = "plain", bare = false }: { hash: string; of?: HashOf; bare?: boolean }) {
  const t = useWords();
  const { said, copy } = useCopy();
  const label = t(`hash.${of}`);
  const short = hash.slice(0, 8);
  const Icon = said === "copied" ? Check : said === "failed" ? TriangleAlert : Copy;
  return (
    <button
      type="button"
      className="chip"
      title={hash}
      aria-label={t("hash.copy", { label, short })}
      onClick={() => copy(hash)}
    >
      {bare ? null : <span className="label">{label}</span>}
      <span className="mono">{short}</span>
      <Icon size={12} aria-hidden />
      <span className="visually-hidden" role="status">
        {said === "copied" ? t("hash.copied") : said === "failed" ? t("copy.failed") : ""}
      </span>
    </button>
  );
}

/** A long value (key, address, path) that copies itself when pressed. */
export function CopyLine({ value, what }: { value: string; what: string }) {
  const t = useWords();
  const { said, copy } = useCopy();
  const Icon = said === "copied" ? Check : said === "failed" ? TriangleAlert : Copy;
  return (
    <button type="button" className="copyline" title={value} onClick={() => copy(value)}>
      <span className="visually-hidden">{t("copy.value", { what })}</span>
      <span className="mono wrap">{shortenHashes(value)}</span>
      <Icon size={12} aria-hidden />
      <span className="visually-hidden" role="status">
        {said === "copied" ? t("copy.done") : said === "failed" ? t("copy.failed") : ""}
      </span>
    </button>
  );
}

/** A key with its whole hashes cut to what the chips show; copying still gives all of it. */
export function shortenHashes(value: string): string {
  return value.replace(/[0-9a-f]{64}/g, (hash) => `${hash.slice(0, 8)}…`);
}
