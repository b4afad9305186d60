import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ProblemNotice } from "../../components/Notices";
import { Panel } from "../../components/Panel";
import { type EvidenceView, useEvidence } from "../../stores/evidence";
import { detailWord } from "./detail-word";
import { OpenedBundleView } from "./opened-bundle";

/** A bundle from anywhere: chosen, verified, and then read. Works without a workspace and without a network. */
export function OpenPanel({ evidence }: { evidence: EvidenceView }) {
  const { t } = useTranslation();
  const openBundle = useEvidence((state) => state.openBundle);
  const isAsking = useEvidence((state) => state.isAsking);
  const problem = useEvidence((state) => state.problem);
  const refusal = useEvidence((state) => (state.exporting === null ? state.refusal : null));
  const { work, outcome, opened, signer } = evidence;
  return (
    <>
      <Panel
        title={t("audit.open.title")}
        actions={
          <Button size="compact-sm" loading={isAsking} disabled={work !== null} onClick={() => void openBundle(null)}>
            {t("audit.open.choose")}
          </Button>
        }
      >
        <div className="stack">
          <p className="muted">{t("audit.open.lead")}</p>
          {problem ? <ProblemNotice problem={problem} again={() => void openBundle(null)} /> : null}
          {refusal ? <p role="status">{t(`audit.refused.${refusal}`)}</p> : null}
          {work?.kind === "open" ? <Working label={work.label} /> : null}
          {outcome?.kind === "failed" && outcome.work === "open" ? (
            <p className="notice tone-bad" role="alert">
              {t("audit.open.failed", { detail: detailWord(outcome.detail) })}
            </p>
          ) : null}
          {outcome?.kind === "cancelled" && outcome.work === "open" ? (
            <p role="status">{t("audit.open.cancelled")}</p>
          ) : null}
        </div>
      </Panel>
      {opened ? <OpenedBundleView bundle={opened} own={signer?.kind === "ready" ? signer.fingerprint : null} /> : null}
    </>
  );
}

function Working({ label }: { label: string }) {
  const { t } = useTranslation();
  const tell = useEvidence((state) => state.tell);
  const words = t("audit.open.working", { label });
  return (
    <div className="notice tone-info">
      <div className="grow stack tight">
        <p role="status">{words}</p>
        <progress aria-label={words} />
      </div>
      <Button size="compact-xs" onClick={() => void tell("evidence.cancel")}>
        {t("audit.open.cancel")}
      </Button>
    </div>
  );
}
