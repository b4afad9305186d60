import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useNav } from "../stores/nav";
import { Dialog } from "./Dialog";

/** Asks before unsaved edits are left behind; staying is the default. */
export function DiscardDialog() {
  const { t } = useTranslation();
  const held = useNav((state) => state.held);
  const release = useNav((state) => state.release);
  return (
    <Dialog opened={held !== null} onClose={() => release(false)} title={t("dialog.discardTitle")} size="md">
      <div className="stack wide">
        <p>{t("dialog.discardBody")}</p>
        <div className="row" style={{ justifyContent: "flex-end" }}>
          <Button data-autofocus onClick={() => release(false)}>
            {t("dialog.keep")}
          </Button>
          <Button variant="filled" onClick={() => release(true)}>
            {t("dialog.discard")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
