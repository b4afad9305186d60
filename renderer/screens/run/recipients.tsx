import { Button } from "@mantine/core";
import { CircleCheck, CircleDashed, OctagonAlert } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Moment } from "../../components/Moments";
import { Mark } from "../../components/StateBadge";
import { formatNumber } from "../../format";
import { useCommands } from "../../stores/commands";
import type { RunView } from "../../stores/run";
import { wordFor } from "../../words";

/** Final outcomes first; `accepted` and `unknown` are what is still open. */
const PARTS = ["delivered", "bounced", "complained", "excluded", "closedByPerson", "accepted", "unknown"] as const;

/** The balance of recipients: the parts must add up to what was approved, or the screen says that they do not. */
export function Recipients({ run }: { run: RunView }) {
  const { t } = useTranslation();
  const { recipients } = run;
  if (recipients.total === 0) return <p className="muted">{t("run.recipients.none")}</p>;
  return (
    <div className="stack wide">
      <section className="stack" aria-label={t("run.recipients.title")}>
        <BalanceBar recipients={recipients} />
        <table className="table balance">
          <tbody>
            {PARTS.map((part) => (
              <tr key={part} className={recipients[part] === 0 ? "zero" : undefined}>
                <td>
                  <span className={`swatch part-${part}`} aria-hidden />
                  {wordFor("recipient", part)}
                </td>
                <td className="number">{formatNumber(recipients[part])}</td>
              </tr>
            ))}
            <tr className="sum">
              <th scope="row">{t("run.recipients.total")}</th>
              <td className="number">{formatNumber(recipients.total)}</td>
            </tr>
          </tbody>
        </table>
        <Verdict recipients={recipients} />
        <CloseOpen run={run} />
      </section>
      <CareQueue queue={run.careQueue} />
    </div>
  );
}

function BalanceBar({ recipients }: { recipients: RunView["recipients"] }) {
  return (
    <div className="balance-bar" aria-hidden>
      {PARTS.map((part) =>
        recipients[part] > 0 ? (
          <span key={part} className={`part-${part}`} style={{ flexGrow: recipients[part] }} />
        ) : null,
      )}
    </div>
  );
}

function Verdict({ recipients }: { recipients: RunView["recipients"] }) {
  const { t } = useTranslation();
  const sum = PARTS.reduce((total, part) => total + recipients[part], 0);
  const open = recipients.accepted + recipients.unknown;
  if (sum !== recipients.total) {
    return (
      <Mark tone="bad" icon={OctagonAlert}>
        {t("run.recipients.differs", { sum, total: recipients.total })}
      </Mark>
    );
  }
  return open === 0 ? (
    <Mark tone="ok" icon={CircleCheck}>
      {t("run.recipients.balanced", { total: recipients.total })}
    </Mark>
  ) : (
    <Mark tone="info" icon={CircleDashed}>
      {t("run.recipients.open", { count: open })}
    </Mark>
  );
}

function CloseOpen({ run }: { run: RunView }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const busy = useCommands((state) => state.busy["run.closeRecipients"] === true);
  const send = useCommands((state) => state.send);
  const ids = run.openRecipients ?? [];
  if (ids.length === 0) return null;
  const close = async (evidence: string) => {
    await send(
      "run.closeRecipients",
      { taskId: run.taskId, recipientIds: ids, evidence },
      t("run.recipients.closeLabel"),
    );
    setOpened(false);
  };
  return (
    <div>
      <Button onClick={() => setOpened(true)}>{t("run.recipients.close")}</Button>
      <ConfirmDialog
        opened={opened}
        title={t("run.recipients.closeTitle")}
        confirmLabel={t("run.recipients.closeConfirm", { count: ids.length })}
        busy={busy}
        typed={run.edition}
        reasonLabel={t("dialog.evidence")}
        onCancel={() => setOpened(false)}
        onConfirm={(evidence) => void close(evidence)}
      >
        <p>{t("run.recipients.closeBody", { count: ids.length })}</p>
        <p className="mono small wrap">{ids.join(" ")}</p>
      </ConfirmDialog>
    </div>
  );
}

function CareQueue({ queue }: { queue: RunView["careQueue"] }) {
  const { t } = useTranslation();
  return (
    <section className="stack tight" aria-label={t("run.recipients.care")}>
      <h3>{t("run.recipients.care")}</h3>
      {queue.length === 0 ? <p className="muted">{t("run.recipients.careEmpty")}</p> : null}
      <ul>
        {queue.map((entry) => (
          <li key={`${entry.recipientId}-${entry.outcome}`} className="row tight">
            <span className="mono">{entry.recipientId}</span>
            <span>{wordFor("recipient", entry.outcome)}</span>
            <span className="muted small">
              <Moment at={entry.at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
