import { Button, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { CircleCheck, CircleDashed } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Panel } from "../../components/Panel";
import { Mark } from "../../components/StateBadge";
import { useCommands } from "../../stores/commands";
import type { IncidentView } from "../../stores/incidents";
import { wordFor } from "../../words";
import { ExportEvidence } from "../run/export-evidence";

type Piece = IncidentView["evidence"][number];
type Proofs = Readonly<Record<string, string>>;

/** The evidence inventory. The button is never dead: pressed too early, the answer names every piece that is missing. */
export function CloseBox({ incident }: { incident: IncidentView }) {
  const { t } = useTranslation();
  const [given, setGiven] = useState<Proofs>({ next_key: incident.nextTaskKey ?? "" });
  const [canonicalId, setCanonicalId] = useState("");
  const isFound = incident.rule === "duplicate_remote";
  const busy = useCommands((state) => state.busy[isFound ? "incident.close" : "incident.settle"] === true);
  const send = useCommands((state) => state.send);
  const set = (id: string) => (text: string) => setGiven((before) => ({ ...before, [id]: text }));
  const said = (id: string) => given[id] ?? "";
  const missing = incident.evidence
    .filter(({ id, by, isThere }) => (by === "person" ? said(id).trim() === "" : by === "journal" && !isThere))
    .map(({ id }) => wordFor("incident.evidence", id));
  const close = async () => {
    const { id: incidentId, taskId, stateVersion: expectedVersion } = incident;
    const reason = said("reason");
    const label = t("incident.close.label");
    if (!isFound || taskId === null || expectedVersion === null) {
      const proofs = Object.fromEntries(incident.evidence.map(({ id }) => [id, said(id)]));
      await send("incident.settle", { incidentId, taskId, proofs, reason }, label);
      return;
    }
    await send(
      "incident.close",
      {
        ...{ taskId, expectedVersion, incidentId, canonicalId: canonicalId || null, reason },
        schedulerReleased: said("scheduler_released"),
        drafterReleased: said("drafter_released"),
        nextTaskKey: said("next_key"),
        ...(incident.isMailing ? { mailedTwice: said("mailedTwice") } : {}),
      },
      label,
    );
  };
  return (
    <Panel title={t("incident.close.title")}>
      <div className="stack">
        <p className="muted small">{t("incident.close.lead")}</p>
        {isFound ? (
          <NativeSelect
            label={t("compensation.incident.canonical")}
            value={canonicalId}
            data={["", ...incident.objects.map((object) => object.remoteId)]}
            onChange={(event) => setCanonicalId(event.currentTarget.value)}
          />
        ) : null}
        <ul className="stack">
          {incident.evidence.map((piece) => (
            <li key={piece.id}>
              <PieceLine piece={piece} value={said(piece.id)} set={set(piece.id)} />
            </li>
          ))}
        </ul>
        {isFound && incident.isMailing ? (
          <Field label={t("incident.close.mailedTwice")} value={said("mailedTwice")} set={set("mailedTwice")} />
        ) : null}
        <Textarea
          label={t("incident.close.reason")}
          description={t("dialog.reasonHint")}
          value={said("reason")}
          maxLength={2000}
          onChange={(event) => set("reason")(event.currentTarget.value)}
        />
        <p className="small" role="status">
          {missing.length === 0
            ? t("incident.close.nothing")
            : t("incident.close.still", { what: missing.join(" · ") })}
        </p>
        <div className="row">
          <Button variant="filled" loading={busy} onClick={() => void close()}>
            {t("incident.close.button")}
          </Button>
          {incident.taskId === null ? null : (
            <ExportEvidence
              subject={{ incidentId: incident.id, taskId: incident.taskId }}
              words={t("audit.export.openIncident")}
              title={t("audit.export.titleIncident", { edition: incident.edition ?? "" })}
            />
          )}
        </div>
      </div>
    </Panel>
  );
}

/** What the journal or a look judges is shown; what only a person can show is asked for. */
function PieceLine({ piece, value, set }: { piece: Piece; value: string; set: (text: string) => void }) {
  const { t } = useTranslation();
  const name = wordFor("incident.evidence", piece.id);
  if (piece.by === "person") return <Field label={name} value={value} set={set} />;
  return (
    <span className="row tight">
      <Mark tone={piece.isThere ? "ok" : "neutral"} icon={piece.isThere ? CircleCheck : CircleDashed}>
        {name}
      </Mark>
      <span className="muted small">
        {piece.by === "look" ? t("incident.close.byLook") : t("incident.close.byJournal")}
      </span>
    </span>
  );
}

function Field({ label, value, set }: { label: string; value: string; set: (text: string) => void }) {
  return (
    <TextInput label={label} value={value} maxLength={2000} onChange={(event) => set(event.currentTarget.value)} />
  );
}
