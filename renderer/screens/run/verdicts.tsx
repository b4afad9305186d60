import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { useCommands } from "../../stores/commands";
import type { OperationView, RunView } from "../../stores/run";
import { wordFor } from "../../words";

type Verdict = OperationView["verdicts"][number];

/** The verdicts a person may give now, each with what it leads to. There is no bare “retry”: sending again follows from a verdict. */
export function Verdicts({ run, operation }: { run: RunView; operation: OperationView }) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<Verdict | null>(null);
  if (operation.verdicts.length === 0) return <p className="attention-foot muted">{t("run.unknown.noVerdict")}</p>;
  return (
    <section className="attention-foot stack" aria-label={t("run.unknown.verdicts")}>
      <h3>{t("run.unknown.verdicts")}</h3>
      <ul className="verdicts">
        {operation.verdicts.map((verdict) => (
          <li key={verdict} className="stack tight">
            <div>
              <Button onClick={() => setAsked(verdict)}>{wordFor("verdict", verdict)}</Button>
            </div>
            <p className="small muted">{t(`run.unknown.consequence.${verdict}`)}</p>
          </li>
        ))}
      </ul>
      <VerdictDialog run={run} operation={operation} verdict={asked} close={() => setAsked(null)} />
    </section>
  );
}

function VerdictDialog({
  run,
  operation,
  verdict,
  close,
}: {
  run: RunView;
  operation: OperationView;
  verdict: Verdict | null;
  close: () => void;
}) {
  const { t } = useTranslation();
  const objects = operation.looks.at(-1)?.objects ?? [];
  const [typedId, setTypedId] = useState<string | null>(null);
  const remoteId = typedId ?? (objects.length === 1 ? (objects[0]?.remoteId ?? "") : "");
  const busy = useCommands((state) => state.busy["run.giveVerdict"] === true);
  const send = useCommands((state) => state.send);
  const shown = verdict ?? "cannot_tell";
  const word = wordFor("verdict", shown);
  const leave = () => {
    setTypedId(null);
    close();
  };
  const give = async (evidence: string) => {
    if (verdict === null) return;
    await send(
      "run.giveVerdict",
      {
        taskId: run.taskId,
        operationId: operation.id,
        verdict,
        remoteId: verdict === "happened" ? remoteId.trim() : null,
        evidence,
      },
      t("run.unknown.verdictLabel"),
    );
    leave();
  };
  return (
    <ConfirmDialog
      opened={verdict !== null}
      title={t("run.unknown.verdictTitle", { verdict: word })}
      confirmLabel={t("run.unknown.verdictConfirm", { verdict: word })}
      busy={busy}
      typed={verdict === "cannot_tell" ? undefined : run.edition}
      ready={verdict !== "happened" || remoteId.trim() !== ""}
      reasonLabel={t("dialog.evidence")}
      onCancel={leave}
      onConfirm={(evidence) => void give(evidence)}
    >
      <p>{t(`run.unknown.consequence.${shown}`)}</p>
      {verdict === "happened" ? (
        <TextInput
          label={t("run.unknown.remoteId")}
          description={t("run.unknown.remoteIdHint")}
          value={remoteId}
          maxLength={200}
          classNames={{ input: "mono" }}
          onChange={(event) => setTypedId(event.currentTarget.value)}
        />
      ) : null}
    </ConfirmDialog>
  );
}
