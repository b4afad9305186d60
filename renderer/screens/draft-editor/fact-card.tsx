import { Button, Textarea, TextInput } from "@mantine/core";
import { ArrowDown, ArrowUp, Quote, Trash2, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Mark } from "../../components/StateBadge";
import { useDraft } from "../../stores/draft";
import type { DraftFact } from "../../stores/draft-content";
import { wordFor } from "../../words";
import { focusSourceText } from "./quote-picker";
import { showText } from "./source-window";

const HEADLINE_MAX = 300;
const STATEMENT_MAX = 2000;

/** One fact: what is said, the quote it stands on, and what is wrong with that. */
export function FactCard({
  fact,
  number,
  count,
  isChosen,
  change,
  move,
  remove,
}: {
  fact: DraftFact;
  number: number;
  count: number;
  isChosen: boolean;
  change: (fact: DraftFact, field: string) => void;
  move: (by: 1 | -1) => void;
  remove: () => void;
}) {
  const { t } = useTranslation();
  const select = useDraft((state) => state.select);
  const pick = () => {
    select(fact.id);
    // The source of this fact is laid out first.
    requestAnimationFrame(focusSourceText);
  };
  return (
    <li onFocusCapture={() => select(fact.id)}>
      <fieldset className={`fact-fields${isChosen ? " chosen" : ""}${fact.fault === null ? "" : " faulty"}`}>
        <legend className="row tight">
          {t("draft.fact", { number })}
          <Tool label={t("draft.up", { number })} isOff={number === 1} act={() => move(-1)}>
            <ArrowUp size={13} aria-hidden />
          </Tool>
          <Tool label={t("draft.down", { number })} isOff={number === count} act={() => move(1)}>
            <ArrowDown size={13} aria-hidden />
          </Tool>
          <Tool label={t("draft.remove", { number })} isOff={false} act={remove}>
            <Trash2 size={13} aria-hidden />
          </Tool>
        </legend>
        {fact.fault === null ? null : (
          <p>
            <Mark tone="bad" icon={TriangleAlert}>
              {wordFor("draft.fault", fact.fault)}
            </Mark>
          </p>
        )}
        <TextInput
          label={t("draft.field.headline")}
          value={fact.headline}
          maxLength={HEADLINE_MAX}
          onChange={(event) => change({ ...fact, headline: event.currentTarget.value }, "headline")}
        />
        <Textarea
          label={t("draft.field.statement")}
          value={fact.statement}
          maxLength={STATEMENT_MAX}
          rows={3}
          onChange={(event) => change({ ...fact, statement: event.currentTarget.value }, "statement")}
        />
        <div className="small stack tight">
          {fact.quote === "" ? null : (
            <q className="wrap">
              <bdi>{showText(fact.quote)}</bdi>
            </q>
          )}
          <span className="row tight muted">
            {fact.sourceTitle}
            <Button size="compact-xs" leftSection={<Quote size={12} aria-hidden />} onClick={pick}>
              {fact.span === null ? t("draft.pickFor", { number }) : t("draft.pickAnew", { number })}
            </Button>
          </span>
        </div>
      </fieldset>
    </li>
  );
}

/** Stays focusable while it is off: a fact moved to the top by keyboard must not lose the focus with the button. */
function Tool({
  label,
  isOff,
  act,
  children,
}: {
  label: string;
  isOff: boolean;
  act: () => void;
  children: ReactNode;
}) {
  return (
    <Button
      size="compact-xs"
      aria-label={label}
      title={label}
      aria-disabled={isOff}
      data-disabled={isOff || undefined}
      onClick={() => (isOff ? undefined : act())}
    >
      {children}
    </Button>
  );
}
