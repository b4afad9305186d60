import { Tabs } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { StateMap } from "../../components/StateMap";
import { type RunSide, type RunView, useRun } from "../../stores/run";
import { Evidence } from "./evidence";
import { Recipients } from "./recipients";
import { Sources } from "./sources";

/** What belongs to the run besides its events: where it may go, what it read, whom it reached, what it froze. */
export function SidePanel({ run }: { run: RunView }) {
  const { t } = useTranslation();
  const side = useRun((state) => state.side);
  const set = useRun((state) => state.set);
  return (
    <Tabs
      value={side}
      onChange={(next) => set({ side: (next ?? "map") as RunSide })}
      keepMounted={false}
      className="panel side-tabs"
    >
      <Tabs.List aria-label={t("run.side.label")}>
        {(["map", "sources", "recipients", "evidence"] as const).map((one) => (
          <Tabs.Tab key={one} value={one}>
            {t(`run.side.${one}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="map" className="body">
        <StateMap run={run} />
      </Tabs.Panel>
      <Tabs.Panel value="sources">
        <Sources sources={run.sources} />
      </Tabs.Panel>
      <Tabs.Panel value="recipients" className="body">
        <Recipients run={run} />
      </Tabs.Panel>
      <Tabs.Panel value="evidence">
        <Evidence run={run} />
      </Tabs.Panel>
    </Tabs>
  );
}
