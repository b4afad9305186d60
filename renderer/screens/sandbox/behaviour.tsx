import { Button, NumberInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Panel } from "../../components/Panel";
import { useSandbox } from "../../stores/sandbox";

/** How the remotes behave by themselves: stale caches after a change, recipients that bounce. */
export function Behaviour({ staleProbes, bounces }: { staleProbes: number; bounces: number }) {
  const { t } = useTranslation();
  const busy = useSandbox((state) => state.busy);
  const configure = useSandbox((state) => state.configure);
  const [stale, setStale] = useState<number | string>(staleProbes);
  const [bounced, setBounced] = useState<number | string>(bounces);
  useEffect(() => {
    setStale(staleProbes);
    setBounced(bounces);
  }, [staleProbes, bounces]);
  const wanted = { staleProbes: Number(stale) || 0, bounces: Number(bounced) || 0 };
  const same = wanted.staleProbes === staleProbes && wanted.bounces === bounces;
  return (
    <Panel title={t("sandbox.settings.title")}>
      <div className="stack">
        <NumberInput label={t("sandbox.settings.stale")} value={stale} min={0} max={20} onChange={setStale} />
        <NumberInput label={t("sandbox.settings.bounces")} value={bounced} min={0} max={63} onChange={setBounced} />
        <div>
          <Button disabled={busy || same} onClick={() => void configure(wanted)}>
            {t("sandbox.settings.apply")}
          </Button>
        </div>
      </div>
    </Panel>
  );
}
