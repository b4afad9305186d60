import { Button, NumberInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Panel } from "../../components/Panel";
import { useSandbox } from "../../stores/sandbox";
import { wordFor } from "../../words";
import { FAULT_GROUPS, faultWordCode } from "./fault-list";

/** Every fault by what the editor will see of it, with how many times it shall strike. */
export function FaultSwitches() {
  const { t } = useTranslation();
  return (
    <Panel title={t("sandbox.faults.title")} flush>
      {FAULT_GROUPS.map(({ group, faults }) => (
        <section key={group} aria-label={t(`sandbox.faults.${group}`)}>
          <h3 className="sub">{t(`sandbox.faults.${group}`)}</h3>
          <ul className="rows">
            {faults.map((fault) => (
              <FaultRow key={faultWordCode(fault)} fault={fault} />
            ))}
          </ul>
        </section>
      ))}
    </Panel>
  );
}

function FaultRow({ fault }: { fault: { on: string; fault: string } }) {
  const { t } = useTranslation();
  const [times, setTimes] = useState<number | string>(1);
  const busy = useSandbox((state) => state.busy);
  const addFault = useSandbox((state) => state.addFault);
  const word = wordFor("sandbox.fault", faultWordCode(fault));
  const count = Math.min(99, Math.max(1, Math.round(Number(times) || 1)));
  return (
    <li className="fault-row">
      <span className="grow">
        {word} <span className="mono small muted nowrap">{fault.on}</span>
      </span>
      <NumberInput
        aria-label={t("sandbox.faults.timesFor", { fault: word })}
        value={times}
        min={1}
        max={99}
        w={58}
        onChange={setTimes}
      />
      <span className="muted small">{t("sandbox.faults.times")}</span>
      <Button
        disabled={busy}
        aria-label={t("sandbox.faults.onFor", { fault: word })}
        onClick={() => void addFault({ ...fault, times: count })}
      >
        {t("sandbox.faults.on")}
      </Button>
    </li>
  );
}
