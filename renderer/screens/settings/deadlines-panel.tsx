import { useTranslation } from "react-i18next";
import { Panel } from "../../components/Panel";
import { formatDuration } from "../../format";
import type { SettingsView } from "../../stores/settings";

/** Until when an edition has to be out, and how much of that belongs to people. */
export function DeadlinesPanel({ deadlines }: { deadlines: SettingsView["deadlines"] }) {
  const { t } = useTranslation();
  const { dueLocal, zone, humanWindowMs, approvalTtlMs, observationMs } = deadlines;
  return (
    <Panel title={t("settings.deadlines.title")}>
      <dl className="facts-of">
        <dt>{t("settings.deadlines.due")}</dt>
        <dd className="num">{t("clock.zoned", { moment: dueLocal, zone })}</dd>
        <dt>{t("settings.deadlines.human")}</dt>
        <dd className="num">{formatDuration(humanWindowMs)}</dd>
        <dt>{t("settings.deadlines.approval")}</dt>
        <dd className="num">{formatDuration(approvalTtlMs)}</dd>
        <dt>{t("settings.deadlines.observation")}</dt>
        <dd className="num">{formatDuration(observationMs)}</dd>
      </dl>
    </Panel>
  );
}
