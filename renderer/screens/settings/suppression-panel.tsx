import { Button, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Ago } from "../../components/Moments";
import { Empty, Panel } from "../../components/Panel";
import { useCommands } from "../../stores/commands";
import type { SettingsView } from "../../stores/settings";

type Suppression = SettingsView["suppressions"][number];

/** As the import takes an id: never an address. */
const ID = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u;

/** Who gets nothing, since when and why; each is put on and taken off for a reason that stays in the journal. */
export function SuppressionPanel({ suppressions }: { suppressions: readonly Suppression[] }) {
  const { t } = useTranslation();
  const [released, setReleased] = useState<Suppression | null>(null);
  const send = useCommands((state) => state.send);
  const isBusy = useCommands((state) => state.busy["audience.release"] === true);
  const release = async ({ recipientId }: Suppression, reason: string) => {
    const what = t("settings.suppression.releaseWhat", { id: recipientId });
    if (await send("audience.release", { recipientId, reason }, what)) setReleased(null);
  };
  return (
    <Panel title={t("settings.suppression.title")} flush>
      {suppressions.length === 0 ? (
        <Empty>{t("settings.suppression.empty")}</Empty>
      ) : (
        <table className="table compact">
          <thead>
            <tr>
              <th scope="col">{t("settings.suppression.who")}</th>
              <th scope="col">{t("settings.suppression.reason")}</th>
              <th scope="col">{t("settings.suppression.since")}</th>
              <th scope="col">
                <span className="visually-hidden">{t("settings.suppression.release")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {suppressions.map((row) => (
              <tr key={row.recipientId}>
                <td>
                  <span className="mono">{row.recipientId}</span>
                  {row.isMember ? null : <p className="muted small">{t("settings.suppression.noMember")}</p>}
                </td>
                <td>{row.reason}</td>
                <td className="nowrap">
                  <Ago at={row.at} />
                </td>
                <td className="number">
                  <Button
                    size="compact-xs"
                    aria-label={t("settings.suppression.releaseOne", { id: row.recipientId })}
                    onClick={() => setReleased(row)}
                  >
                    {t("settings.suppression.release")}
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <SuppressForm />
      <ConfirmDialog
        opened={released !== null}
        title={t("settings.suppression.releaseTitle", { id: released?.recipientId ?? "" })}
        confirmLabel={t("settings.suppression.releaseConfirm")}
        reasonLabel={t("settings.suppression.reason")}
        busy={isBusy}
        onCancel={() => setReleased(null)}
        onConfirm={(reason) => released && void release(released, reason)}
      >
        <p>{t("settings.suppression.releaseLead")}</p>
      </ConfirmDialog>
    </Panel>
  );
}

function SuppressForm() {
  const { t } = useTranslation();
  const [typed, setTyped] = useState({ id: "", reason: "" });
  const send = useCommands((state) => state.send);
  const isBusy = useCommands((state) => state.busy["audience.suppress"] === true);
  const recipientId = typed.id.trim();
  const reason = typed.reason.trim();
  const isWrong = recipientId !== "" && !ID.test(recipientId);
  const add = async () => {
    const what = t("settings.suppression.addWhat", { id: recipientId });
    if (await send("audience.suppress", { recipientId, reason }, what)) setTyped({ id: "", reason: "" });
  };
  return (
    <section className="settings-add stack" aria-label={t("settings.suppression.add")}>
      <h3>{t("settings.suppression.add")}</h3>
      <p className="muted">{t("settings.suppression.addLead")}</p>
      <TextInput
        label={t("settings.suppression.id")}
        value={typed.id}
        maxLength={64}
        spellCheck={false}
        error={isWrong ? t("settings.fault.id_not_allowed") : null}
        onChange={(event) => setTyped({ ...typed, id: event.currentTarget.value })}
      />
      <Textarea
        label={t("settings.suppression.reason")}
        description={t("dialog.reasonHint")}
        value={typed.reason}
        maxLength={2000}
        onChange={(event) => setTyped({ ...typed, reason: event.currentTarget.value })}
      />
      <Button
        style={{ alignSelf: "flex-start" }}
        loading={isBusy}
        disabled={recipientId === "" || reason === "" || isWrong}
        onClick={() => void add()}
      >
        {t("settings.suppression.addButton")}
      </Button>
    </section>
  );
}
