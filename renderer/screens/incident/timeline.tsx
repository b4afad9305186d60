import { Button, Textarea } from "@mantine/core";
import { Pin, PinOff } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Moment } from "../../components/Moments";
import { Empty, Panel } from "../../components/Panel";
import { useCommands } from "../../stores/commands";
import type { IncidentView } from "../../stores/incidents";
import { actorWord, wordFor } from "../../words";
import { useSaidIn } from "./said-in";

type Entry = IncidentView["timeline"][number];

/** What happened, from the events alone, the newest last; a person pins what matters and writes notes between. */
export function TimelineOf({ incident }: { incident: IncidentView }) {
  const { t } = useTranslation();
  const pinned = incident.timeline.filter(({ isPinned }) => isPinned);
  return (
    <Panel title={t("incident.timeline.title")}>
      <div className="stack">
        {incident.closedAt === null ? <AddNote incident={incident} /> : null}
        {pinned.length === 0 ? null : (
          <Entries incident={incident} entries={pinned} title={t("incident.timeline.pinned")} />
        )}
        {incident.timeline.length === 0 ? <Empty>{t("incident.timeline.empty")}</Empty> : null}
        <Entries incident={incident} entries={incident.timeline} title={t("incident.timeline.all")} />
      </div>
    </Panel>
  );
}

function Entries({ incident, entries, title }: { incident: IncidentView; entries: readonly Entry[]; title: string }) {
  return (
    <section className="stack tight">
      <h3>{title}</h3>
      <ol className="incident-timeline" aria-label={title}>
        {entries.map((entry) => (
          <Line key={entry.seq} incident={incident} entry={entry} />
        ))}
      </ol>
    </section>
  );
}

function Line({ incident, entry }: { incident: IncidentView; entry: Entry }) {
  const said = useSaidIn();
  const step = incident.runbook.steps.find(({ id }) => id === entry.step);
  return (
    <li>
      <span className="muted small">
        <Moment at={entry.at} shape="time" />
      </span>
      <span className="stack tight">
        <span className="row tight">
          <b>{wordFor("event", entry.type)}</b>
          <span className="muted small">{actorWord(entry.actor)}</span>
        </span>
        {step === undefined ? null : <span className="small wrap muted">{said(step.words)}</span>}
        {entry.text === null ? null : <span className="wrap">{entry.text}</span>}
      </span>
      {incident.closedAt === null ? <PinButton incident={incident} entry={entry} /> : null}
    </li>
  );
}

function PinButton({ incident, entry }: { incident: IncidentView; entry: Entry }) {
  const { t } = useTranslation();
  const send = useCommands((state) => state.send);
  const { id: incidentId, taskId } = incident;
  const { seq, isPinned } = entry;
  const label = t(isPinned ? "incident.timeline.unpin" : "incident.timeline.pin", {
    event: wordFor("event", entry.type),
  });
  const Icon = isPinned ? PinOff : Pin;
  return (
    <button
      type="button"
      className="tool"
      aria-label={label}
      title={label}
      aria-pressed={isPinned}
      onClick={() =>
        void send("incident.pin", { incidentId, taskId, seq, isPinned: !isPinned }, t("incident.timeline.label"))
      }
    >
      <Icon size={13} aria-hidden />
    </button>
  );
}

function AddNote({ incident }: { incident: IncidentView }) {
  const { t } = useTranslation();
  const [note, setNote] = useState("");
  const busy = useCommands((state) => state.busy["incident.note"] === true);
  const send = useCommands((state) => state.send);
  const add = async () => {
    const { id: incidentId, taskId } = incident;
    if (await send("incident.note", { incidentId, taskId, note }, t("incident.timeline.note"))) setNote("");
  };
  return (
    <div className="stack tight">
      <Textarea
        autosize
        minRows={1}
        label={t("incident.timeline.note")}
        description={t("incident.timeline.noteHint")}
        value={note}
        maxLength={2000}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <Button className="start" loading={busy} disabled={note.trim() === ""} onClick={() => void add()}>
        {t("incident.timeline.addNote")}
      </Button>
    </div>
  );
}
