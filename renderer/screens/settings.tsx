import { useTranslation } from "react-i18next";
import { AnswerGate } from "../components/AnswerGate";
import { ScreenHeading } from "../components/ScreenHeading";
import { useSettings } from "../stores/settings";
import { AudiencePanel } from "./settings/audience-panel";
import { BackupsPanel } from "./settings/backups-panel";
import { DeadlinesPanel } from "./settings/deadlines-panel";
import { LookPanel } from "./settings/look-panel";
import { PoliciesPanel } from "./settings/policies-panel";
import { SchedulesPanel } from "./settings/schedules-panel";
import { SuppressionPanel } from "./settings/suppression-panel";

/** Who is mailed and who is not, when editions begin, the policies in force, and how the program looks. */
export function Settings() {
  const { t } = useTranslation();
  const answer = useSettings((state) => state.answer);
  return (
    <>
      <header className="head">
        <div className="row">
          <ScreenHeading>{t("settings.title")}</ScreenHeading>
          <span className="muted">{t("settings.lead")}</span>
        </div>
      </header>
      <AnswerGate answer={answer} empty={t("settings.empty")}>
        {(settings) => (
          <div className="settings-grid">
            <div className="stack wide">
              <AudiencePanel audience={settings.audience} />
              <SuppressionPanel suppressions={settings.suppressions} />
              <PoliciesPanel policies={settings.policies} />
            </div>
            <div className="stack wide">
              <LookPanel />
              <BackupsPanel />
              <SchedulesPanel schedules={settings.schedules} />
              <DeadlinesPanel deadlines={settings.deadlines} />
            </div>
          </div>
        )}
      </AnswerGate>
    </>
  );
}
