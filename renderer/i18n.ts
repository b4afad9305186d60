import i18next, { type TFunction } from "i18next";
import { useSyncExternalStore } from "react";
import { initReactI18next } from "react-i18next";
import { en } from "./locales/en";
import { zhCN } from "./locales/zh-CN";

export type Language = "en" | "zh-CN";

/**
 * Both languages are in the bundle: switching needs no file and no waiting. Nothing is escaped here because React escapes
 * whatever it renders, and escaping twice would show `&amp;` in names.
 */
void i18next.use(initReactI18next).init({
  lng: "zh-CN",
  fallbackLng: "en",
  resources: { en: { translation: en }, "zh-CN": { translation: zhCN } },
  interpolation: { escapeValue: false },
  returnNull: false,
});

/** Shows everything in this language, and tells assistive tools which one it is. */
export function showLanguage(language: Language): void {
  document.documentElement.lang = language;
  if (i18next.language !== language) void i18next.changeLanguage(language);
}

const languageOf = () => i18next.language;
const onLanguage = (changed: () => void) => {
  i18next.on("languageChanged", changed);
  return () => i18next.off("languageChanged", changed);
};

/** What `useTranslation` gives, for parts that a screen has hundreds of: it makes a copy of the whole translator for each of them. */
export function useWords(): TFunction {
  useSyncExternalStore(onLanguage, languageOf);
  return i18next.t;
}

export { i18next };
