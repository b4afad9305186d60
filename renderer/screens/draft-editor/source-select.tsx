import { Button } from "@mantine/core";
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ask } from "../../bridge";
import { isComposing } from "../../components/keyboard";
import { formatNumber } from "../../format";
import type { SnapshotView } from "../../stores/content-review";
import { useDraft } from "../../stores/draft";
import type { DraftFact } from "../../stores/draft-content";
import { wordFor } from "../../words";
import { findWords, hasUnseen, showText, trimSpan, WINDOW, wholePlace, windowEnd, windowFrom } from "./source-window";

interface Span {
  start: number;
  end: number;
}

/** So much of a selection is shown below the text. */
const SHOWN = 240;

/**
 * A source's text as a field in which words are selected, by mouse or by keyboard, and nothing can be typed. The browser's own
 * selection is used: every key, screen reader and hand knows it. A long text is shown in parts, and says so.
 */
export function SourceSelect(props: {
  id: string;
  taskId: string;
  snapshot: SnapshotView;
  fact: DraftFact | null;
  number: number;
  search: { words: string; count: number };
}) {
  const { id, taskId, snapshot, fact, number, search } = props;
  const { t } = useTranslation();
  const shown = useMemo(() => showText(snapshot.text), [snapshot.text]);
  const box = useRef<HTMLTextAreaElement>(null);
  const { from, setFrom, span, setSpan, jump } = usePlace(shown, fact, snapshot.hash, box);
  const [fault, setFault] = useState<string | null>(null);
  const end = windowEnd(shown, from);
  useReadOnly(box);
  useSearch(shown, search, span, jump, box);
  const take = async () => {
    if (fact === null || span === null) return;
    setFault(await pick(taskId, fact.id, { snapshotHash: snapshot.hash, ...span }));
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || isComposing(event)) return;
    event.preventDefault();
    void take();
  };
  const select = () => {
    const { current } = box;
    if (current === null) return;
    setFault(null);
    setSpan(trimSpan(snapshot.text, from + current.selectionStart, from + current.selectionEnd));
  };
  return (
    <>
      {shown.length > WINDOW ? (
        <Parts length={shown.length} from={from} end={end} go={(next) => setFrom(wholePlace(shown, next))} />
      ) : null}
      {hasUnseen(snapshot.text) ? <p className="tab-note small muted">{t("draft.source.unseen")}</p> : null}
      <textarea
        ref={box}
        id={id}
        className="source-select"
        dir="auto"
        aria-readonly="true"
        aria-label={t("draft.source.text", { title: snapshot.sourceTitle })}
        aria-describedby={`${id}-hint`}
        spellCheck={false}
        value={shown.slice(from, end)}
        onChange={() => undefined}
        onSelect={select}
        onKeyDown={onKey}
      />
      <footer className="foot stack tight">
        <p id={`${id}-hint`} className="small muted">
          {t("draft.source.hint")}
        </p>
        {span === null ? null : (
          <p className="small wrap">
            <q>
              <bdi>{shown.slice(span.start, Math.min(span.end, span.start + SHOWN))}</bdi>
            </q>
            {span.end - span.start > SHOWN ? " …" : null}{" "}
            <span className="muted">{t("draft.source.selected", { count: span.end - span.start })}</span>
          </p>
        )}
        {fault === null ? null : (
          <p role="alert" className="small tone-bad-text">
            {wordFor("draft.fault", fault)}
          </p>
        )}
        <div>
          <Button disabled={span === null || fact === null} onClick={() => void take()}>
            {t("draft.source.take", { number })}
          </Button>
        </div>
      </footer>
    </>
  );
}

/** The part of the text that is laid out and the span that is selected; another fact, or a new quote, brings its own. */
function usePlace(shown: string, fact: DraftFact | null, hash: string, box: { current: HTMLTextAreaElement | null }) {
  const [start, end] = fact?.span?.snapshotHash === hash ? [fact.span.start, fact.span.end] : [0, 0];
  const [from, setFrom] = useState(() => windowFrom(shown, start));
  const [span, setSpan] = useState<Span | null>(null);
  const jump = (next: Span | null) => {
    setFrom(windowFrom(shown, next?.start ?? 0));
    setSpan(next);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another fact or another quote moves the text by itself
  useEffect(() => jump(end > start && end <= shown.length ? { start, end } : null), [fact?.id, start, end]);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null || span === null) return;
    const [first, last] = [span.start - from, span.end - from];
    if (first < 0 || current.selectionStart === first || document.activeElement === current) return;
    current.setSelectionRange(first, last);
  }, [from, span, box]);
  useLayoutEffect(() => {
    if (box.current !== null && from >= 0) box.current.scrollTop = 0;
  }, [from, box]);
  return { from, setFrom, span, setSpan, jump };
}

/** Selecting is all that can be done: typing, pasting, cutting and dropping are stopped before they change anything. */
function useReadOnly(box: { current: HTMLTextAreaElement | null }): void {
  useEffect(() => {
    const { current } = box;
    const stop = (event: Event) => event.preventDefault();
    current?.addEventListener("beforeinput", stop);
    return () => current?.removeEventListener("beforeinput", stop);
  }, [box]);
}

function useSearch(
  shown: string,
  search: { words: string; count: number },
  span: Span | null,
  jump: (span: Span) => void,
  box: { current: HTMLTextAreaElement | null },
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each press of the key is one search
  useEffect(() => {
    if (search.count === 0) return;
    const found = findWords(shown, search.words, span?.end ?? 0);
    if (found === null) return;
    const from = windowFrom(shown, found.start);
    jump(found);
    requestAnimationFrame(() => {
      box.current?.focus();
      box.current?.setSelectionRange(found.start - from, found.end - from);
    });
  }, [search.count]);
}

/** Has the words at the span read where they stand. @returns what is wrong with them, or null once they are the fact's quote. */
async function pick(
  taskId: string,
  factId: string,
  span: { snapshotHash: string; start: number; end: number },
): Promise<string | null> {
  const reply = await ask("draft.pick", { taskId, span });
  if (!reply.ok) return "source_missing";
  const { value } = reply;
  if (value.kind === "fault") return value.fault;
  const { quote, url, sourceId, sourceTitle } = value;
  const { session, change } = useDraft.getState();
  if (session === null) return null;
  const { present } = session.history;
  const facts = present.facts.map((fact) =>
    fact.id === factId ? { ...fact, span, quote, url, sourceId, sourceTitle, fault: null } : fact,
  );
  change({ ...present, facts });
  return null;
}

function Parts({ length, from, end, go }: { length: number; from: number; end: number; go: (from: number) => void }) {
  const { t } = useTranslation();
  // Neighbouring parts share some text, so that no quote is cut by their border.
  const step = WINDOW / 2;
  return (
    <div className="tab-note row tight small">
      <span>
        {t("draft.source.part", { from: formatNumber(from + 1), to: formatNumber(end), of: formatNumber(length) })}
      </span>
      <Button size="compact-xs" disabled={from === 0} onClick={() => go(Math.max(0, from - step))}>
        {t("draft.source.earlier")}
      </Button>
      <Button size="compact-xs" disabled={end >= length} onClick={() => go(from + step)}>
        {t("draft.source.later")}
      </Button>
    </div>
  );
}
