import { Button, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { Siren } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Ago, Moment } from "../../components/Moments";
import { useCommands } from "../../stores/commands";
import type { RunView } from "../../stores/run";
import { wordFor } from "../../words";
import { ExportEvidence } from "./export-evidence";

type Incident = RunView["incidents"][number];

/** An open incident: what is affected, since when, what is being done, and its end with everything that has to be shown for it. */
export function IncidentBox({ run, incident }: { run: RunView; incident: Incident }) {
  const { t } = useTranslation();
  const title = `incident-${incident.id}`;
  return (
    <section className="panel attention tone-bad" aria-labelledby={title}>
      <header>
        <h2 id={title} className="row tight">
          <Siren size={16} aria-hidden />
          {t("compensation.incident.title", { rule: wordFor("compensation.incident.rule", incident.rule) })}
        </h2>
      </header>
      <div className="body two-sides">
        <dl className="facts-of">
          <dt>{t("compensation.incident.affected")}</dt>
          <dd className="mono">{incident.scopeValue}</dd>
          <dt>{t("compensation.incident.since")}</dt>
          <dd>
            <Moment at={incident.openedAt} /> <Ago at={incident.openedAt} />
          </dd>
          <dt>{t("compensation.incident.doing")}</dt>
          <dd>{t("compensation.incident.frozen")}</dd>
        </dl>
        <div className="stack">
          <section className="stack tight">
            <h3>{t("compensation.incident.objects")}</h3>
            <ul className="stack tight">
              {incident.objects.map((object) => (
                <li key={object.remoteId}>
                  <b className="num">{t("run.unknown.object", { id: object.remoteId })}</b>{" "}
                  <span className="muted small">{t("run.unknown.remoteState", { state: object.state })}</span>
                  {object.url === null ? null : <p className="mono small wrap">{object.url}</p>}
                </li>
              ))}
            </ul>
          </section>
          <div className="row">
            <CloseIncident run={run} incident={incident} />
            <ExportEvidence
              subject={{ incidentId: incident.id, taskId: run.taskId }}
              words={t("audit.export.openIncident")}
              title={t("audit.export.titleIncident", { edition: run.edition })}
            />
          </div>
        </div>
      </div>
    </section>
  );
}

const BLANK = { schedulerReleased: "", drafterReleased: "", reason: "" };

/** Closing is never a dead button: the answer names what is missing, and what was filled in is there the next time. */
function CloseIncident({ run, incident }: { run: RunView; incident: Incident }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const [fields, setFields] = useState(BLANK);
  const [canonicalId, setCanonicalId] = useState("");
  const [nextTaskKey, setNextTaskKey] = useState(incident.nextTaskKey);
  const busy = useCommands((state) => state.busy["incident.close"] === true);
  const send = useCommands((state) => state.send);
  const set = (change: Partial<typeof BLANK>) => setFields({ ...fields, ...change });
  const close = async () => {
    const { taskId, stateVersion: expectedVersion } = run;
    await send(
      "incident.close",
      { taskId, expectedVersion, incidentId: incident.id, canonicalId: canonicalId || null, nextTaskKey, ...fields },
      t("compensation.incident.label"),
    );
    setOpened(false);
  };
  const text = (label: string, name: "schedulerReleased" | "drafterReleased") => (
    <TextInput
      label={label}
      value={fields[name]}
      maxLength={2000}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  );
  return (
    <div>
      <Button onClick={() => setOpened(true)}>{t("compensation.incident.close")}</Button>
      <ConfirmDialog
        opened={opened}
        title={t("compensation.incident.closeTitle")}
        confirmLabel={t("compensation.incident.confirm")}
        busy={busy}
        onCancel={() => setOpened(false)}
        onConfirm={() => void close()}
      >
        <p>{t("compensation.incident.closeBody")}</p>
        <NativeSelect
          label={t("compensation.incident.canonical")}
          value={canonicalId}
          data={["", ...incident.objects.map((object) => object.remoteId)]}
          onChange={(event) => setCanonicalId(event.currentTarget.value)}
        />
        {text(t("compensation.incident.scheduler"), "schedulerReleased")}
        {text(t("compensation.incident.drafter"), "drafterReleased")}
        <TextInput
          label={t("compensation.incident.nextKey")}
          value={nextTaskKey}
          maxLength={200}
          classNames={{ input: "mono" }}
          onChange={(event) => setNextTaskKey(event.currentTarget.value)}
        />
        <Textarea
          label={t("compensation.incident.reason")}
          description={t("dialog.reasonHint")}
          value={fields.reason}
          maxLength={2000}
          onChange={(event) => set({ reason: event.currentTarget.value })}
        />
      </ConfirmDialog>
    </div>
  );
}
