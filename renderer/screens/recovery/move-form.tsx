import { Button, Textarea, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Panel } from "../../components/Panel";
import { useCommands } from "../../stores/commands";
import { useNav } from "../../stores/nav";
import type { RecoveryItemView } from "../../stores/recovery";
import { wordFor } from "../../words";

type Way = RecoveryItemView["ways"][number];
const PROOFS = ["method", "verification", "review"] as const;
type Field = (typeof PROOFS)[number] | "note" | "minutes" | "owner";
type Filled = Readonly<Record<Field, string>>;

const NOTHING: Filled = { note: "", minutes: "", owner: "", method: "", verification: "", review: "" };
const isMinutes = (text: string): boolean => /^\d{1,4}$/.test(text.trim());
/** What is written about a person's work is never thrown away unasked. */
const isDirty = (filled: Filled): boolean => Object.values(filled).some((text) => text.trim() !== "");

/** Takes an item to its next stage, or adds to it where it is: a note and the minutes, and what the stage asks for. */
export function MoveForm({ item }: { item: RecoveryItemView }) {
  const { t } = useTranslation();
  const ways: Way[] = [...item.ways, { to: item.stage, asks: [] }];
  const [to, setTo] = useState(ways[0]?.to ?? item.stage);
  const [filled, setFilled] = useState(NOTHING);
  const way = ways.find((one) => one.to === to) ?? { to: item.stage, asks: [] };
  const set = (field: Field) => (text: string) => setFilled((before) => ({ ...before, [field]: text }));
  const dirty = isDirty(filled);
  const setGuard = useNav((state) => state.setGuard);
  useEffect(() => {
    setGuard(dirty ? () => true : null);
    return () => setGuard(null);
  }, [dirty, setGuard]);
  return (
    <Panel title={t("recovery.move.title")} className="recovery-move">
      <div className="stack wide">
        <fieldset className="stack tight">
          <legend>{t("recovery.move.to")}</legend>
          {ways.map((one) => (
            <label key={one.to} className="row tight">
              <input type="radio" name="recovery-to" checked={one.to === to} onChange={() => setTo(one.to)} />
              {one.to === item.stage ? t("recovery.move.stay") : wordFor("recovery.stage", one.to)}
            </label>
          ))}
        </fieldset>
        {PROOFS.filter((proof) => way.asks.includes(proof)).map((proof) => (
          <Textarea
            key={proof}
            autosize
            minRows={2}
            label={t(`recovery.proof.${proof}`)}
            description={t(`recovery.proofHint.${proof}`)}
            value={filled[proof]}
            maxLength={2000}
            onChange={(event) => set(proof)(event.currentTarget.value)}
          />
        ))}
        <Textarea
          label={t("recovery.move.note")}
          description={t("dialog.reasonHint")}
          value={filled.note}
          maxLength={2000}
          onChange={(event) => set("note")(event.currentTarget.value)}
        />
        <TextInput
          label={t("recovery.move.minutes")}
          description={t("recovery.move.minutesHint")}
          inputMode="numeric"
          value={filled.minutes}
          maxLength={4}
          error={filled.minutes === "" || isMinutes(filled.minutes) ? null : t("recovery.move.minutesWrong")}
          onChange={(event) => set("minutes")(event.currentTarget.value)}
        />
        <TextInput
          label={t("recovery.move.owner")}
          description={t("recovery.move.ownerHint")}
          value={filled.owner}
          maxLength={120}
          onChange={(event) => set("owner")(event.currentTarget.value)}
        />
        <Send item={item} way={way} filled={filled} onDone={() => setFilled(NOTHING)} />
      </div>
    </Panel>
  );
}

function Send({ item, way, filled, onDone }: { item: RecoveryItemView; way: Way; filled: Filled; onDone(): void }) {
  const { t } = useTranslation();
  const busy = useCommands((state) => state.busy["recovery.move"] === true);
  const send = useCommands((state) => state.send);
  const missing = [
    ...way.asks.filter((proof) => filled[proof].trim() === "").map((proof) => t(`recovery.proof.${proof}`)),
    ...(filled.note.trim() === "" ? [t("recovery.move.note")] : []),
    ...(isMinutes(filled.minutes) ? [] : [t("recovery.move.minutes")]),
  ];
  const stage = wordFor("recovery.stage", way.to);
  const label = way.to === item.stage ? t("recovery.move.add") : t("recovery.move.button", { stage });
  const move = async () => {
    const { id: itemId, taskId, stateVersion: expectedVersion, stage: from } = item;
    const given = Object.fromEntries(
      (["owner", ...way.asks] as const)
        .map((field) => [field, filled[field].trim()] as const)
        .filter(([, text]) => text !== ""),
    );
    const said = { note: filled.note.trim(), minutes: Number(filled.minutes), ...given };
    if (await send("recovery.move", { taskId, expectedVersion, itemId, from, to: way.to, ...said }, label)) onDone();
  };
  return (
    <div className="stack tight">
      <Button
        variant="filled"
        className="start"
        loading={busy}
        disabled={missing.length > 0}
        onClick={() => void move()}
      >
        {label}
      </Button>
      {missing.length > 0 ? (
        <p className="muted small">{t("recovery.move.missing", { what: missing.join(" · ") })}</p>
      ) : null}
    </div>
  );
}
