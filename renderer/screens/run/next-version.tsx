import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { useCommands } from "../../stores/commands";
import { useNav } from "../../stores/nav";
import type { RunView } from "../../stores/run";
import { DeadlineField, useDeadline } from "./deadline-field";

/** What one working day leaves for reading anew, both gates and the mailing (ms). */
const DAY_MS = 86_400_000;

/** Begins an ended edition once more, as its next version: it reads, drafts and asks at both gates like the first. */
export function NextVersion({ run }: { run: RunView }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const deadline = useDeadline(run.zone);
  const busy = useCommands((state) => state.busy["run.startNextVersion"] === true);
  const send = useCommands((state) => state.send);
  const go = useNav((state) => state.go);
  const { taskId, edition } = run;
  const version = run.taskVersion + 1;
  const wasMailed = run.operations.some(({ kind, phase, state }) => {
    return kind === "send" && phase === "trigger" && state !== "cancelled" && state !== "prepared";
  });
  const start = async (reason: string) => {
    if (deadline.at === null) return;
    const label = t("compensation.recover.forward.startLabel");
    const isStarted = await send("run.startNextVersion", { taskId, deadlineAt: deadline.at, reason }, label);
    setOpened(false);
    if (isStarted) go({ screen: "today" });
  };
  return (
    <>
      <div>
        <Button
          size="compact-sm"
          onClick={() => {
            deadline.propose(DAY_MS);
            setOpened(true);
          }}
        >
          {t("compensation.recover.forward.start", { version })}
        </Button>
      </div>
      <ConfirmDialog
        opened={opened}
        title={t("compensation.recover.forward.startTitle", { version, edition })}
        confirmLabel={t("compensation.recover.forward.startConfirm", { version })}
        busy={busy}
        ready={deadline.isAhead}
        reasonLabel={t("compensation.recover.forward.reason")}
        onCancel={() => setOpened(false)}
        onConfirm={(reason) => void start(reason)}
      >
        <p>{t("compensation.recover.forward.startBody")}</p>
        {wasMailed ? <p>{t("compensation.recover.forward.wasMailed", { version })}</p> : null}
        <DeadlineField zone={run.zone} deadline={deadline} />
      </ConfirmDialog>
    </>
  );
}
