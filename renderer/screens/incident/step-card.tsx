import { Button, Textarea } from "@mantine/core";
import { CircleCheck, CircleDashed, CircleDot, CircleSlash, GitBranch, type LucideIcon, Wifi } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useCopy } from "../../components/copy-text";
import { shortenHashes } from "../../components/HashChip";
import { Countdown, Moment } from "../../components/Moments";
import { Mark } from "../../components/StateBadge";
import type { Tone } from "../../components/state-look";
import { formatDuration } from "../../format";
import { useCommands } from "../../stores/commands";
import type { IncidentView, StepView } from "../../stores/incidents";
import { actorWord, wordFor } from "../../words";
import { useSaidIn } from "./said-in";

interface Props {
  incident: IncidentView;
  step: StepView;
  number: number;
  isFirstOfPhase: boolean;
  isShown: boolean;
  onShow: () => void;
  onPassed: () => void;
}

const LOOKS: Readonly<Record<"done" | "skipped" | "branch", readonly [Tone, LucideIcon]>> = {
  done: ["ok", CircleCheck],
  skipped: ["warn", CircleSlash],
  branch: ["ok", GitBranch],
};

/** One step: what exactly to do, by whom, within what time, and what became of it. The one in turn is open. */
export function StepCard({ incident, step, number, isFirstOfPhase, isShown, onShow, onPassed }: Props) {
  const { t } = useTranslation();
  const said = useSaidIn();
  const isNext = step.id === incident.runbook.next && incident.closedAt === null;
  const who = wordFor("incident.runbook.who", step.who);
  return (
    <li className={`incident-step tone-${isNext ? "warn" : "neutral"}`} aria-current={isNext ? "step" : undefined}>
      {isFirstOfPhase ? <h3 className="sub">{wordFor("incident.runbook.phase", step.phase)}</h3> : null}
      <button type="button" data-row className="rowbutton" aria-expanded={isShown} onClick={onShow}>
        <span className="num muted">{number}</span>
        <span className="grow stack tight">
          <span className="wrap">{shortenHashes(said(step.words))}</span>
          <span className="row tight small muted">
            {t("incident.runbook.within", { who, minutes: step.withinMinutes })}
            {step.needsNetwork ? <Wifi size={13} aria-label={t("incident.runbook.network")} /> : null}
          </span>
        </span>
        <Standing step={step} isNext={isNext} />
      </button>
      {isShown ? <Inside incident={incident} step={step} onPassed={onPassed} /> : null}
    </li>
  );
}

function Standing({ step, isNext }: { step: StepView; isNext: boolean }) {
  const { t } = useTranslation();
  const { passed } = step;
  if (passed === null) {
    return isNext ? (
      <span className="stack tight">
        <Mark tone="warn" icon={CircleDot}>
          {t("incident.runbook.now")}
        </Mark>
        {step.dueAt === null ? null : <Countdown until={step.dueAt} />}
      </span>
    ) : (
      <Mark tone="neutral" icon={CircleDashed}>
        {t("incident.runbook.leftOut")}
      </Mark>
    );
  }
  const [tone, icon] = LOOKS[passed.how];
  return (
    <Mark tone={tone} icon={icon}>
      {passed.how === "skipped"
        ? t("incident.runbook.skipped")
        : t("incident.runbook.done", { duration: formatDuration(step.tookMs ?? 0) })}
    </Mark>
  );
}

function Inside({ incident, step, onPassed }: { incident: IncidentView; step: StepView; onPassed: () => void }) {
  const { t } = useTranslation();
  const said = useSaidIn();
  const { passed } = step;
  const branch = step.branches.find(({ id }) => id === passed?.branch);
  return (
    <div className="stack incident-inside">
      <CopyInstruction text={said(step.words)} />
      {step.needsNetwork ? <p className="small muted">{t("incident.runbook.network")}</p> : null}
      {passed === null ? null : (
        <p className="small">
          {actorWord(passed.by)} <Moment at={passed.at} />
          {branch === undefined ? null : <span> · {t("incident.runbook.branch", { branch: said(branch.words) })}</span>}
          {passed.note === null ? null : <span className="wrap"> · {passed.note}</span>}
        </p>
      )}
      {incident.closedAt === null ? <Pass incident={incident} step={step} onPassed={onPassed} /> : null}
    </div>
  );
}

function CopyInstruction({ text }: { text: string }) {
  const { t } = useTranslation();
  const { said, copy } = useCopy();
  return (
    <Button size="compact-xs" className="start" onClick={() => copy(text)}>
      {said === "copied" ? t("copy.done") : said === "failed" ? t("copy.failed") : t("incident.runbook.copy")}
    </Button>
  );
}

/** Done, a branch, or skipped with a reason: each is an event with who and when. */
function Pass({ incident, step, onPassed }: { incident: IncidentView; step: StepView; onPassed: () => void }) {
  const { t } = useTranslation();
  const said = useSaidIn();
  const [note, setNote] = useState("");
  const busy = useCommands((state) => state.busy["incident.passStep"] === true);
  const send = useCommands((state) => state.send);
  const pass = async (how: "done" | "skipped" | "branch", branch: string | null) => {
    const { id: incidentId, taskId, runbook } = incident;
    const input = { incidentId, taskId, runbookVersion: runbook.version, step: step.id, how, branch, note };
    if (!(await send("incident.passStep", input, t("incident.runbook.passed")))) return;
    setNote("");
    onPassed();
  };
  return (
    <>
      <Textarea
        autosize
        minRows={1}
        label={t("incident.runbook.note")}
        description={t("incident.runbook.noteHint")}
        value={note}
        maxLength={2000}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <div className="row">
        {step.branches.length === 0 ? (
          <Button variant="filled" loading={busy} onClick={() => void pass("done", null)}>
            {t("incident.runbook.doDone")}
          </Button>
        ) : null}
        {step.branches.map((branch) => (
          <Button key={branch.id} loading={busy} onClick={() => void pass("branch", branch.id)}>
            {t("incident.runbook.doBranch", { branch: said(branch.words) })}
          </Button>
        ))}
        <Button
          loading={busy}
          disabled={note.trim() === ""}
          title={t("incident.runbook.skipNeeds")}
          onClick={() => void pass("skipped", null)}
        >
          {t("incident.runbook.doSkip")}
        </Button>
      </div>
    </>
  );
}
