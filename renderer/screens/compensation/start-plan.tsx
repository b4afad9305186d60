import { Button } from "@mantine/core";
import { Undo2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Panel } from "../../components/Panel";
import { UnmetList } from "../../components/UnmetList";
import { useCommands } from "../../stores/commands";
import type { CompensationView, UndoEntry } from "../../stores/compensation";
import { wordFor } from "../../words";

type Prospect = UndoEntry["prospect"];

const FIRST: readonly Prospect[] = ["not_needed", "after_answer", "after_verdict"];

/** The plan to be read before it starts: what the program undoes, what a person must do, and what nothing takes back. */
export function StartPlan({ undo }: { undo: CompensationView }) {
  const { t } = useTranslation();
  return (
    <Panel title={t("compensation.plan.title")}>
      <div className="stack wide">
        <Forecast undo={undo} />
        <Start undo={undo} />
      </div>
    </Panel>
  );
}

function Forecast({ undo }: { undo: CompensationView }) {
  const { t } = useTranslation();
  const of = (...prospects: readonly Prospect[]) => undo.entries.filter((entry) => prospects.includes(entry.prospect));
  const lost = of("irreversible");
  const first = of(...FIRST);
  return (
    <div className="undo-forecast">
      <Group title={t("compensation.plan.automatic")} note={t("compensation.plan.automaticNote")}>
        <Actions entries={of("automatic")} />
      </Group>
      <Group title={t("compensation.plan.person")} note={t("compensation.plan.personNote")}>
        <Actions entries={of("person")} />
      </Group>
      <Group title={t("compensation.plan.irreversible")}>
        {undo.mailed === 0 ? null : <p>{t("compensation.plan.mailed", { count: undo.mailed })}</p>}
        {lost.length > 0 ? <Actions entries={lost} /> : null}
        {undo.mailed === 0 && lost.length === 0 ? (
          <p className="muted">{t("compensation.plan.noneIrreversible")}</p>
        ) : null}
      </Group>
      {first.length === 0 ? null : (
        <Group title={t("compensation.plan.open")}>
          <Actions entries={first} />
        </Group>
      )}
    </div>
  );
}

function Group({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <section className="stack tight">
      <h3>{title}</h3>
      {children}
      {note === undefined ? null : <p className="muted small">{note}</p>}
    </section>
  );
}

function Actions({ entries }: { entries: readonly UndoEntry[] }) {
  const { t } = useTranslation();
  if (entries.length === 0) return <p className="muted">{t("compensation.plan.none")}</p>;
  return (
    <ol className="plain-list">
      {entries.map(({ id, action, prospect }) => (
        <li key={id}>
          {wordFor("compensation.action", action)}
          {prospect === "not_needed" || prospect === "after_answer" || prospect === "after_verdict" ? (
            <span className="muted"> · {t(`compensation.plan.${prospect}`)}</span>
          ) : null}
        </li>
      ))}
    </ol>
  );
}

function Start({ undo }: { undo: CompensationView }) {
  const { t } = useTranslation();
  // What was read is what is started: a plan that changes under an open dialog is refused by its hash.
  const [read, setRead] = useState<CompensationView | null>(null);
  const busy = useCommands((state) => state.busy["run.startCompensation"] === true);
  const send = useCommands((state) => state.send);
  const { open, unmet } = undo.start;
  const start = async (reason: string, typed: string) => {
    if (read === null) return;
    const { taskId, stateVersion: expectedVersion, planHash } = read;
    await send(
      "run.startCompensation",
      { taskId, expectedVersion, planHash, reason, typed },
      t("compensation.plan.startLabel"),
    );
    setRead(null);
  };
  return (
    <div className="stack tight">
      {open ? (
        <div>
          <Button leftSection={<Undo2 size={14} aria-hidden />} onClick={() => setRead(undo)}>
            {t("compensation.plan.start")}
          </Button>
        </div>
      ) : (
        <>
          <p className="muted">{t("compensation.plan.shut")}</p>
          <UnmetList items={unmet} />
        </>
      )}
      <ConfirmDialog
        opened={read !== null}
        title={t("compensation.plan.startTitle", { edition: undo.edition })}
        confirmLabel={t("compensation.plan.startConfirm", { edition: undo.edition })}
        busy={busy}
        typed={undo.edition}
        reasonLabel={t("dialog.reason")}
        onCancel={() => setRead(null)}
        onConfirm={(reason, typed) => void start(reason, typed)}
      >
        <p>{t("compensation.plan.startBody")}</p>
        <Forecast undo={read ?? undo} />
      </ConfirmDialog>
    </div>
  );
}
