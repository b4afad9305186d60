import { Button } from "@mantine/core";
import { CircleCheck, Hourglass } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Empty, Panel } from "../../components/Panel";
import { Mark } from "../../components/StateBadge";
import { type SandboxView, useSandbox } from "../../stores/sandbox";
import { hasWord, wordFor } from "../../words";
import { faultWordCode } from "./fault-list";

/** Which faults are set and how often each has struck. */
export function ActiveFaults({ faults }: { faults: SandboxView["faults"] }) {
  const { t } = useTranslation();
  const busy = useSandbox((state) => state.busy);
  const clearFaults = useSandbox((state) => state.clearFaults);
  return (
    <Panel
      title={t("sandbox.active.title")}
      flush
      actions={
        faults.length === 0 ? null : (
          <Button size="compact-xs" disabled={busy} onClick={() => void clearFaults()}>
            {t("sandbox.active.clear")}
          </Button>
        )
      }
    >
      {faults.length === 0 ? <Empty>{t("sandbox.active.empty")}</Empty> : null}
      <ul className="rows">
        {faults.map((fault) => {
          const code = faultWordCode(fault);
          const spent = fault.fired >= fault.times;
          return (
            <li key={fault.id} className="fault-row">
              <span className="grow">
                {hasWord("sandbox.fault", code) ? wordFor("sandbox.fault", code) : <span className="mono">{code}</span>}
              </span>
              <span className="num muted">{t("sandbox.active.fired", { fired: fault.fired, times: fault.times })}</span>
              <Mark tone={spent ? "neutral" : "warn"} icon={spent ? CircleCheck : Hourglass}>
                {t(spent ? "sandbox.active.spent" : "sandbox.active.waiting")}
              </Mark>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
