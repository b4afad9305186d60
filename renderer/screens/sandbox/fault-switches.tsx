import { Button, NumberInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Panel } from "../../components/Panel";
import { useSandbox } from "../../stores/sandbox";
import { wordFor } from "../../words";
import { FAULT_GROUPS, faultWordCode } from "./fault-list";

const MOST_TIMES = 99;

/** Every fault by what the editor will see of it; how many times the next one strikes is set once, above. */
export function FaultSwitches() {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState<number | string>(1);
  const times = Math.min(MOST_TIMES, Math.max(1, Math.round(Number(wanted) || 1)));
  return (
    <Panel
      title={t("sandbox.faults.title")}
      flush
      actions={
        <span className="row tight">
          <span className="muted" aria-hidden>
            {t("sandbox.faults.times")}
          </span>
          <NumberInput
            aria-label={t("sandbox.faults.times")}
            value={wanted}
            min={1}
            max={MOST_TIMES}
            w={62}
            onChange={setWanted}
          />
        </span>
      }
    >
      {FAULT_GROUPS.map(({ group, faults }) => (
        <section key={group} aria-label={t(`sandbox.faults.${group}`)}>
          <h3 className="sub">{t(`sandbox.faults.${group}`)}</h3>
          <ul className="rows">
            {faults.map((fault) => (
              <FaultRow key={faultWordCode(fault)} fault={fault} times={times} />
            ))}
          </ul>
        </section>
      ))}
    </Panel>
  );
}

function FaultRow({ fault, times }: { fault: { on: string; fault: string }; times: number }) {
  const { t } = useTranslation();
  const busy = useSandbox((state) => state.busy);
  const addFault = useSandbox((state) => state.addFault);
  const word = wordFor("sandbox.fault", faultWordCode(fault));
  return (
    <li className="fault-row">
      <span className="grow">{word}</span>
      <span className="mono small muted nowrap">{fault.on}</span>
      <Button
        size="compact-xs"
        disabled={busy}
        aria-label={t("sandbox.faults.onFor", { fault: word })}
        onClick={() => void addFault({ ...fault, times })}
      >
        {t("sandbox.faults.on")}
      </Button>
    </li>
  );
}
