import { Button, Checkbox, Radio } from "@mantine/core";
import { Package } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../components/Dialog";
import { ProblemNotice } from "../../components/Notices";
import { type EvidenceView, isBundleOf, isSameSubject, type Subject, useEvidence } from "../../stores/evidence";
import { ExportOutcome, ExportWork } from "./export-outcome";
import { ExportPlan } from "./export-plan";

interface Exported {
  subject: Subject;
  /** The button's words, which say what of. */
  words: string;
  title: string;
  /** Asked at the click; false: there is something to be put right first. */
  mayOpen?: () => boolean;
}

/** Opens an export of evidence: first what it would hold, then where to, then what came of it. */
export function ExportEvidence({ subject, words, title, mayOpen = () => true }: Exported) {
  const exporting = useEvidence((state) => state.exporting);
  const prepareExport = useEvidence((state) => state.prepareExport);
  const leaveExport = useEvidence((state) => state.leaveExport);
  const evidence = useEvidence((state) => state.answer.value);
  const isOpen = exporting !== null && isSameSubject(exporting.subject, subject);
  return (
    <>
      <Button
        size="compact-xs"
        leftSection={<Package size={12} aria-hidden />}
        onClick={() => mayOpen() && void prepareExport(subject, true)}
      >
        {words}
      </Button>
      <Dialog opened={isOpen} onClose={leaveExport} title={title} high>
        {isOpen && evidence ? <Content evidence={evidence} exporting={exporting} subject={subject} /> : null}
      </Dialog>
    </>
  );
}

interface Shown {
  evidence: EvidenceView;
  exporting: { withBytes: boolean; stamp: boolean };
  subject: Subject;
}

function Content({ evidence, exporting, subject }: Shown) {
  const { t } = useTranslation();
  const leaveExport = useEvidence((state) => state.leaveExport);
  const { work, outcome } = evidence;
  const isDone = outcome?.kind === "exported" && isBundleOf(outcome.bundle, subject);
  return (
    <div className="stack wide">
      {work?.kind === "export" ? (
        <ExportWork work={work} />
      ) : isDone ? null : (
        <Choices evidence={evidence} exporting={exporting} subject={subject} />
      )}
      {outcome ? <ExportOutcome outcome={outcome} /> : null}
      <div className="row" style={{ justifyContent: "flex-end" }}>
        <Button data-autofocus onClick={leaveExport}>
          {t("audit.export.leave")}
        </Button>
        {work?.kind === "export" || isDone ? null : <StartButton />}
      </div>
    </div>
  );
}

function StartButton() {
  const { t } = useTranslation();
  const startExport = useEvidence((state) => state.startExport);
  const isAsking = useEvidence((state) => state.isAsking);
  const isPlanned = useEvidence((state) => state.plan.value?.result === "planned");
  return (
    <Button variant="filled" loading={isAsking} disabled={!isPlanned} onClick={() => void startExport()}>
      {t("audit.export.choose")}
    </Button>
  );
}

function Choices({ evidence: { signer, timestampUrl }, exporting: { withBytes, stamp }, subject }: Shown) {
  const { t } = useTranslation();
  const prepareExport = useEvidence((state) => state.prepareExport);
  const setStamp = useEvidence((state) => state.setStamp);
  const refusal = useEvidence((state) => state.refusal);
  const problem = useEvidence((state) => state.problem ?? state.plan.problem);
  const choose = (value: string) => void prepareExport(subject, value === "whole");
  return (
    <>
      <Radio.Group label={t("audit.export.choice")} value={withBytes ? "whole" : "records"} onChange={choose}>
        <div className="stack tight">
          <Radio value="whole" label={t("audit.export.whole")} description={t("audit.export.wholeHint")} />
          <Radio value="records" label={t("audit.export.records")} description={t("audit.export.recordsHint")} />
        </div>
      </Radio.Group>
      <ExportPlan />
      <dl className="facts-of">
        <dt>{t("audit.export.signedWith")}</dt>
        <dd>{t(`audit.export.key.${signer?.where ?? "workspace_file"}`)}</dd>
      </dl>
      <Checkbox
        label={t("audit.export.stamp")}
        description={
          timestampUrl === null ? t("audit.export.noServer") : t("audit.export.stampHint", { url: timestampUrl })
        }
        checked={stamp && timestampUrl !== null}
        disabled={timestampUrl === null}
        onChange={(event) => setStamp(event.currentTarget.checked)}
      />
      {problem ? <ProblemNotice problem={problem} again={() => choose(withBytes ? "whole" : "records")} /> : null}
      {refusal ? <p role={refusal === "nothing_chosen" ? "status" : "alert"}>{t(`audit.refused.${refusal}`)}</p> : null}
    </>
  );
}
