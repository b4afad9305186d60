import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CopyLine } from "../../components/HashChip";
import { Panel } from "../../components/Panel";
import { type EvidenceView, type Signer, useEvidence } from "../../stores/evidence";
import { RegisteredKeys } from "./registered-keys";

/** Whose word a bundle is: the key's public side, where it is kept, and why there. The key itself never comes here. */
export function KeyPanel({ signer, evidence }: { signer: Signer; evidence: EvidenceView }) {
  const { t } = useTranslation();
  const tell = useEvidence((state) => state.tell);
  return (
    <Panel
      title={t("audit.key.title")}
      actions={
        signer.kind === "none" ? (
          <Button size="compact-sm" onClick={() => void tell("evidence.makeKey")}>
            {t("audit.key.make")}
          </Button>
        ) : null
      }
    >
      <div className="stack">
        {signer.kind === "none" ? <p>{t("audit.key.none")}</p> : null}
        {signer.kind === "unavailable" ? (
          <p className="notice tone-warn" role="alert">
            {signer.code === "locked" ? t("audit.key.locked") : t("audit.key.unusable", { detail: signer.detail })}
          </p>
        ) : null}
        <dl className="facts-of">
          {signer.kind === "ready" ? <PublicPart signer={signer} /> : null}
          <dt>{t("audit.key.kept")}</dt>
          <dd>
            {t(`audit.key.${signer.where}`)}
            {signer.refusal ? <span className="muted"> {t(`audit.key.${signer.refusal}`)}</span> : null}
          </dd>
          {signer.file ? (
            <>
              <dt>{t("audit.key.file")}</dt>
              <dd>
                <CopyLine value={signer.file} what={t("audit.key.file")} />
              </dd>
            </>
          ) : null}
        </dl>
        {signer.kind === "ready" ? <SaveLine /> : null}
        <RegisteredKeys evidence={evidence} signer={signer} />
      </div>
    </Panel>
  );
}

function PublicPart({ signer }: { signer: Extract<Signer, { kind: "ready" }> }) {
  const { t } = useTranslation();
  return (
    <>
      <dt>{t("audit.key.identity")}</dt>
      <dd>
        <CopyLine value={signer.identity} what={t("audit.key.identity")} />
      </dd>
      <dt>{t("audit.key.fingerprint")}</dt>
      <dd>
        <CopyLine value={signer.fingerprint} what={t("audit.key.fingerprint")} />
      </dd>
      <dt>{t("audit.key.public")}</dt>
      <dd>
        <CopyLine value={signer.allowedSigners} what={t("audit.key.public")} />
      </dd>
    </>
  );
}

function SaveLine() {
  const { t } = useTranslation();
  const save = useEvidence((state) => state.saveAllowedSigners);
  const saved = useEvidence((state) => state.saved);
  const said = saved === "saved" ? "audit.key.saved" : saved === "failed" ? "audit.key.failed" : null;
  return (
    <>
      <p className="muted small">{t("audit.key.handOn")}</p>
      <div className="row">
        <Button size="compact-sm" onClick={() => void save()}>
          {t("audit.key.save")}
        </Button>
        <span role="status" className="small">
          {said === null ? "" : t(said)}
        </span>
      </div>
    </>
  );
}
