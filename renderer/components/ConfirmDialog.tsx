import { Button, Textarea, TextInput } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { Dialog } from "./Dialog";

interface Props {
  opened: boolean;
  title: string;
  /** What the button will do, in words; never OK. */
  confirmLabel: string;
  busy: boolean;
  /** Where set, this must be typed exactly: for what reaches the outside or cannot be taken back. */
  typed?: string;
  /** Where set, a text is asked for and kept in the journal. */
  reasonLabel?: string;
  /** False while further fields (given as children) are not filled. */
  ready?: boolean;
  onCancel: () => void;
  /** Gets what was written and, where it was asked for, what was typed. */
  onConfirm: (reason: string, typed: string) => void;
  children?: ReactNode;
}

/**
 * Asks before something that cannot simply be undone. Cancel has the focus and Escape cancels; there is no form, so that
 * no Enter (an input method's least of all) can confirm by itself.
 */
export function ConfirmDialog({
  opened,
  title,
  confirmLabel,
  busy,
  typed,
  reasonLabel,
  ready = true,
  onCancel,
  onConfirm,
  children,
}: Props) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const [reason, setReason] = useState("");
  useEffect(() => {
    if (!opened) return;
    setText("");
    setReason("");
  }, [opened]);
  const complete =
    ready && (typed === undefined || text.trim() === typed) && (reasonLabel === undefined || reason.trim() !== "");
  return (
    <Dialog opened={opened} onClose={onCancel} title={title}>
      <div className="stack wide">
        {children}
        {reasonLabel === undefined ? null : (
          <Textarea
            label={reasonLabel}
            description={t("dialog.reasonHint")}
            value={reason}
            maxLength={2000}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        )}
        {typed === undefined ? null : (
          <TextInput
            label={
              <Trans t={t} i18nKey="dialog.type" values={{ text: typed }} components={{ b: <b className="mono" /> }} />
            }
            aria-label={t("dialog.typePlain", { text: typed })}
            value={text}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        <div className="row" style={{ justifyContent: "flex-end" }}>
          <Button data-autofocus onClick={onCancel}>
            {t("dialog.cancel")}
          </Button>
          <Button
            variant="filled"
            loading={busy}
            disabled={!complete}
            onClick={() => onConfirm(reason.trim(), text.trim())}
          >
            {confirmLabel}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
