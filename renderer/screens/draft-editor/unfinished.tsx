import { Button } from "@mantine/core";
import { History } from "lucide-react";
import { useTranslation } from "react-i18next";
import { formatZoned } from "../../format";
import { useZone } from "../../stores/clock";
import { type openQuestion, useDraft } from "../../stores/draft";
import { changedParts, type DraftContent, type DraftView } from "../../stores/draft-content";

type Question = NonNullable<ReturnType<typeof openQuestion>>;

/** An edit that was not finished: named with its moment and what it changes, taken up or thrown away by a person. */
export function Unfinished({ view, question }: { view: DraftView; question: Question }) {
  const { t } = useTranslation();
  const zone = useZone();
  const session = useDraft((state) => state.session);
  const begin = useDraft((state) => state.begin);
  const change = useDraft((state) => state.change);
  const keep = useDraft((state) => state.keep);
  const { working } = view;
  const isOwn = question === "moved" || question === "other";
  const content: DraftContent | null = isOwn ? (session?.history.present ?? null) : (working?.draft ?? null);
  const at = isOwn ? (session?.keptAt ?? null) : (working?.keptAt ?? null);
  // Taken up and then taken back, so that undo still has it.
  const throwAway = () => {
    if (content !== null) begin(content, working?.hash ?? null, at);
    change(view.draft);
    void keep();
  };
  return (
    <section className="panel attention tone-warn" aria-labelledby="unfinished-title">
      <header>
        <h2 id="unfinished-title" className="row tight">
          <History size={16} aria-hidden />
          {at === null
            ? t("draft.unfinished.titleUnkept")
            : t("draft.unfinished.title", { at: formatZoned(at, zone, "minute") })}
        </h2>
      </header>
      <div className="body stack">
        <p>{t(`draft.unfinished.why.${question}`)}</p>
        {content === null ? null : (
          <p className="muted">{t("draft.unfinished.changes", { count: changedParts(view.draft, content).length })}</p>
        )}
        <div className="row">
          {content === null ? null : (
            <Button variant="filled" onClick={() => begin(content, working?.hash ?? null, at)}>
              {t(`draft.unfinished.go.${question}`)}
            </Button>
          )}
          {question === "other" && working !== null ? (
            <Button onClick={() => begin(working.draft, working.hash, working.keptAt)}>
              {t("draft.unfinished.takeOther")}
            </Button>
          ) : (
            <Button onClick={throwAway}>{t("draft.unfinished.throwAway")}</Button>
          )}
        </div>
        <p className="muted small">{t("draft.unfinished.note")}</p>
      </div>
    </section>
  );
}
