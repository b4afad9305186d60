import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Panel } from "../../components/Panel";
import { useZone } from "../../stores/clock";
import { ExportEvidence } from "../run/export-evidence";

/** All that went on in some days, as one bundle. What is wrong with the days is said at the field, once it was asked for. */
export function PeriodPanel() {
  const { t } = useTranslation();
  const zone = useZone();
  const [days, setDays] = useState({ from: "", to: "" });
  const [wasAsked, setWasAsked] = useState(false);
  const { from, to } = days;
  const missing = (day: string) => (day === "" ? t("audit.period.missing") : null);
  const faults = { from: missing(from), to: missing(to) ?? (from > to ? t("audit.period.order") : null) };
  const isSound = faults.from === null && faults.to === null;
  const field = (name: "from" | "to") => (
    <TextInput
      type="date"
      label={t(`audit.period.${name}`)}
      value={days[name]}
      error={wasAsked ? faults[name] : null}
      onChange={(event) => setDays({ ...days, [name]: event.currentTarget.value })}
    />
  );
  return (
    <Panel title={t("audit.period.title")}>
      <div className="stack">
        <p className="muted">{t("audit.period.lead", { zone })}</p>
        <div className="row" style={{ alignItems: "flex-start" }}>
          {field("from")}
          {field("to")}
        </div>
        <div className="row">
          <ExportEvidence
            subject={days}
            words={t("audit.period.open")}
            title={t("audit.period.of", days)}
            mayOpen={() => {
              setWasAsked(true);
              return isSound;
            }}
          />
        </div>
      </div>
    </Panel>
  );
}
