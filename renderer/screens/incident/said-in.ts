import { useTranslation } from "react-i18next";
import type { IncidentView } from "../../stores/incidents";

export type BothLanguages = IncidentView["runbook"]["parts"][string];

/** The runbook's words in the language of the screen; they come in both, with their facts filled in. */
export function useSaidIn(): (words: BothLanguages | undefined) => string {
  const { i18n } = useTranslation();
  const language = i18n.language === "en" ? "en" : "zh-CN";
  return (words) => words?.[language] ?? "";
}
