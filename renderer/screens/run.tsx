import { Button } from "@mantine/core";
import { Pause, Play } from "lucide-react";
import { useTranslation } from "react-i18next";
import { AnswerGate } from "../components/AnswerGate";
import { EventList } from "../components/EventList";
import { TaskHead } from "../components/TaskHead";
import { formatMoment } from "../format";
import { useClock, useZone } from "../stores/clock";
import { refreshShown } from "../stores/refresh";
import { type RunView, useRun } from "../stores/run";
import { useEdition } from "../stores/today";
import { BlockedBox } from "./run/blocked-box";
import { ExportEvidence } from "./run/export-evidence";
import { IncidentBox } from "./run/incident-box";
import { Recoveries } from "./run/recoveries";
import { RunFacts } from "./run/run-facts";
import { SidePanel } from "./run/side-panel";
import { TimelinePanel } from "./run/timeline-panel";
import { needsEyes, UnknownPanel } from "./run/unknown-panel";

/** Everything the journal knows about one edition, and everything it does not know, said as such. */
export function Run({ taskId }: { taskId: string }) {
  const { t } = useTranslation();
  const answer = useRun((state) => state.answer);
  const value = answer.value?.taskId === taskId ? answer.value : null;
  const edition = useEdition(taskId);
  return (
    <>
      <TaskHead screen="run" taskId={taskId} edition={value?.edition ?? edition} state={value?.state ?? null}>
        {value ? <span className="muted num">{t("run.header.version", { version: value.taskVersion })}</span> : null}
        {value ? (
          <ExportEvidence
            subject={{ taskId: value.taskId }}
            words={t("audit.export.open")}
            title={t("audit.export.title", { edition: value.edition })}
          />
        ) : null}
        {value ? <PauseButton /> : null}
      </TaskHead>
      <AnswerGate answer={{ ...answer, value }} empty={t("run.empty")}>
        {(run) => <Everything run={run} />}
      </AnswerGate>
    </>
  );
}

function Everything({ run }: { run: RunView }) {
  const unclear = run.operations.filter(needsEyes);
  // Where nothing is wrong, the ways to recover stand below what is looked at every day.
  const isTrouble = run.blocked !== null || unclear.length > 0 || run.incidents.length > 0;
  return (
    <>
      <RunFacts run={run} />
      {run.incidents.map((incident) => (
        <IncidentBox key={incident.id} run={run} incident={incident} />
      ))}
      {run.blocked ? <BlockedBox run={run} blocked={run.blocked} /> : null}
      {unclear.map((operation) => (
        <UnknownPanel key={operation.id} run={run} operation={operation} />
      ))}
      {isTrouble ? <Recoveries run={run} /> : null}
      <TimelinePanel run={run} />
      <div className="run-grid">
        <EventList events={run.events} />
        <SidePanel run={run} />
      </div>
      {isTrouble ? null : <Recoveries run={run} />}
    </>
  );
}

/** Live updates can be held while something is read; the screen then says which moment it shows. */
function PauseButton() {
  const { t } = useTranslation();
  const zone = useZone();
  const pausedAt = useRun((state) => state.pausedAt);
  const set = useRun((state) => state.set);
  const resume = () => {
    set({ pausedAt: null });
    void refreshShown();
  };
  if (pausedAt === null) {
    return (
      <Button
        size="compact-xs"
        leftSection={<Pause size={12} aria-hidden />}
        onClick={() => set({ pausedAt: useClock.getState().now })}
      >
        {t("run.header.pause")}
      </Button>
    );
  }
  return (
    <span className="row tight">
      <Button size="compact-xs" leftSection={<Play size={12} aria-hidden />} onClick={resume}>
        {t("run.header.resume")}
      </Button>
      <span className="small muted" role="status">
        {t("run.header.paused", { moment: formatMoment(pausedAt, zone, "time") })}
      </span>
    </span>
  );
}
