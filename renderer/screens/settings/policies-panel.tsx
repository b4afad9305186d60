import { useTranslation } from "react-i18next";
import { Panel } from "../../components/Panel";
import { formatDuration, formatNumber } from "../../format";
import type { SettingsView } from "../../stores/settings";
import { wordFor } from "../../words";

/** How often and how long each tool may try, by version: read only, since a running edition keeps the one that it began with. */
export function PoliciesPanel({ policies }: { policies: SettingsView["policies"] }) {
  const { t } = useTranslation();
  return (
    <Panel title={t("settings.policies.title")} flush>
      <table className="table compact">
        <thead>
          <tr>
            <th scope="col">{t("settings.policies.tool")}</th>
            <th scope="col" className="number">
              {t("settings.policies.version")}
            </th>
            <th scope="col" className="number">
              {t("settings.policies.calls")}
            </th>
            <th scope="col" className="number">
              {t("settings.policies.call")}
            </th>
            <th scope="col">{t("settings.policies.waits")}</th>
            <th scope="col" className="number">
              {t("settings.policies.step")}
            </th>
          </tr>
        </thead>
        <tbody>
          {policies.map((policy) => (
            <tr key={policy.tool}>
              <th scope="row">{wordFor("health.tool", policy.tool)}</th>
              <td className="number">{formatNumber(policy.version)}</td>
              <td className="number">{formatNumber(policy.maxCalls)}</td>
              <td className="number">{formatDuration(policy.callTimeoutMs)}</td>
              <td className="num">
                {t("settings.policies.waitsOf", {
                  waits: policy.waitsMs.map(formatDuration).join(" · "),
                  most: formatDuration(policy.longestWaitMs),
                })}
              </td>
              <td className="number">{formatDuration(policy.stepMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="muted small settings-note">{t("settings.policies.note")}</p>
    </Panel>
  );
}
