import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { CopyLine } from "../../components/HashChip";
import { Moment } from "../../components/Moments";
import { type EvidenceView, type Signer, useEvidence } from "../../stores/evidence";
import { actorWord, wordOrText } from "../../words";
import { RegisterKey } from "./register-key";

/** The keys that the journal knows: with which one approvals are signed, which ones did, and the way to another one. */
export function RegisteredKeys({ evidence, signer }: { evidence: EvidenceView; signer: Signer }) {
  const { t } = useTranslation();
  const { registered, canSign } = evidence;
  return (
    <section className="stack" aria-label={t("audit.keys.title")}>
      <h3>{t("audit.keys.title")}</h3>
      {registered.length === 0 ? <p>{t("audit.keys.none")}</p> : <p className="muted small">{t("audit.keys.note")}</p>}
      {canSign ? null : (
        <p className="notice tone-warn" role="alert">
          {t("audit.keys.notHere")}
        </p>
      )}
      {registered.map((key, index) => (
        <dl key={key.fingerprint} className="facts-of">
          <dt>{t(index === 0 ? "audit.keys.signs" : "audit.keys.signed")}</dt>
          <dd>
            <CopyLine value={key.fingerprint} what={t("audit.key.fingerprint")} />
          </dd>
          <dt>{t("audit.keys.since")}</dt>
          <dd>
            <Moment at={key.at} /> · {actorWord(key.by)} · {wordOrText("audit.keyReason", key.reason)}
          </dd>
        </dl>
      ))}
      <div className="row">
        <RegisterKey evidence={evidence} />
        {signer.kind === "ready" && signer.where !== "agent" ? <ExportKey /> : null}
      </div>
    </section>
  );
}

function ExportKey() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const save = useEvidence((state) => state.exportKey);
  const exported = useEvidence((state) => state.exported);
  const confirm = async () => {
    setOpen(false);
    await save();
  };
  return (
    <>
      <Button size="compact-sm" onClick={() => setOpen(true)}>
        {t("audit.keys.export")}
      </Button>
      <span role="status" className="small">
        {exported === "saved" ? t("audit.keys.exported") : exported === "failed" ? t("audit.key.failed") : ""}
      </span>
      <ConfirmDialog
        opened={isOpen}
        title={t("audit.keys.exportTitle")}
        confirmLabel={t("audit.keys.exportConfirm")}
        busy={false}
        onCancel={() => setOpen(false)}
        onConfirm={() => void confirm()}
      >
        <p>{t("audit.keys.exportWarning")}</p>
      </ConfirmDialog>
    </>
  );
}
