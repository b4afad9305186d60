import { Button, Radio } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { type EvidenceView, useEvidence } from "../../stores/evidence";

/** How the app's own new key is named among the choices: no fingerprint looks like it. */
const OWN = "own";

/** Another key signs from now on: a new one of this app, or one of the ssh-agent's. */
export function RegisterKey({ evidence }: { evidence: EvidenceView }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState(OWN);
  const register = useEvidence((state) => state.registerKey);
  const registering = useEvidence((state) => state.registering);
  const tell = useEvidence((state) => state.tell);
  const known = evidence.registered.map(({ fingerprint }) => fingerprint);
  const offered = evidence.agent.keys.filter(({ fingerprint }) => !known.includes(fingerprint));
  const isStillThere = chosen === OWN || offered.some(({ fingerprint }) => fingerprint === chosen);
  const open = () => {
    setChosen(OWN);
    setOpen(true);
    void tell("evidence.findAgentKeys");
  };
  const confirm = async (reason: string) => {
    await register(reason, chosen === OWN ? undefined : chosen);
    setOpen(false);
  };
  return (
    <>
      <Button size="compact-sm" onClick={open}>
        {t("audit.keys.register")}
      </Button>
      <span role="status" className="small">
        {registering === null || registering === "busy" || registering === "no_workspace"
          ? ""
          : t(`audit.keys.${registering}`)}
      </span>
      <ConfirmDialog
        opened={isOpen}
        title={t("audit.keys.registerTitle")}
        confirmLabel={t(chosen === OWN ? "audit.keys.registerConfirm" : "audit.keys.registerAgentConfirm")}
        busy={registering === "busy"}
        ready={isStillThere}
        reasonLabel={t("dialog.reason")}
        onCancel={() => setOpen(false)}
        onConfirm={(reason) => void confirm(reason)}
      >
        <Radio.Group label={t("audit.keys.which")} value={chosen} onChange={setChosen}>
          <div className="stack tight">
            <Radio value={OWN} label={t("audit.keys.own")} description={t("audit.keys.ownHint")} />
            {offered.map(({ fingerprint, comment, isHardware }) => (
              <Radio
                key={fingerprint}
                value={fingerprint}
                label={comment === "" ? t("audit.touch.unnamed") : comment}
                description={`${t(isHardware ? "audit.keys.hardwareKey" : "audit.keys.agentKey")} · ${fingerprint}`}
              />
            ))}
          </div>
        </Radio.Group>
        <p className="muted small" role="status">
          {evidence.agent.problem === null
            ? t("audit.keys.agentHint")
            : t(`audit.keys.agentProblem.${evidence.agent.problem}`)}
        </p>
        <p>{t("audit.keys.registerEffect")}</p>
      </ConfirmDialog>
    </>
  );
}
