import { Button } from "@mantine/core";
import { CircleCheck, OctagonAlert, ScanSearch, ShieldQuestion } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Moment } from "../../components/Moments";
import { ProblemNotice } from "../../components/Notices";
import { Panel } from "../../components/Panel";
import { Mark } from "../../components/StateBadge";
import { type ReconciliationView, useReconciliation } from "../../stores/reconciliation";

/** What went out, held against website and mail provider: each morning by itself, and whenever a person wants it. */
export function Reconciliation() {
  const { t } = useTranslation();
  const { value, problem } = useReconciliation((state) => state.answer);
  const isAsked = useReconciliation((state) => state.isAsked);
  const start = useReconciliation((state) => state.start);
  const running = value?.running ?? null;
  const isBusy = isAsked || running !== null;
  return (
    <Panel title={t("today.reconciliation.title")}>
      {problem ? <ProblemNotice problem={problem} again={() => void start()} /> : null}
      {/* One element all along, so that what it comes to is said aloud. */}
      <div role="status" aria-live="polite" className="stack">
        {isBusy ? <p>{t("today.reconciliation.busy", { done: running?.done ?? 0, all: running?.of ?? "…" })}</p> : null}
        {!isBusy && value !== null ? <LastRound last={value.last} /> : null}
      </div>
      <p className="muted">{t("today.reconciliation.what")}</p>
      <Button leftSection={<ScanSearch size={14} aria-hidden />} loading={isBusy} onClick={() => void start()}>
        {t("today.reconciliation.button")}
      </Button>
    </Panel>
  );
}

function LastRound({ last }: { last: ReconciliationView["last"] }) {
  const { t } = useTranslation();
  if (last === null) return <p>{t("today.reconciliation.never")}</p>;
  const { checked, differences, unreachable, brokenPromises } = last;
  const isSilent = last.putOff > 0;
  const isBad = differences > 0 || (brokenPromises ?? 0) > 0;
  const tone = isBad ? "bad" : isSilent ? "unknown" : "ok";
  return (
    <>
      <p>
        <Mark tone={tone} icon={{ bad: OctagonAlert, unknown: ShieldQuestion, ok: CircleCheck }[tone]}>
          {t("today.reconciliation.result", { count: checked, differences })}
        </Mark>{" "}
        <Moment at={last.at} />
      </p>
      {differences > 0 ? <p>{t("today.reconciliation.found")}</p> : null}
      {isSilent ? (
        <p>
          {unreachable.length > 0
            ? t("today.reconciliation.silent", { hosts: unreachable.join(" · ") })
            : t("today.reconciliation.cutOff")}
        </p>
      ) : null}
      {brokenPromises !== null && brokenPromises > 0 ? (
        <p>{t("today.reconciliation.broken", { count: brokenPromises })}</p>
      ) : null}
    </>
  );
}
