import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { type Preferences, useApp } from "../../stores/app";
import { isShown, useLedger } from "../../stores/ledger";

type View = NonNullable<Preferences["ledgerViews"]>[number];
type Asking = "save" | "rename" | "remove" | null;

/** As many as the settings keep. */
const ROOM = 50;
const NONE: readonly View[] = [];

/** Filters and orders under names of the person's own, kept in the settings. */
export function SavedViews() {
  const { t } = useTranslation();
  const views = useApp((state) => state.boot?.preferences.ledgerViews ?? NONE);
  const filter = useLedger((state) => state.filter);
  const sort = useLedger((state) => state.sort);
  const show = useLedger((state) => state.show);
  const [asking, setAsking] = useState<Asking>(null);
  const shown = views.find((view) => isShown(view, { filter, sort })) ?? null;
  return (
    <fieldset className="row tight ledger-views" aria-label={t("ledger.views.label")}>
      {views.length === 0 ? null : (
        <span className="muted small" aria-hidden>
          {t("ledger.views.label")}
        </span>
      )}
      {views.map((view) => (
        <Button
          key={view.name}
          size="compact-xs"
          className="ledger-view"
          title={view.name}
          aria-pressed={view === shown}
          variant={view === shown ? "filled" : "default"}
          onClick={() => void show({ filter: view.filter, sort: view.sort })}
        >
          {view.name}
        </Button>
      ))}
      {shown === null ? (
        <Button size="compact-xs" variant="subtle" onClick={() => setAsking("save")}>
          {t("ledger.views.save")}
        </Button>
      ) : (
        <>
          <Button size="compact-xs" variant="subtle" onClick={() => setAsking("rename")}>
            {t("ledger.views.rename", { name: shorten(shown.name) })}
          </Button>
          <Button size="compact-xs" variant="subtle" onClick={() => setAsking("remove")}>
            {t("ledger.views.remove", { name: shorten(shown.name) })}
          </Button>
        </>
      )}
      <NameDialog key={asking} asking={asking} views={views} shown={shown} leave={() => setAsking(null)} />
      <RemoveDialog opened={asking === "remove"} views={views} shown={shown} leave={() => setAsking(null)} />
    </fieldset>
  );
}

const LONG = 20;
const shorten = (name: string): string => (name.length > LONG ? `${name.slice(0, LONG)}…` : name);

interface Asked {
  views: readonly View[];
  shown: View | null;
  leave: () => void;
}

function NameDialog({ asking, views, shown, leave }: Asked & { asking: Asking }) {
  const { t } = useTranslation();
  const prefer = useApp((state) => state.prefer);
  const isRenaming = asking === "rename" && shown !== null;
  const [typed, setTyped] = useState(isRenaming ? shown.name : "");
  const name = typed.trim();
  const isTaken = views.some((view) => view.name === name && view !== shown);
  const isFull = !isRenaming && !isTaken && views.length >= ROOM;
  const save = () => {
    const { filter, sort } = useLedger.getState();
    const kept = isRenaming ? views : views.filter((view) => view.name !== name);
    const ledgerViews = isRenaming
      ? kept.map((view) => (view === shown ? { ...view, name } : view))
      : [...kept, { name, filter, sort }];
    void prefer({ ledgerViews });
    leave();
  };
  return (
    <ConfirmDialog
      opened={asking === "save" || isRenaming}
      title={isRenaming ? t("ledger.views.renameTitle", { name: shown.name }) : t("ledger.views.saveTitle")}
      confirmLabel={t(isRenaming ? "ledger.views.renameButton" : "ledger.views.saveButton")}
      busy={false}
      ready={name !== "" && !isFull && !(isRenaming && isTaken)}
      onCancel={leave}
      onConfirm={save}
    >
      {isRenaming ? null : <p>{t("ledger.views.saveLead")}</p>}
      <TextInput
        label={t("ledger.views.name")}
        value={typed}
        maxLength={60}
        error={isRenaming && isTaken ? t("ledger.views.taken") : isFull ? t("ledger.views.full") : null}
        description={!isRenaming && isTaken ? t("ledger.views.replaces") : null}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}

function RemoveDialog({ opened, views, shown, leave }: Asked & { opened: boolean }) {
  const { t } = useTranslation();
  const prefer = useApp((state) => state.prefer);
  return (
    <ConfirmDialog
      opened={opened && shown !== null}
      title={t("ledger.views.removeTitle", { name: shown?.name ?? "" })}
      confirmLabel={t("ledger.views.removeButton")}
      busy={false}
      onCancel={leave}
      onConfirm={() => {
        void prefer({ ledgerViews: views.filter((view) => view !== shown) });
        leave();
      }}
    >
      <p>{t("ledger.views.removeLead")}</p>
    </ConfirmDialog>
  );
}
