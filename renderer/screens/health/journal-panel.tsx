import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Ago, Moment } from "../../components/Moments";
import { Panel } from "../../components/Panel";
import { formatBytes, formatNumber } from "../../format";
import type { HealthView } from "../../stores/health";
import { useNav } from "../../stores/nav";

/** By which clock it is judged, when the chain was last verified, how large the journal is and how old its last backup. */
export function JournalPanel({ health: { clock, journal } }: { health: HealthView }) {
  const { t } = useTranslation();
  const go = useNav((state) => state.go);
  const { events, bytes, chainVerifiedAt, invariantViolations, backupAt, backupFault, backupsOn } = journal;
  const { source } = clock;
  return (
    <Panel
      title={t("health.journal.title")}
      actions={
        <Button size="compact-xs" onClick={() => go({ screen: "audit" })}>
          {t("health.openAudit")}
        </Button>
      }
    >
      <dl className="facts-of">
        <dt>{t("health.journal.time")}</dt>
        <dd>{t(clock.trusted ? "health.journal.trusted" : "health.journal.untrusted", { source })}</dd>
        <dt>{t("health.journal.chain")}</dt>
        <dd>{chainVerifiedAt === null ? t("health.journal.chainNever") : <Moment at={chainVerifiedAt} />}</dd>
        <dt>{t("health.journal.violations")}</dt>
        <dd className="num">
          {invariantViolations === null ? t("health.journal.notChecked") : formatNumber(invariantViolations)}
        </dd>
        <dt>{t("health.journal.size")}</dt>
        <dd className="num">
          {t("health.journal.sizeOf", { events: formatNumber(events), bytes: formatBytes(bytes) })}
        </dd>
        <dt>{t("health.journal.backup")}</dt>
        <dd>
          {backupAt === null ? t("health.journal.noBackup") : <Ago at={backupAt} />}
          {backupsOn ? null : <p>{t("health.journal.backupsOff")}</p>}
          {backupFault === null ? null : <p>{t("health.journal.backupFailed")}</p>}
        </dd>
      </dl>
    </Panel>
  );
}
