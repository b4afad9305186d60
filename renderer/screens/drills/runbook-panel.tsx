import { Button, Textarea } from "@mantine/core";
import { CircleCheck, UserRoundX } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Panel } from "../../components/Panel";
import { Mark } from "../../components/StateBadge";
import { type DrillResult, useDrills } from "../../stores/drills";

/** Whether the runbook was enough: a drill that needs its author's memory counts as failed. Said once, and kept with the play. */
export function RunbookPanel({ result: { run, runbook } }: { result: DrillResult }) {
  const { t } = useTranslation();
  return (
    <Panel title={t("drills.runbook.title")}>
      {runbook === null ? <Question run={run} /> : <Answer runbook={runbook} />}
    </Panel>
  );
}

function Answer({ runbook: { alone, note } }: { runbook: NonNullable<DrillResult["runbook"]> }) {
  const { t } = useTranslation();
  return (
    <div className="stack tight" role="status">
      <Mark tone={alone ? "ok" : "bad"} icon={alone ? CircleCheck : UserRoundX}>
        {t(alone ? "drills.runbook.wasAlone" : "drills.runbook.wasNot")}
      </Mark>
      {note === "" ? null : <p className="wrap">{note}</p>}
    </div>
  );
}

function Question({ run }: { run: string }) {
  const { t } = useTranslation();
  const judge = useDrills((state) => state.judge);
  const [note, setNote] = useState("");
  const said = note.trim();
  return (
    <div className="stack">
      <p>{t("drills.runbook.question")}</p>
      <Textarea
        label={t("drills.runbook.note")}
        description={t("drills.runbook.noteHint")}
        autosize
        maxLength={500}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <div className="row">
        <Button onClick={() => void judge({ run, alone: true, note: said })}>{t("drills.runbook.yes")}</Button>
        <Button disabled={said === ""} onClick={() => void judge({ run, alone: false, note: said })}>
          {t("drills.runbook.no")}
        </Button>
      </div>
    </div>
  );
}
