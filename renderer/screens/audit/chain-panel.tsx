import { Button } from "@mantine/core";
import { CircleCheck, OctagonAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { HashChip } from "../../components/HashChip";
import { Ago, Moment } from "../../components/Moments";
import { Panel } from "../../components/Panel";
import { formatNumber } from "../../format";
import { type EvidenceView, useEvidence } from "../../stores/evidence";

type Check = NonNullable<EvidenceView["check"]>;

/** The journal's chain and each edition's own, verified: now, how far, and what the last time found. */
export function ChainPanel({ check }: { check: Check }) {
  const { t } = useTranslation();
  const tell = useEvidence((state) => state.tell);
  const { running, last } = check;
  return (
    <Panel
      title={t("audit.chain.title")}
      actions={
        <Button size="compact-sm" disabled={running !== null} onClick={() => void tell("evidence.check")}>
          {t("audit.chain.check")}
        </Button>
      }
    >
      <div className="stack">
        <p className="muted">{t("audit.chain.when")}</p>
        {running ? <Progress running={running} /> : null}
        {last === null ? running ? null : <p>{t("audit.chain.never")}</p> : <Last last={last} />}
      </div>
    </Panel>
  );
}

function Progress({ running: { done, of } }: { running: NonNullable<Check["running"]> }) {
  const { t } = useTranslation();
  const words =
    of === 0
      ? t("audit.chain.beginning")
      : t("audit.chain.progress", { done: formatNumber(done), of: formatNumber(of) });
  return (
    <div className="stack tight">
      <p className="num" role="status">
        {words}
      </p>
      <progress max={of === 0 ? 1 : of} value={of === 0 ? undefined : done} aria-label={t("audit.chain.label")} />
    </div>
  );
}

function Last({ last }: { last: NonNullable<Check["last"]> }) {
  const { t } = useTranslation();
  const Icon = last.ok ? CircleCheck : OctagonAlert;
  return (
    <>
      <p className={`mark tone-${last.ok ? "ok" : "bad"}`} role="status">
        <Icon size={15} aria-hidden />
        {last.ok ? t("audit.chain.whole") : t("audit.chain.broken")}
      </p>
      <dl className="facts-of">
        {last.ok ? null : (
          <>
            <dt>{t("audit.chain.detail")}</dt>
            <dd>{last.detail}</dd>
          </>
        )}
        <dt>{t("audit.chain.at")}</dt>
        <dd>
          <Moment at={last.at} /> (<Ago at={last.at} />)
        </dd>
        <dt>{t("audit.chain.events")}</dt>
        <dd className="num">{formatNumber(last.events)}</dd>
        {last.head === "" ? null : (
          <>
            <dt>{t("audit.chain.head")}</dt>
            <dd>
              <HashChip hash={last.head} of="event" bare />
            </dd>
          </>
        )}
        <dt>{t("audit.chain.violations")}</dt>
        <dd>{last.violations === 0 ? t("audit.chain.held") : t("audit.chain.violated", { count: last.violations })}</dd>
      </dl>
    </>
  );
}
