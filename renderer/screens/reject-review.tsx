import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../components/ConfirmDialog";
import { useCommands } from "../stores/commands";

/** Sends a review back with a reason: the content to drafting, the mailing to its words. The dialog says which. */
export function RejectReview({
  channel,
  words,
  review,
}: {
  channel: "contentReview.reject" | "sendReview.reject";
  words: "content" | "send";
  review: { taskId: string; stateVersion: number };
}) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const busy = useCommands((state) => state.busy[channel] === true);
  const send = useCommands((state) => state.send);
  const reject = async (reason: string) => {
    const command = { taskId: review.taskId, expectedVersion: review.stateVersion, reason };
    await send(channel, command, t(`${words}.decision.rejectLabel`));
    setOpened(false);
  };
  return (
    <div>
      <Button onClick={() => setOpened(true)}>{t(`${words}.decision.reject`)}</Button>
      <ConfirmDialog
        opened={opened}
        title={t(`${words}.decision.rejectTitle`)}
        confirmLabel={t(`${words}.decision.rejectConfirm`)}
        busy={busy}
        reasonLabel={t("dialog.reason")}
        onCancel={() => setOpened(false)}
        onConfirm={(reason) => void reject(reason)}
      >
        <p>{t(`${words}.decision.rejectBody`)}</p>
      </ConfirmDialog>
    </div>
  );
}
