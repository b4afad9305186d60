import { Button } from "@mantine/core";
import { OctagonAlert } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Countdown, Moment } from "../../components/Moments";
import { UnmetList } from "../../components/UnmetList";
import { useCommands } from "../../stores/commands";
import { useNav } from "../../stores/nav";
import type { RunView } from "../../stores/run";
import { hasWord, wordFor, wordOrText } from "../../words";
import { DeadlineField, useDeadline } from "./deadline-field";

type Blocked = NonNullable<RunView["blocked"]>;
type WayOut = Blocked["waysOut"][number];

const HOUR_MS = 3_600_000;

/** Why the edition stands still, who decides, what evidence is asked for, and each way out as a button of its own. */
export function BlockedBox({ run, blocked }: { run: RunView; blocked: Blocked }) {
  const { t } = useTranslation();
  return (
    <section className="panel attention tone-bad" aria-labelledby="blocked-title">
      <header>
        <h2 id="blocked-title" className="row tight">
          <OctagonAlert size={16} aria-hidden />
          {t("run.blocked.title", { reason: wordFor("blockedReason", blocked.reason) })}
        </h2>
        {blocked.expiresAt === null ? null : (
          <span className="row tight small">
            <span className="muted">{t("run.blocked.expires")}</span>
            <Moment at={blocked.expiresAt} />
            <Countdown until={blocked.expiresAt} />
          </span>
        )}
      </header>
      <div className="body blocked-body">
        <div className="stack tight">
          <p>{wordFor("blockedNext", blocked.reason)}</p>
          <dl className="facts-of">
            <dt>{t("run.blocked.owner")}</dt>
            <dd>{wordOrText("owner", blocked.owner)}</dd>
            <dt>{t("run.blocked.evidence")}</dt>
            <dd>
              <ul>
                {blocked.evidenceNeeded.map((evidence) => (
                  <li key={evidence}>{wordOrText("run.evidence", evidence)}</li>
                ))}
              </ul>
            </dd>
          </dl>
        </div>
        <div className="stack">
          <h3>{t("run.blocked.ways")}</h3>
          {blocked.waysOut.length === 0 ? <p className="muted">{t("run.blocked.noWays")}</p> : null}
          {blocked.waysOut.some(leadsThroughDraft) ? <EditDraft taskId={run.taskId} /> : null}
          {blocked.waysOut.map((way) => (
            <WayOutButton key={way.to} run={run} way={way} />
          ))}
        </div>
      </div>
    </section>
  );
}

/** Out of a block that leads back before the check, an edited draft can be brought along. */
const leadsThroughDraft = ({ to, needsDeadline }: WayOut): boolean =>
  (to === "drafting" || to === "checking") && !needsDeadline;

function EditDraft({ taskId }: { taskId: string }) {
  const { t } = useTranslation();
  const go = useNav((state) => state.go);
  return (
    <div>
      <Button variant="filled" onClick={() => go({ screen: "draft", taskId })}>
        {t("run.blocked.edit")}
      </Button>
    </div>
  );
}

function wayWord(to: string): string {
  return hasWord("run.blocked.go", to)
    ? wordFor("run.blocked.go", to)
    : wordFor("run.blocked.go", "other", { state: wordFor("state", to) });
}

function WayOutButton({ run, way }: { run: RunView; way: WayOut }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const deadline = useDeadline(run.zone);
  const busy = useCommands((state) => state.busy["run.unblock"] === true);
  const send = useCommands((state) => state.send);
  const newDeadlineAt = way.needsDeadline ? deadline.at : null;
  const open = () => {
    deadline.propose(HOUR_MS);
    setOpened(true);
  };
  const unblock = async (evidence: string) => {
    await send(
      "run.unblock",
      {
        taskId: run.taskId,
        expectedVersion: run.stateVersion,
        to: way.to,
        evidence,
        ...(newDeadlineAt === null ? {} : { newDeadlineAt }),
      },
      t("run.blocked.label"),
    );
    setOpened(false);
  };
  const name = wayWord(way.to);
  return (
    <div className="stack tight">
      <div>
        <Button disabled={!way.open} onClick={open}>
          {t("run.blocked.choose", { way: name })}
        </Button>
      </div>
      {way.open ? null : (
        <div className="small">
          <span className="muted">{t("run.blocked.shut")}</span>
          <UnmetList items={way.unmet} />
        </div>
      )}
      <ConfirmDialog
        opened={opened}
        title={t("run.blocked.confirmTitle", { way: name })}
        confirmLabel={name}
        busy={busy}
        typed={way.to === "closed" ? run.edition : undefined}
        ready={!way.needsDeadline || deadline.isAhead}
        reasonLabel={t("dialog.evidence")}
        onCancel={() => setOpened(false)}
        onConfirm={(evidence) => void unblock(evidence)}
      >
        <p>{t("run.blocked.confirmBody", { from: wordFor("state", run.state), to: wordFor("state", way.to) })}</p>
        {way.needsDeadline ? <DeadlineField zone={run.zone} deadline={deadline} /> : null}
      </ConfirmDialog>
    </div>
  );
}
