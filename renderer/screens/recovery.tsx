import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { AnswerGate } from "../components/AnswerGate";
import { Empty, Panel } from "../components/Panel";
import { ScreenHeading } from "../components/ScreenHeading";
import { formatNumber } from "../format";
import { type RecoveryItemView, type RecoveryView, useRecovery } from "../stores/recovery";
import { wordFor } from "../words";
import { ItemRow } from "./recovery/item-row";
import { aboutOf, ownersOf } from "./recovery/item-words";
import { Patterns } from "./recovery/patterns";

/** In the order in which an item goes through them. */
const STAGES = ["to_triage", "triaged", "recovering", "to_verify", "closed", "reviewed"] as const;

/** Everything that somebody has to see to, by stage, with whose it is and until when; and what recurs. */
export function Recovery() {
  const { t } = useTranslation();
  const answer = useRecovery((state) => state.answer);
  return (
    <>
      <header className="head">
        <div className="row">
          <ScreenHeading>{t("recovery.title")}</ScreenHeading>
          <span className="muted">{t("recovery.lead")}</span>
        </div>
      </header>
      <AnswerGate answer={answer} empty={t("recovery.empty")}>
        {(board) => (
          <div className="recovery-grid">
            <Board board={board} />
            <Patterns board={board} />
          </div>
        )}
      </AnswerGate>
    </>
  );
}

function Board({ board }: { board: RecoveryView }) {
  const { t } = useTranslation();
  const search = useRecovery((state) => state.search);
  const find = useRecovery((state) => state.find);
  const shown = board.items.filter((item) => isFound(item, search));
  return (
    <Panel
      title={t("recovery.board")}
      flush
      actions={
        <TextInput
          data-filter
          aria-label={t("recovery.filter")}
          placeholder={t("recovery.filterHint")}
          value={search}
          onChange={(event) => find(event.currentTarget.value)}
          rightSection={<kbd className="kbd">/</kbd>}
        />
      }
    >
      {board.untouchedDeadLetters > 0 ? (
        <p className="recovery-alarm">{t("recovery.untouched", { count: board.untouchedDeadLetters })}</p>
      ) : null}
      {board.items.length === 0 ? <Empty>{t("recovery.empty")}</Empty> : null}
      {board.items.length > 0 && shown.length === 0 ? <Empty>{t("recovery.none", { text: search })}</Empty> : null}
      <div data-list>
        {STAGES.map((stage) => (
          <Stage key={stage} stage={stage} items={shown.filter((item) => item.stage === stage)} />
        ))}
      </div>
    </Panel>
  );
}

function Stage({ stage, items }: { stage: (typeof STAGES)[number]; items: readonly RecoveryItemView[] }) {
  const heading = wordFor("recovery.stage", stage);
  if (items.length === 0) return null;
  return (
    <section aria-label={heading}>
      <h3 className="sub">
        {heading} <span className="num muted">{formatNumber(items.length)}</span>
      </h3>
      <ul className="rows">
        {items.map((item) => (
          <li key={item.id}>
            <ItemRow item={item} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What is looked through is what is shown: kind, edition, what it is about, whose it is, and its code. */
function isFound(item: RecoveryItemView, search: string): boolean {
  const needle = search.trim().toLowerCase();
  const { edition, code, subject } = item;
  return [wordFor("recovery.kind", item.kind), edition, aboutOf(item), subject, code ?? "", ...ownersOf(item)].some(
    (text) => text.toLowerCase().includes(needle),
  );
}
