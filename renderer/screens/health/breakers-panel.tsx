import { CircleCheck, OctagonAlert, ShieldQuestion } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Countdown } from "../../components/Moments";
import { Panel } from "../../components/Panel";
import { Mark } from "../../components/StateBadge";
import type { HealthView } from "../../stores/health";

type Breaker = HealthView["breakers"][number];

const LOOK = {
  closed: { tone: "ok", icon: CircleCheck },
  open: { tone: "bad", icon: OctagonAlert },
  half_open: { tone: "warn", icon: ShieldQuestion },
} as const;

/** Hosts that failed lately: what is not asked for a while, and until when. */
export function BreakersPanel({ breakers }: { breakers: readonly Breaker[] }) {
  const { t } = useTranslation();
  return (
    <Panel title={t("health.breakers.title")}>
      {breakers.length === 0 ? <p className="muted">{t("health.breakers.none")}</p> : null}
      <ul className="stack tight">
        {breakers.map((breaker) => (
          <Host key={breaker.host} breaker={breaker} />
        ))}
      </ul>
    </Panel>
  );
}

function Host({ breaker: { host, state, failures, retryAt } }: { breaker: Breaker }) {
  const { t } = useTranslation();
  return (
    <li className="row">
      <Mark {...LOOK[state]}>{t(`health.breakers.${state}`)}</Mark>
      <span className="mono wrap">{host}</span>
      {failures === 0 ? null : (
        <span className="small muted num">{t("health.breakers.failures", { count: failures })}</span>
      )}
      {state === "open" && retryAt !== null ? <Countdown until={retryAt} quiet /> : null}
      {state === "half_open" ? <span className="small muted">{t("health.breakers.tries")}</span> : null}
    </li>
  );
}
