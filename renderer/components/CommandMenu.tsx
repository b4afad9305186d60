import { TextInput } from "@mantine/core";
import { Fragment, type KeyboardEvent, useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useMenu } from "../stores/menu";
import { Dialog } from "./Dialog";
import { isComposing } from "./keyboard";
import { type MenuEntry, useMenuEntries } from "./menu-entries";

/** Ctrl/Cmd+K: every place and every harmless action by name. */
export function CommandMenu() {
  const { t } = useTranslation();
  const opened = useMenu((state) => state.shown === "menu");
  const close = useMenu((state) => state.close);
  return (
    <Dialog opened={opened} onClose={close} title={t("menu.title")} high>
      <MenuBody close={close} />
    </Dialog>
  );
}

function MenuBody({ close }: { close: () => void }) {
  const { t } = useTranslation();
  const entries = useMenuEntries();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const id = useId();
  const found = entries.filter((entry) => entry.label.toLowerCase().includes(text.trim().toLowerCase()));
  const active = Math.min(at, found.length - 1);
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [id, active]);
  const run = (entry: MenuEntry | undefined) => {
    if (!entry) return;
    close();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) setAt((active + step + found.length) % Math.max(1, found.length));
    else if (event.key === "Enter") run(found[active]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <TextInput
        data-autofocus
        role="combobox"
        aria-label={t("menu.placeholder")}
        aria-expanded
        aria-controls={id}
        aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
        placeholder={t("menu.placeholder")}
        value={text}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
      />
      {found.length === 0 ? <p className="empty">{t("menu.none", { text })}</p> : null}
      <div className="menu-list" id={id} role="listbox" aria-label={t("menu.title")}>
        {found.map((entry, index) => (
          <Fragment key={entry.id}>
            {entry.group === found[index - 1]?.group ? null : (
              <div className="group" role="presentation">
                {t(`menu.${entry.group}`)}
              </div>
            )}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the combobox's, which keeps the focus */}
            <div
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              onClick={() => run(entry)}
            >
              <span>{entry.label}</span>
              {entry.shortcut ? <kbd className="kbd">{entry.shortcut}</kbd> : null}
            </div>
          </Fragment>
        ))}
      </div>
    </>
  );
}
