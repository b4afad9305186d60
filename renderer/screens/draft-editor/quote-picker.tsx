import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { isComposing } from "../../components/keyboard";
import { ProblemNotice } from "../../components/Notices";
import { Empty } from "../../components/Panel";
import { useSnapshot } from "../../components/use-snapshot";
import type { DraftFact, DraftView } from "../../stores/draft-content";
import { useSnapshots } from "../../stores/snapshots";
import { SourceSelect } from "./source-select";

const TEXT_ID = "draft-source-text";

/** From a fact to the text that its quote is picked from. */
export const focusSourceText = (): void => document.getElementById(TEXT_ID)?.focus();

/** The frozen sources, one at a time, with the span of the fact at hand selected; another selection becomes its quote. */
export function QuotePicker({ view, fact, number }: { view: DraftView; fact: DraftFact | null; number: number }) {
  const { t } = useTranslation();
  const own = fact?.span?.snapshotHash ?? null;
  const [chosen, setChosen] = useState<string | null>(null);
  const [words, setWords] = useState("");
  const [search, setSearch] = useState<{ words: string; count: number }>({ words: "", count: 0 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another fact shows its own source again
  useEffect(() => setChosen(null), [fact?.id, own]);
  const first = view.sources[0]?.snapshotHash ?? null;
  const hash = chosen ?? own ?? first;
  const answer = useSnapshot(view.taskId, hash);
  const fetchSnapshot = useSnapshots((state) => state.fetch);
  const known = view.sources.some(({ snapshotHash }) => snapshotHash === hash);
  const lost = known || hash === null ? [] : [{ value: hash, label: t("draft.source.replaced") }];
  const find = (wanted: string) => setSearch({ words: wanted, count: search.count + 1 });
  return (
    <section className="panel draft-source" aria-label={t("draft.source.title")}>
      <header className="source-head">
        <NativeSelect
          label={t("draft.source.choose")}
          value={hash ?? ""}
          data={[...lost, ...view.sources.map(({ title, snapshotHash }) => ({ value: snapshotHash, label: title }))]}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
        <div className="row tight draft-find">
          <TextInput
            aria-label={t("draft.source.find")}
            placeholder={t("draft.source.find")}
            value={words}
            maxLength={200}
            onChange={(event) => setWords(event.currentTarget.value)}
            onKeyDown={(event) =>
              event.key === "Enter" && !isComposing(event) ? find(event.currentTarget.value) : undefined
            }
          />
          <Button disabled={words.trim() === ""} onClick={() => find(words)}>
            {t("draft.source.next")}
          </Button>
        </div>
      </header>
      {hash === null ? <Empty>{t("draft.source.none")}</Empty> : null}
      {hash !== null && answer?.problem ? (
        <ProblemNotice problem={answer.problem} again={() => void fetchSnapshot(view.taskId, hash)} />
      ) : null}
      {answer?.loading ? <Empty>{t("content.source.loading")}</Empty> : null}
      {answer?.settled && answer.value === null ? <Empty>{t("content.source.missing")}</Empty> : null}
      {answer?.value ? (
        <SourceSelect
          key={answer.value.hash}
          id={TEXT_ID}
          taskId={view.taskId}
          snapshot={answer.value}
          fact={fact}
          number={number}
          search={search}
        />
      ) : null}
    </section>
  );
}
