import { Button, NativeSelect, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { shortenHashes } from "../../components/HashChip";
import { Panel } from "../../components/Panel";
import { useCommands } from "../../stores/commands";
import type { IncidentsView } from "../../stores/incidents";
import { wordFor } from "../../words";

type Place = IncidentsView["places"][number];

/** What a person may see before any rule does; two objects in one place are found by a look, which opens it by itself. */
const KINDS = [
  ...(["unknown_publish", "unknown_send", "wrong_audience", "wrong_page_live", "source_missing"] as const),
  ...(["clock_jump", "damaged_journal", "restored_backup", "duplicate_remote", "approval_bypass", "other"] as const),
] as const;
const SCOPES = ["task", "slot", "adapter", "all"] as const;
type Scope = (typeof SCOPES)[number];

/** What a scope can name at an edition. `all` is named by what is wrong. */
function valuesOf(scope: Scope, place: Place | undefined): string[] {
  if (scope === "slot") return place?.slots ?? [];
  if (scope === "adapter") return place?.adapters ?? [];
  return scope === "task" && place ? [place.taskId] : [];
}

/** A person saw something: it is frozen first and looked into afterwards. */
export function OpenByHand({ places }: { places: readonly Place[] }) {
  const { t } = useTranslation();
  const [taskId, setTaskId] = useState(places[0]?.taskId ?? "");
  const [kind, setKind] = useState<(typeof KINDS)[number]>("other");
  const [scope, setScope] = useState<Scope>("task");
  const [chosen, setChosen] = useState("");
  const [operationId, setOperationId] = useState("");
  const [reason, setReason] = useState("");
  const busy = useCommands((state) => state.busy["incident.open"] === true);
  const send = useCommands((state) => state.send);
  const place = places.find((one) => one.taskId === taskId);
  const scopes = SCOPES.filter((one) => one === "all" || valuesOf(one, place).length > 0);
  const shownScope = scopes.includes(scope) ? scope : (scopes[0] ?? "all");
  const values = valuesOf(shownScope, place);
  const scopeValue = shownScope === "all" ? kind : values.includes(chosen) ? chosen : (values[0] ?? kind);
  const open = async () => {
    const at = { taskId: place?.taskId ?? null, operationId: place && operationId !== "" ? operationId : null };
    const asked = { ...at, kind, scope: shownScope, scopeValue, reason: reason.trim() };
    if (await send("incident.open", asked, t("incident.byHand.label"))) setReason("");
  };
  return (
    <Panel title={t("incident.byHand.title")}>
      <div className="stack">
        <p className="muted">{t("incident.byHand.lead")}</p>
        <NativeSelect
          label={t("incident.byHand.edition")}
          value={taskId}
          data={[
            ...places.map((one) => ({ value: one.taskId, label: one.edition })),
            { value: "", label: t("incident.byHand.noEdition") },
          ]}
          onChange={(event) => setTaskId(event.currentTarget.value)}
        />
        <NativeSelect
          label={t("incident.byHand.kind")}
          value={kind}
          data={KINDS.map((one) => ({ value: one, label: wordFor("incident.kind", one) }))}
          onChange={(event) => setKind(KINDS.find((one) => one === event.currentTarget.value) ?? "other")}
        />
        <NativeSelect
          label={t("incident.byHand.scope")}
          value={shownScope}
          data={scopes.map((one) => ({ value: one, label: wordFor("incident.scope", one) }))}
          onChange={(event) => setScope(SCOPES.find((one) => one === event.currentTarget.value) ?? "all")}
        />
        {values.length > 1 ? (
          <NativeSelect
            label={t("incident.byHand.place")}
            value={scopeValue}
            data={values}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
        ) : null}
        {place && place.operations.length > 0 ? (
          <NativeSelect
            label={t("incident.byHand.operation")}
            value={operationId}
            data={[
              { value: "", label: t("incident.byHand.noOperation") },
              ...place.operations.map(({ id, key }) => ({ value: id, label: shortenHashes(key) })),
            ]}
            onChange={(event) => setOperationId(event.currentTarget.value)}
          />
        ) : null}
        <Textarea
          label={t("incident.byHand.reason")}
          description={t("dialog.reasonHint")}
          value={reason}
          maxLength={2000}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Button
          variant="filled"
          className="start"
          loading={busy}
          disabled={reason.trim() === ""}
          onClick={() => void open()}
        >
          {t("incident.byHand.button")}
        </Button>
      </div>
    </Panel>
  );
}
