import { useTranslation } from "react-i18next";
import { Moment } from "../../components/Moments";
import { Panel } from "../../components/Panel";
import { type RecoveryItemView, type RecoveryView, useRecovery } from "../../stores/recovery";
import { actorWord, wordFor } from "../../words";

type Move = RecoveryView["history"][number];

/** What became of an item, from the journal: who, when, where to, in how many minutes, and what they said. */
export function History({ item }: { item: RecoveryItemView }) {
  const { t } = useTranslation();
  const history = useRecovery((state) => state.answer.value?.history) ?? [];
  return (
    <Panel title={t("recovery.history.title")} flush>
      <ol className="rows recovery-history" aria-label={t("recovery.history.title")}>
        <li>
          <Moment at={item.createdAt} /> <span>{t("recovery.history.created")}</span>
        </li>
        {history.map((move) => (
          <li key={`${move.at}-${move.from}-${move.to}-${move.note}`}>
            <Moment at={move.at} />
            <span className="stack tight">
              <span className="row tight">
                <b>{stepOf(move, t("recovery.history.note"))}</b>
                <span className="muted">{actorWord(move.actor)}</span>
                <span className="muted num">{t("duration.minutes", { m: move.minutes })}</span>
              </span>
              <span className="wrap">{move.note}</span>
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function stepOf({ from, to }: Move, noted: string): string {
  if (from === null || to === null || from === to) return noted;
  return `${wordFor("recovery.stage", from)} → ${wordFor("recovery.stage", to)}`;
}
