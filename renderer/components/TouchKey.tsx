import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useEvidence } from "../stores/evidence";
import { Dialog } from "./Dialog";
import { CopyLine } from "./HashChip";

/** The ssh-agent is being asked to sign an approval: says what to do, and lets it be cancelled. Nothing is approved until then. */
export function TouchKey() {
  const { t } = useTranslation();
  const asking = useEvidence((state) => state.answer.value?.asking ?? null);
  const tell = useEvidence((state) => state.tell);
  const cancel = () => void tell("evidence.cancelSigning");
  return (
    <Dialog opened={asking !== null} onClose={cancel} title={t("audit.touch.title")} easyToLeave={false}>
      {asking === null ? null : (
        <div className="stack wide">
          <p role="status">{t(asking.isHardware ? "audit.touch.hardware" : "audit.touch.agent")}</p>
          <dl className="facts-of">
            <dt>{t("audit.touch.key")}</dt>
            <dd className="wrap">{asking.comment === "" ? t("audit.touch.unnamed") : asking.comment}</dd>
            <dt>{t("audit.key.fingerprint")}</dt>
            <dd>
              <CopyLine value={asking.fingerprint} what={t("audit.key.fingerprint")} />
            </dd>
          </dl>
          <p className="muted small">{t("audit.touch.nothingYet")}</p>
          <div className="row" style={{ justifyContent: "flex-end" }}>
            <Button data-autofocus onClick={cancel}>
              {t("audit.touch.cancel")}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
