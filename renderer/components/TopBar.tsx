import { Command, Keyboard, Languages, Monitor, Moon, Settings, Sun } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useApp } from "../stores/app";
import { useMenu } from "../stores/menu";
import { type Place, useNav } from "../stores/nav";
import { AlertBell } from "./AlertBell";
import { Clock } from "./Clock";

const NEXT_THEME = { system: "light", light: "dark", dark: "system" } as const;
const THEME_ICON = { system: Monitor, light: Sun, dark: Moon } as const;

/** Places on the left, the clock and the program's own switches on the right. */
export function TopBar() {
  const { t } = useTranslation();
  const sandbox = useApp((state) => state.boot?.workspace?.kind === "sandbox");
  return (
    <header className="topbar">
      <span className="brand">{t("appName")}</span>
      <nav className="places" aria-label={t("nav.label")}>
        <PlaceButton place={{ screen: "today" }} label={t("nav.today")} />
        {sandbox ? <PlaceButton place={{ screen: "sandbox" }} label={t("nav.sandbox")} /> : null}
        <PlaceButton place={{ screen: "recovery" }} label={t("nav.recovery")} />
        <PlaceButton place={{ screen: "ledger" }} label={t("nav.ledger")} />
        <PlaceButton place={{ screen: "health" }} label={t("nav.health")} />
        <PlaceButton place={{ screen: "drills" }} label={t("nav.drills")} />
        <PlaceButton place={{ screen: "audit" }} label={t("nav.audit")} />
      </nav>
      <div className="tools">
        <AlertBell />
        <Clock />
        <Tools />
      </div>
    </header>
  );
}

function PlaceButton({ place, label }: { place: Place; label: string }) {
  const here = useNav((state) => state.place.screen === place.screen);
  const go = useNav((state) => state.go);
  return (
    <button type="button" aria-current={here ? "page" : undefined} onClick={() => go(place)}>
      {label}
    </button>
  );
}

function Tools() {
  const { t } = useTranslation();
  const open = useMenu((state) => state.open);
  return (
    <span className="row tight">
      <button
        type="button"
        className="tool framed"
        aria-label={t("menu.open")}
        title={t("menu.open")}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => open("menu")}
      >
        <Command size={14} aria-hidden />
        <kbd className="kbd">Ctrl K</kbd>
      </button>
      <LookTools />
      <SettingsTool />
      <ToolButton label={t("shortcuts.title")} onClick={() => open("shortcuts")}>
        <Keyboard size={14} aria-hidden />
      </ToolButton>
    </span>
  );
}

function SettingsTool() {
  const { t } = useTranslation();
  const here = useNav((state) => state.place.screen === "settings");
  const go = useNav((state) => state.go);
  return (
    <button
      type="button"
      className="tool"
      aria-current={here ? "page" : undefined}
      aria-label={t("nav.settings")}
      title={t("nav.settings")}
      onClick={() => go({ screen: "settings" })}
    >
      <Settings size={14} aria-hidden />
    </button>
  );
}

/** Language and theme: also on the pages that stand before the frame, which somebody may be unable to read otherwise. */
export function LookTools() {
  const { t } = useTranslation();
  const preferences = useApp((state) => state.boot?.preferences);
  const prefer = useApp((state) => state.prefer);
  if (!preferences) return null;
  const { theme } = preferences;
  const ThemeIcon = THEME_ICON[theme];
  const other = preferences.language === "en" ? "zh-CN" : "en";
  return (
    <>
      <button
        type="button"
        className="tool"
        lang={other}
        aria-label={t("preferences.languageLabel")}
        title={t("preferences.languageLabel")}
        onClick={() => void prefer({ language: other })}
      >
        <Languages size={14} aria-hidden />
        {t("preferences.language")}
      </button>
      <ToolButton
        label={t("preferences.themeLabel", { theme: t(`preferences.theme.${theme}`) })}
        onClick={() => void prefer({ theme: NEXT_THEME[theme] })}
      >
        <ThemeIcon size={14} aria-hidden />
      </ToolButton>
    </>
  );
}

function ToolButton({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className="tool" aria-label={label} title={label} onClick={onClick}>
      {children}
    </button>
  );
}
