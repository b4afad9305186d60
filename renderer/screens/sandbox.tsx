import { useTranslation } from "react-i18next";
import { AnswerGate } from "../components/AnswerGate";
import { CopyLine } from "../components/HashChip";
import { ScreenHeading } from "../components/ScreenHeading";
import { useSandbox } from "../stores/sandbox";
import { ActiveFaults } from "./sandbox/active-faults";
import { Behaviour } from "./sandbox/behaviour";
import { ClockPanel } from "./sandbox/clock-panel";
import { FaultSwitches } from "./sandbox/fault-switches";
import { Records } from "./sandbox/records";

/** The sandbox's own panel: faults in plain words, a clock that can be moved, and what the remotes themselves counted. */
export function Sandbox() {
  const { t } = useTranslation();
  const answer = useSandbox((state) => state.answer);
  return (
    <>
      <header className="head">
        <div className="row">
          <ScreenHeading>{t("sandbox.title")}</ScreenHeading>
          <span className="muted">{t("sandbox.lead")}</span>
        </div>
        {answer.value ? <CopyLine value={answer.value.url} what={t("sandbox.address")} /> : null}
      </header>
      <AnswerGate answer={answer} empty={t("setup.notHere")}>
        {(panel) => (
          <div className="sandbox-grid">
            <div className="stack wide">
              <FaultSwitches />
            </div>
            <div className="stack wide">
              <ActiveFaults faults={panel.faults} />
              <Records records={panel.records} />
              <div className="pair-grid">
                <ClockPanel clock={panel.clock} />
                <Behaviour staleProbes={panel.staleProbes} bounces={panel.bounces} />
              </div>
            </div>
          </div>
        )}
      </AnswerGate>
    </>
  );
}
