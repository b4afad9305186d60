import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ProblemNotice } from "../../components/Notices";
import { Panel } from "../../components/Panel";
import { formatNumber } from "../../format";
import { type SettingsView, useSettings } from "../../stores/settings";
import { wordFor } from "../../words";
import { ImportColumns } from "./import-columns";
import { ImportPreview } from "./import-preview";

/** Who is mailed, by groups; and a new list of customers, from its file to its import. */
export function AudiencePanel({ audience }: { audience: SettingsView["audience"] }) {
  const { t } = useTranslation();
  const chosen = useSettings((state) => state.chosen);
  const isBusy = useSettings((state) => state.isBusy);
  const choose = useSettings((state) => state.choose);
  const problem = useSettings((state) => state.problem ?? state.preview.problem);
  return (
    <Panel
      title={t("settings.audience.title")}
      actions={
        <Button size="compact-xs" disabled={isBusy} onClick={() => void choose()}>
          {t(chosen === null ? "settings.audience.choose" : "settings.audience.chooseOther")}
        </Button>
      }
    >
      <div className="stack wide">
        <Members audience={audience} />
        {problem ? <ProblemNotice problem={problem} again={() => void choose()} /> : null}
        <Imported />
        {chosen?.result === "refused" ? (
          <p className="notice tone-bad" role="alert">
            {t("settings.audience.refused", { name: chosen.name, reason: wordFor("settings.fault", chosen.reason) })}
          </p>
        ) : null}
        {chosen?.result === "chosen" ? (
          <>
            <ImportColumns list={chosen} />
            <ImportPreview name={chosen.name} />
          </>
        ) : null}
      </div>
    </Panel>
  );
}

function Members({ audience: { members, groups, importVersion } }: { audience: SettingsView["audience"] }) {
  const { t } = useTranslation();
  return (
    <div className="stack tight">
      <p>
        <b className="num">{t("settings.audience.members", { count: members })}</b>{" "}
        <span className="muted small num">
          {t("settings.audience.version", { version: formatNumber(importVersion) })}
        </span>
      </p>
      <ul className="settings-groups">
        {groups.map(({ group, count }) => (
          <li key={group} className="num">
            <span className="wrap">{group === "" ? t("settings.audience.noGroup") : group}</span>{" "}
            <span className="muted">{formatNumber(count)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What the last import came to. */
function Imported() {
  const { t } = useTranslation();
  const imported = useSettings((state) => state.imported);
  if (imported === null || imported.result === "bad_rows") return null;
  if (imported.result === "imported")
    return (
      <p className="notice tone-ok" role="status">
        {t("settings.audience.imported", { count: imported.count })}
      </p>
    );
  return (
    <p className="notice tone-warn" role="alert">
      {t(`settings.audience.${imported.result}`)}
    </p>
  );
}
