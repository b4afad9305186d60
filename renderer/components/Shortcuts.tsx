import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useMenu } from "../stores/menu";
import { Dialog } from "./Dialog";

const KEYS = [
  { keys: ["j", "k", "↓", "↑"], what: "next" },
  { keys: ["Enter"], what: "open" },
  { keys: ["Esc"], what: "back" },
  { keys: ["/"], what: "filter" },
  { keys: ["r"], what: "raw" },
  { keys: ["Ctrl K", "⌘ K"], what: "menu" },
  { keys: ["Ctrl 1 – 6", "⌘ 1 – 6"], what: "places" },
  { keys: ["Ctrl ,", "⌘ ,"], what: "settings" },
  { keys: ["Ctrl Z", "⌘ Z"], what: "undo" },
  { keys: ["Ctrl Shift Z", "⇧ ⌘ Z"], what: "redo" },
  { keys: ["?"], what: "help" },
] as const;

/** Every shortcut there is. The list is short on purpose, and says what no key does. */
export function Shortcuts() {
  const { t } = useTranslation();
  const opened = useMenu((state) => state.shown === "shortcuts");
  const close = useMenu((state) => state.close);
  return (
    <Dialog opened={opened} onClose={close} title={t("shortcuts.title")} size="md">
      <div className="stack wide">
        <dl className="facts-of">
          {KEYS.map(({ keys, what }) => (
            <KeyRow key={what} keys={keys} what={t(`shortcuts.${what}`)} />
          ))}
        </dl>
        <p className="muted">{t("shortcuts.note")}</p>
        <div className="row" style={{ justifyContent: "flex-end" }}>
          <Button data-autofocus onClick={close}>
            {t("shortcuts.close")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function KeyRow({ keys, what }: { keys: readonly string[]; what: string }) {
  return (
    <>
      <dt className="row tight">
        {keys.map((key) => (
          <kbd key={key} className="kbd">
            {key}
          </kbd>
        ))}
      </dt>
      <dd>{what}</dd>
    </>
  );
}
