import { useTranslation } from "react-i18next";
import { AnswerGate } from "../components/AnswerGate";
import { ScreenHeading } from "../components/ScreenHeading";
import { useEvidence } from "../stores/evidence";
import { ChainPanel } from "./audit/chain-panel";
import { KeyPanel } from "./audit/key-panel";
import { MadePanel } from "./audit/made-panel";
import { OpenPanel } from "./audit/open-panel";
import { PeriodPanel } from "./audit/period-panel";
import { TimestampPanel } from "./audit/timestamp-panel";

/** What the promises of this app can be held to: both chains, the key that signs, and the bundles that were handed out. */
export function Audit() {
  const { t } = useTranslation();
  const answer = useEvidence((state) => state.answer);
  return (
    <>
      <header className="head">
        <div className="row">
          <ScreenHeading>{t("audit.title")}</ScreenHeading>
          <span className="muted">{t("audit.lead")}</span>
        </div>
      </header>
      <AnswerGate answer={answer} empty={t("audit.empty")}>
        {(evidence) => (
          <>
            <div className="audit-grid">
              {evidence.check ? <ChainPanel check={evidence.check} /> : null}
              {evidence.signer ? <KeyPanel signer={evidence.signer} evidence={evidence} /> : null}
            </div>
            {evidence.signer ? <PeriodPanel /> : null}
            <TimestampPanel url={evidence.timestampUrl} />
            <MadePanel made={evidence.made} />
            <OpenPanel evidence={evidence} />
          </>
        )}
      </AnswerGate>
    </>
  );
}
