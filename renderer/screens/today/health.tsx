import { CircleCheck, OctagonAlert, ShieldQuestion } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Ago, Moment } from "../../components/Moments";
import { Panel } from "../../components/Panel";
import { Mark } from "../../components/StateBadge";
import { formatNumber } from "../../format";
import { useClock } from "../../stores/clock";
import type { TodayView } from "../../stores/today";

/** Few numbers, each with what it is out of. Zero is said, not left blank. */
export function Health({ health }: { health: TodayView["health"] }) {
  const { t } = useTranslation();
  const total = health.unknownOutcomes + health.unknownsReconciled;
  const violations = health.invariantViolations;
  return (
    <Panel title={t("today.health.title")}>
      <dl className="facts-of health">
        <Line name={t("today.health.unknowns")} tone={health.unknownOutcomes > 0 ? "unknown" : "ok"}>
          {t("today.health.unknownsOf", {
            count: total,
            open: health.unknownOutcomes,
            reconciled: health.unknownsReconciled,
            total,
          })}
        </Line>
        <Line name={t("today.health.duplicates")} tone={health.duplicateObjects > 0 ? "bad" : "ok"}>
          {formatNumber(health.duplicateObjects)}
        </Line>
        <Line name={t("today.health.violations")} tone={violations === null ? null : violations > 0 ? "bad" : "ok"}>
          {violations === null ? t("today.health.notChecked") : formatNumber(violations)}
        </Line>
        <Line name={t("today.health.recovery")} tone={health.recoveryOverdue > 0 ? "bad" : "ok"}>
          {t("today.health.recoveryOf", { open: health.recoveryOpen, overdue: health.recoveryOverdue })}
        </Line>
        <Line name={t("today.health.breakers")} tone={health.openBreakers.length > 0 ? "bad" : "ok"}>
          {health.openBreakers.length > 0 ? (
            <span className="mono wrap">{health.openBreakers.join(" · ")}</span>
          ) : (
            t("today.health.noBreakers")
          )}
        </Line>
        <Backup health={health} />
        <Line name={t("today.health.events")} tone={null}>
          {formatNumber(health.journalEvents)}
        </Line>
        <Line name={t("today.health.chain")} tone={health.chainVerifiedAt === null ? null : "ok"}>
          {health.chainVerifiedAt === null ? t("today.health.chainNever") : <Moment at={health.chainVerifiedAt} />}
        </Line>
      </dl>
    </Panel>
  );
}

const BACKUP_OLD_MS = 8 * 24 * 60 * 60 * 1000;

/** A backup that failed or is old is said; switched off is a choice, and said as one. */
function Backup({ health: { backupAt, backupFault, backupsOn } }: { health: TodayView["health"] }) {
  const { t } = useTranslation();
  const now = useClock((state) => state.now);
  const isOld = backupAt !== null && now - backupAt > BACKUP_OLD_MS;
  const isBad = backupFault !== null || isOld;
  return (
    <Line name={t("today.health.backup")} tone={isBad ? "bad" : backupAt === null ? null : "ok"}>
      {backupAt === null ? t(backupsOn ? "today.health.noBackup" : "today.health.backupsOff") : <Ago at={backupAt} />}
      {backupFault === null ? null : ` · ${t("today.health.backupFailed")}`}
      {isOld ? ` · ${t("today.health.backupOld")}` : null}
    </Line>
  );
}

const ICON = { ok: CircleCheck, bad: OctagonAlert, unknown: ShieldQuestion } as const;

function Line({ name, tone, children }: { name: string; tone: "ok" | "bad" | "unknown" | null; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="num">
        {tone === null ? (
          children
        ) : (
          <Mark tone={tone} icon={ICON[tone]}>
            {children}
          </Mark>
        )}
      </dd>
    </>
  );
}
