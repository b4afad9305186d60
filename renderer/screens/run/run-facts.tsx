import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { CopyLine } from "../../components/HashChip";
import { Countdown, Moment } from "../../components/Moments";
import { UnmetList } from "../../components/UnmetList";
import { useCommands } from "../../stores/commands";
import type { RunView } from "../../stores/run";
import { actorWord, wordFor } from "../../words";

const ENDED = ["succeeded", "compensated", "closed"];

/** True for a state out of which nothing leads. */
export const hasEnded = (state: string): boolean => ENDED.includes(state);

/** Deadline, lease and key of the run, always in the same places. */
export function RunFacts({ run }: { run: RunView }) {
  const { t } = useTranslation();
  return (
    <section className="panel run-facts" aria-label={run.edition}>
      <dl>
        <dt>{t("run.header.deadline")}</dt>
        <dd className="row tight">
          <Moment at={run.deadlineAt} />
          {hasEnded(run.state) ? null : <Countdown until={run.deadlineAt} />}
          <span className="muted small">{run.zone}</span>
        </dd>
      </dl>
      <dl>
        <dt>{t("run.header.lease")}</dt>
        <dd className="row tight">
          {run.lease ? (
            <>
              <span className="num">
                {t("run.header.leaseHeld", { owner: actorWord(run.lease.owner), token: run.lease.token })}
              </span>
              <Countdown until={run.lease.expiresAt} quiet />
            </>
          ) : (
            <span className="muted">{t("run.header.leaseNone")}</span>
          )}
        </dd>
      </dl>
      <dl>
        <dt>{t("run.header.key")}</dt>
        <dd>
          <CopyLine value={run.taskKey} what={t("run.header.key")} />
        </dd>
      </dl>
      {run.resumeState === null ? null : (
        <p className="muted small">{t("run.header.resumes", { state: wordFor("state", run.resumeState) })}</p>
      )}
      <CloseProtectively run={run} />
    </section>
  );
}

function CloseProtectively({ run }: { run: RunView }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const busy = useCommands((state) => state.busy["run.closeProtectively"] === true);
  const send = useCommands((state) => state.send);
  const way = run.ways.find((one) => one.event === "ClosedProtectively");
  if (hasEnded(run.state) || !way) return null;
  const close = async (reason: string) => {
    await send(
      "run.closeProtectively",
      { taskId: run.taskId, expectedVersion: run.stateVersion, reason },
      t("run.closing.label"),
    );
    setOpened(false);
  };
  return (
    <div className="close-button">
      <Button size="compact-xs" onClick={() => setOpened(true)}>
        {t("run.header.close")}
      </Button>
      <ConfirmDialog
        opened={opened}
        title={t("run.closing.title")}
        confirmLabel={t("run.closing.confirm", { edition: run.edition })}
        busy={busy}
        typed={run.edition}
        ready={way.open}
        reasonLabel={t("dialog.reason")}
        onCancel={() => setOpened(false)}
        onConfirm={(reason) => void close(reason)}
      >
        <p>{t("run.closing.body")}</p>
        {way.open ? null : <UnmetList items={way.unmet} />}
      </ConfirmDialog>
    </div>
  );
}
