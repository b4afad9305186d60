import { Button } from "@mantine/core";
import { BookOpenCheck, FlaskConical, Globe } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { LedgerNotice } from "../components/LedgerNotice";
import { ProblemNotice } from "../components/Notices";
import { ScreenHeading } from "../components/ScreenHeading";
import { LookTools } from "../components/TopBar";
import { useApp } from "../stores/app";
import { useEvidence } from "../stores/evidence";
import { OpenPanel } from "./audit/open-panel";

/** The first start: the sandbox works at once; what is not built yet is said to be so. */
export function FirstRun() {
  const { t } = useTranslation();
  const busy = useApp((state) => state.busy);
  const problem = useApp((state) => state.problem);
  const openSandbox = useApp((state) => state.openSandbox);
  return (
    <main className="plain-page">
      <div className="row spread">
        <p className="brand">{t("appName")}</p>
        <span className="row tight">
          <LookTools />
        </span>
      </div>
      <ScreenHeading>{t("setup.title")}</ScreenHeading>
      <p className="muted lead">{t("setup.lead")}</p>
      {problem ? <ProblemNotice problem={problem} again={() => void openSandbox()} /> : null}
      <div className="choices">
        <section className="panel choice" aria-labelledby="sandbox-choice">
          <h2 id="sandbox-choice">
            <FlaskConical size={18} aria-hidden /> {t("setup.sandbox.title")}
          </h2>
          <p>
            <b>{t("setup.sandbox.lead")}</b>
          </p>
          <ul className="points">
            {(["sources", "customers", "remotes", "clock"] as const).map((point) => (
              <li key={point}>{t(`setup.sandbox.points.${point}`)}</li>
            ))}
          </ul>
          <Button variant="filled" size="sm" loading={busy === "opening"} onClick={() => void openSandbox()}>
            {t("setup.sandbox.open")}
          </Button>
        </section>
        <LedgerChoice />
        <section className="panel choice quiet" aria-labelledby="real-choice">
          <h2 id="real-choice">
            <Globe size={18} aria-hidden /> {t("setup.real.title")}
          </h2>
          <p>
            <b>{t("setup.real.lead")}</b>
          </p>
          <p className="muted">{t("setup.real.body")}</p>
        </section>
      </div>
      <BundleChoice />
    </main>
  );
}

/** Somebody who was handed a bundle needs no workspace to read it. */
function BundleChoice() {
  const evidence = useEvidence((state) => state.answer.value);
  const load = useEvidence((state) => state.load);
  useEffect(() => void load(), [load]);
  return evidence === null ? null : (
    <div className="stack wide">
      <OpenPanel evidence={evidence} />
    </div>
  );
}

/** Thirty editions that somebody may look through before making one. */
function LedgerChoice() {
  const { t } = useTranslation();
  const busy = useApp((state) => state.busy);
  const state = useApp(({ boot }) => boot?.ledger.state ?? "absent");
  const openLedger = useApp((app) => app.openLedger);
  return (
    <section className="panel choice" aria-labelledby="ledger-choice">
      <h2 id="ledger-choice">
        <BookOpenCheck size={18} aria-hidden /> {t("setup.ledger.title")}
      </h2>
      <p>
        <b>{t("setup.ledger.lead")}</b>
      </p>
      <p className="muted">{t("setup.ledger.body")}</p>
      <LedgerNotice />
      {state === "building" ? null : (
        <Button size="sm" loading={busy === "opening"} onClick={() => void openLedger()}>
          {t("setup.ledger.open")}
        </Button>
      )}
    </section>
  );
}
