import { Button, Switch } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Panel } from "../../components/Panel";
import { formatZoned } from "../../format";
import { type ClockInfo, useClock } from "../../stores/clock";
import { useSandbox } from "../../stores/sandbox";
import { nextMonday } from "../../zoned-time";

const STEPS = [
  { word: "advance10m", ms: 600_000 },
  { word: "advance1h", ms: 3_600_000 },
] as const;

/** Read when the button is pressed: what was drawn may be seconds old. */
const clockNow = () => useClock.getState().now;

/** The sandbox's clock: it may be moved forward, or skip every wait by itself. */
export function ClockPanel({ clock }: { clock: ClockInfo }) {
  const { t } = useTranslation();
  const now = useClock((state) => state.now);
  const busy = useSandbox((state) => state.busy);
  const setClock = useSandbox((state) => state.setClock);
  return (
    <Panel title={t("sandbox.clock.title")}>
      <div className="stack">
        <p className="num">{formatZoned(now, clock.zone)}</p>
        <Switch
          label={t("sandbox.clock.skip")}
          checked={clock.skipsWaiting}
          disabled={busy}
          onChange={(event) => void setClock({ skipsWaiting: event.currentTarget.checked })}
        />
        <div className="row tight">
          {STEPS.map((step) => (
            <Button key={step.word} disabled={busy} onClick={() => void setClock({ advanceMs: step.ms })}>
              {t(`sandbox.clock.${step.word}`)}
            </Button>
          ))}
          <Button
            disabled={busy}
            onClick={() => void setClock({ advanceMs: nextMonday(clockNow(), clock.zone) - clockNow() })}
          >
            {t("sandbox.clock.nextMonday")}
          </Button>
        </div>
        <p className="muted small">{t("sandbox.clock.note")}</p>
      </div>
    </Panel>
  );
}
