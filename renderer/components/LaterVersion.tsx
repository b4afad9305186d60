import { useWords } from "../i18n";

/** Beside an edition's name: which version it is, where it is not the first. */
export function LaterVersion({ version = 1 }: { version?: number | undefined }) {
  const t = useWords();
  return version === 1 ? null : <span className="muted small num">{t("ledger.version", { version })}</span>;
}
