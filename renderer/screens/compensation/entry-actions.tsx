import { Button, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { UnmetList } from "../../components/UnmetList";
import { useCommands } from "../../stores/commands";
import type { CompensationView, UndoEntry } from "../../stores/compensation";
import { wordFor } from "../../words";

interface Props {
  undo: CompensationView;
  entry: UndoEntry;
}

/** What a person may do about an entry now: let it go on, or close it by hand with a note and a link. */
export function EntryActions({ undo, entry }: Props) {
  const { t } = useTranslation();
  const isTheirs = entry.status === "failed" || entry.status === "for_person";
  const waits = entry.waitsFor.map((action) => wordFor("compensation.action", action));
  if (!isTheirs)
    return entry.status === "waiting" && waits.length > 0 ? (
      <p className="muted undo-foot">{t("compensation.entry.waitsFor", { actions: waits.join(" · ") })}</p>
    ) : null;
  const isOverwritten = entry.code === "precondition_changed";
  return (
    <div className="undo-foot stack">
      {isOverwritten ? (
        <section className="stack tight">
          <h4>{t("compensation.forwardFix.title")}</h4>
          <p>{t("compensation.forwardFix.body")}</p>
        </section>
      ) : null}
      <div className="row">
        {entry.resume.open ? <Resume undo={undo} entry={entry} /> : null}
        {entry.close.open ? <CloseByHand undo={undo} entry={entry} /> : null}
      </div>
      {entry.close.open ? null : (
        <div className="small">
          <span className="muted">{t("compensation.close.shut")}</span>
          <UnmetList items={entry.close.unmet} />
        </div>
      )}
    </div>
  );
}

function Resume({ undo, entry }: Props) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const busy = useCommands((state) => state.busy["run.resumeCompensation"] === true);
  const send = useCommands((state) => state.send);
  const resume = async (reason: string) => {
    const { taskId, stateVersion: expectedVersion } = undo;
    const command = { taskId, expectedVersion, compensationId: entry.id, reason };
    await send("run.resumeCompensation", command, t("compensation.resume.label"));
    setOpened(false);
  };
  return (
    <>
      <Button onClick={() => setOpened(true)}>{t("compensation.resume.button")}</Button>
      <ConfirmDialog
        opened={opened}
        title={t("compensation.resume.title", { action: wordFor("compensation.action", entry.action) })}
        confirmLabel={t("compensation.resume.confirm")}
        busy={busy}
        reasonLabel={t("compensation.resume.reason")}
        onCancel={() => setOpened(false)}
        onConfirm={(reason) => void resume(reason)}
      >
        <p>{t("compensation.resume.body")}</p>
      </ConfirmDialog>
    </>
  );
}

function CloseByHand({ undo, entry }: Props) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const [note, setNote] = useState("");
  const [link, setLink] = useState("");
  const busy = useCommands((state) => state.busy["run.closeCompensation"] === true);
  const send = useCommands((state) => state.send);
  const open = () => {
    setNote("");
    setLink("");
    setOpened(true);
  };
  const close = async () => {
    const { taskId, stateVersion: expectedVersion } = undo;
    const command = {
      ...{ taskId, expectedVersion, compensationId: entry.id },
      ...{ note: note.trim(), evidence: link.trim() },
    };
    await send("run.closeCompensation", command, t("compensation.close.label"));
    setOpened(false);
  };
  return (
    <>
      <Button onClick={open}>{t("compensation.close.button")}</Button>
      <ConfirmDialog
        opened={opened}
        title={t("compensation.close.title", { action: wordFor("compensation.action", entry.action) })}
        confirmLabel={t("compensation.close.confirm")}
        busy={busy}
        ready={note.trim() !== "" && link.trim() !== ""}
        onCancel={() => setOpened(false)}
        onConfirm={() => void close()}
      >
        <p>{t("compensation.close.body")}</p>
        <Textarea
          label={t("compensation.close.note")}
          description={t("dialog.reasonHint")}
          value={note}
          maxLength={2000}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <TextInput
          label={t("compensation.close.link")}
          description={t("compensation.close.linkHint")}
          value={link}
          maxLength={2000}
          onChange={(event) => setLink(event.currentTarget.value)}
        />
      </ConfirmDialog>
    </>
  );
}
