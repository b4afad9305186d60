import { Button, Textarea, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../components/Dialog";
import { useCommands } from "../../stores/commands";
import type { SendReviewView } from "../../stores/send-review";

/** Subject and introduction of the e-mail. Saving is a command: it makes a new body and a new review, and says so beforehand. */
export function EditEmail({ review, opened, close }: { review: SendReviewView; opened: boolean; close: () => void }) {
  const { t } = useTranslation();
  const [subject, setSubject] = useState(review.subject);
  const [intro, setIntro] = useState(review.intro);
  const busy = useCommands((state) => state.busy["sendReview.editEmail"] === true);
  const send = useCommands((state) => state.send);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it opens; a refetch while typing must not take the words away
  useEffect(() => {
    if (!opened) return;
    setSubject(review.subject);
    setIntro(review.intro);
  }, [opened]);
  const unchanged = subject === review.subject && intro === review.intro;
  const save = async () => {
    await send(
      "sendReview.editEmail",
      { taskId: review.taskId, expectedVersion: review.stateVersion, subject, intro },
      t("send.edit.label"),
    );
    close();
  };
  return (
    <Dialog opened={opened} onClose={close} title={t("send.edit.title")} easyToLeave={unchanged}>
      <div className="stack wide">
        <TextInput
          label={t("send.edit.subject")}
          value={subject}
          maxLength={300}
          onChange={(event) => setSubject(event.currentTarget.value)}
        />
        <Textarea
          label={t("send.edit.intro")}
          value={intro}
          maxLength={4000}
          minRows={4}
          onChange={(event) => setIntro(event.currentTarget.value)}
        />
        <p className="muted small">{t("send.edit.note")}</p>
        <div className="row" style={{ justifyContent: "flex-end" }}>
          <Button data-autofocus onClick={close}>
            {t("dialog.cancel")}
          </Button>
          <Button
            variant="filled"
            disabled={unchanged || subject.trim() === ""}
            loading={busy}
            onClick={() => void save()}
          >
            {t("send.edit.save")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
