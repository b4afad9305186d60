import { SegmentedControl } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Panel } from "../../components/Panel";
import { useApp } from "../../stores/app";

const LANGUAGES = ["zh-CN", "en"] as const;
const CLOSINGS = ["stay", "quit"] as const;
const THEMES = ["system", "light", "dark"] as const;

/** Language and theme, and what the program does when its window is closed. */
export function LookPanel() {
  const { t } = useTranslation();
  const preferences = useApp((state) => state.boot?.preferences);
  const prefer = useApp((state) => state.prefer);
  if (!preferences) return null;
  const { language, theme, staysInTray = true } = preferences;
  return (
    <Panel title={t("settings.look.title")}>
      <dl className="facts-of settings-look">
        <dt>{t("settings.look.language")}</dt>
        <dd>
          <SegmentedControl
            size="xs"
            aria-label={t("settings.look.language")}
            value={language}
            onChange={(value) => void prefer({ language: LANGUAGES.find((one) => one === value) ?? language })}
            data={LANGUAGES.map((value) => ({ value, label: t(`settings.look.languages.${value}`) }))}
          />
        </dd>
        <dt>{t("settings.look.theme")}</dt>
        <dd>
          <SegmentedControl
            size="xs"
            aria-label={t("settings.look.theme")}
            value={theme}
            onChange={(value) => void prefer({ theme: THEMES.find((one) => one === value) ?? theme })}
            data={THEMES.map((value) => ({ value, label: t(`preferences.theme.${value}`) }))}
          />
        </dd>
        <dt>{t("settings.look.background")}</dt>
        <dd className="stack tight">
          <div>
            <SegmentedControl
              size="xs"
              aria-label={t("settings.look.background")}
              value={staysInTray ? "stay" : "quit"}
              onChange={(value) => void prefer({ staysInTray: value === "stay" })}
              data={CLOSINGS.map((value) => ({ value, label: t(`settings.look.closing.${value}`) }))}
            />
          </div>
          <span className="small muted">{t("settings.look.backgroundIs")}</span>
        </dd>
      </dl>
    </Panel>
  );
}
