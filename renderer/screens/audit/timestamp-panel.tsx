import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Panel } from "../../components/Panel";
import { useEvidence } from "../../stores/evidence";

/** Who may be asked when a bundle's signature was there. Nobody is, until an address is kept here and ticked at an export. */
export function TimestampPanel({ url }: { url: string | null }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(url ?? "");
  const save = useEvidence((state) => state.setTimestampServer);
  const kept = useEvidence((state) => state.timestampKept);
  const wanted = typed.trim() === "" ? null : typed.trim();
  return (
    <Panel title={t("audit.stamp.title")}>
      <div className="stack">
        <p className="muted">{t("audit.stamp.lead")}</p>
        <TextInput
          label={t("audit.stamp.url")}
          description={t("audit.stamp.urlHint")}
          value={typed}
          maxLength={500}
          autoComplete="off"
          spellCheck={false}
          error={kept === "no_address" ? t("audit.stamp.no_address") : null}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <div className="row">
          <Button size="compact-sm" disabled={wanted === url} onClick={() => void save(wanted)}>
            {t("audit.stamp.save")}
          </Button>
          <span role="status" className="small">
            {kept === "saved" && wanted === url ? t(url === null ? "audit.stamp.nobody" : "audit.stamp.saved") : ""}
            {kept === "failed" ? t("audit.stamp.failed") : ""}
          </span>
        </div>
      </div>
    </Panel>
  );
}
