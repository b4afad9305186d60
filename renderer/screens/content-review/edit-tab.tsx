import { Button, Textarea, TextInput } from "@mantine/core";
import { ArrowDown, ArrowUp } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Empty } from "../../components/Panel";
import { useCommands } from "../../stores/commands";
import { type ContentEdit, type ContentReviewView, useContentReview } from "../../stores/content-review";
import { useNav } from "../../stores/nav";
import { changedSections, editOf, moveFact } from "./edit-model";

const EDITABLE = ["awaiting_content_approval", "content_approved"];

/** Title, introduction, headlines, statements and their order. Quotes are frozen: they are picked from sources, never typed. */
export function EditTab({ review }: { review: ContentReviewView }) {
  const { t } = useTranslation();
  const before = useMemo(() => editOf(review), [review]);
  const edit = useContentReview((state) => state.draft) ?? before;
  const setEdit = useContentReview((state) => state.setDraft);
  if (!EDITABLE.includes(review.state) || !review.current) return <Empty>{t("content.edit.notHere")}</Empty>;
  return (
    <div className="edit-tab">
      <SaveBar review={review} edit={edit} changed={changedSections(before, edit)} discard={() => setEdit(null)} />
      <div className="edit-fields">
        <TextInput
          label={t("content.edit.titleField")}
          value={edit.title}
          maxLength={300}
          onChange={(event) => setEdit({ ...edit, title: event.currentTarget.value })}
        />
        <Textarea
          label={t("content.edit.intro")}
          value={edit.intro}
          maxLength={4000}
          onChange={(event) => setEdit({ ...edit, intro: event.currentTarget.value })}
        />
        <ol className="stack wide">
          {edit.facts.map((fact, index) => (
            <FactFields
              key={fact.id}
              number={index + 1}
              last={index === edit.facts.length - 1}
              fact={fact}
              quote={review.facts.find((one) => one.id === fact.id)?.quote ?? ""}
              change={(next) => setEdit({ ...edit, facts: edit.facts.map((one) => (one.id === fact.id ? next : one)) })}
              move={(step) => setEdit({ ...edit, facts: moveFact(edit.facts, index, step) })}
            />
          ))}
        </ol>
      </div>
    </div>
  );
}

/** Asks before the screen is left with unsaved edits. Belongs to the whole review: the edit outlives its tab. */
export function useEditGuard(review: ContentReviewView): void {
  const draft = useContentReview((state) => state.draft);
  const dirty = draft !== null && changedSections(editOf(review), draft).length > 0;
  const setGuard = useNav((state) => state.setGuard);
  useEffect(() => {
    setGuard(dirty ? () => true : null);
    return () => setGuard(null);
  }, [dirty, setGuard]);
}

type FactEdit = ContentEdit["facts"][number];

function FactFields({
  number,
  last,
  fact,
  quote,
  change,
  move,
}: {
  number: number;
  last: boolean;
  fact: FactEdit;
  quote: string;
  change: (fact: FactEdit) => void;
  move: (step: 1 | -1) => void;
}) {
  const { t } = useTranslation();
  return (
    <li>
      <fieldset className="fact-fields">
        <legend className="row tight">
          {t("content.facts.number", { number })}
          <Button
            size="compact-xs"
            disabled={number === 1}
            aria-label={t("content.edit.up", { number })}
            title={t("content.edit.up", { number })}
            onClick={() => move(-1)}
          >
            <ArrowUp size={13} aria-hidden />
          </Button>
          <Button
            size="compact-xs"
            disabled={last}
            aria-label={t("content.edit.down", { number })}
            title={t("content.edit.down", { number })}
            onClick={() => move(1)}
          >
            <ArrowDown size={13} aria-hidden />
          </Button>
        </legend>
        <TextInput
          label={t("content.edit.headline")}
          value={fact.headline}
          maxLength={300}
          onChange={(event) => change({ ...fact, headline: event.currentTarget.value })}
        />
        <Textarea
          label={t("content.edit.statement")}
          value={fact.statement}
          maxLength={2000}
          onChange={(event) => change({ ...fact, statement: event.currentTarget.value })}
        />
        <p className="small">
          <span className="muted">{t("content.edit.quote")}</span> <q className="wrap">{quote}</q>
        </p>
      </fieldset>
    </li>
  );
}

function SaveBar({
  review,
  edit,
  changed,
  discard,
}: {
  review: ContentReviewView;
  edit: ContentEdit;
  changed: readonly string[];
  discard: () => void;
}) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const busy = useCommands((state) => state.busy["contentReview.edit"] === true);
  const send = useCommands((state) => state.send);
  const wrong =
    edit.title.trim() === ""
      ? "invalidTitle"
      : edit.facts.some((fact) => fact.headline.trim() === "" || fact.statement.trim() === "")
        ? "invalidFacts"
        : null;
  const lost = [
    "package",
    ...(review.approval?.state === "living" ? ["approval" as const] : []),
    "checks",
    "reads",
  ] as const;
  const save = async () => {
    await send(
      "contentReview.edit",
      { taskId: review.taskId, expectedVersion: review.stateVersion, basePackageHash: review.packageHash, edit },
      t("content.edit.saveLabel"),
    );
    setAsking(false);
  };
  return (
    <div className="tab-head sticky">
      <span>
        {wrong ? (
          <span className="tone-bad-text">{t(`content.edit.${wrong}`)}</span>
        ) : changed.length === 0 ? (
          <span className="muted">{t("content.edit.untouched")}</span>
        ) : (
          t("content.edit.changed", { count: changed.length })
        )}
      </span>
      <span className="row tight">
        <Button disabled={changed.length === 0} onClick={discard}>
          {t("content.edit.discard")}
        </Button>
        <Button variant="filled" disabled={changed.length === 0 || wrong !== null} onClick={() => setAsking(true)}>
          {t("content.edit.save")}
        </Button>
      </span>
      <ConfirmDialog
        opened={asking}
        title={t("content.edit.confirmTitle")}
        confirmLabel={t("content.edit.confirm")}
        busy={busy}
        onCancel={() => setAsking(false)}
        onConfirm={() => void save()}
      >
        <div className="stack">
          <h3>{t("content.edit.invalidates")}</h3>
          <ul className="points">
            {lost.map((what) => (
              <li key={what}>{t(`content.edit.invalidatesList.${what}`)}</li>
            ))}
          </ul>
          <p className="muted">{t("content.edit.keeps")}</p>
        </div>
      </ConfirmDialog>
    </div>
  );
}
