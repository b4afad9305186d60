import { Button, Textarea, TextInput } from "@mantine/core";
import { Plus } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { type DraftSession, useDraft } from "../../stores/draft";
import { type DraftContent, type DraftFact, type DraftView, moveFact, newFact } from "../../stores/draft-content";
import { FactCard } from "./fact-card";
import { QuotePicker } from "./quote-picker";
import { useEditorKeys } from "./use-editor-keys";
import { useFocusKept } from "./use-focus-kept";
import { WorkBar } from "./work-bar";

/** Where an edit is made: the words on the left, the frozen source of the fact at hand on the right. */
export function Desk({ view, session }: { view: DraftView; session: DraftSession }) {
  const { t } = useTranslation();
  const form = useRef<HTMLDivElement>(null);
  const change = useDraft((state) => state.change);
  const seal = useDraft((state) => state.seal);
  const compose = useDraft((state) => state.compose);
  const factId = useDraft((state) => state.factId);
  useEditorKeys();
  const keepFocus = useFocusKept(form);
  const { present } = session.history;
  const fact = present.facts.find(({ id }) => id === factId) ?? present.facts[0] ?? null;
  const setFacts = (facts: DraftContent["facts"], field?: string) => {
    keepFocus();
    change({ ...present, facts }, field);
  };
  return (
    <div className="draft-grid">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only listens to what its fields tell, to close a step of undo */}
      <div
        ref={form}
        className="panel draft-form"
        onBlur={seal}
        onCompositionStart={() => compose(true)}
        onCompositionEnd={() => compose(false)}
      >
        <WorkBar view={view} session={session} />
        <div className="edit-fields">
          <Words present={present} />
          <ol className="stack wide" aria-label={t("draft.facts")}>
            {present.facts.map((one, index) => (
              <FactCard
                key={one.id}
                fact={one}
                number={index + 1}
                count={present.facts.length}
                isChosen={one.id === fact?.id}
                change={(next, field) => setFacts(replaced(present.facts, next), `${one.id} ${field}`)}
                move={(by) => setFacts(moveFact(present.facts, one.id, by))}
                remove={() => setFacts(present.facts.filter(({ id }) => id !== one.id))}
              />
            ))}
          </ol>
          <AddFact session={session} />
        </div>
      </div>
      <QuotePicker view={view} fact={fact} number={present.facts.findIndex(({ id }) => id === fact?.id) + 1} />
    </div>
  );
}

const replaced = (facts: DraftContent["facts"], next: DraftFact): DraftContent["facts"] =>
  facts.map((fact) => (fact.id === next.id ? next : fact));

/** Lengths that a draft may have: the fields take no more. */
const LINE_MAX = 200;
const TEXT_MAX = 2000;

function Words({ present }: { present: DraftContent }) {
  const { t } = useTranslation();
  const change = useDraft((state) => state.change);
  const { title, intro, email } = present;
  return (
    <>
      <TextInput
        label={t("draft.field.title")}
        value={title}
        maxLength={LINE_MAX}
        onChange={(event) => change({ ...present, title: event.currentTarget.value }, "title")}
      />
      <Textarea
        label={t("draft.field.intro")}
        value={intro}
        maxLength={TEXT_MAX}
        rows={3}
        onChange={(event) => change({ ...present, intro: event.currentTarget.value }, "intro")}
      />
      <fieldset className="fact-fields">
        <legend>{t("draft.email")}</legend>
        <TextInput
          label={t("draft.field.email_subject")}
          value={email.subject}
          maxLength={LINE_MAX}
          onChange={(event) =>
            change({ ...present, email: { ...email, subject: event.currentTarget.value } }, "email.subject")
          }
        />
        <Textarea
          label={t("draft.field.email_intro")}
          value={email.intro}
          maxLength={TEXT_MAX}
          rows={3}
          onChange={(event) =>
            change({ ...present, email: { ...email, intro: event.currentTarget.value } }, "email.intro")
          }
        />
      </fieldset>
    </>
  );
}

/** As many as a draft may have. */
const FACTS_MAX = 40;

function AddFact({ session }: { session: DraftSession }) {
  const { t } = useTranslation();
  const change = useDraft((state) => state.change);
  const select = useDraft((state) => state.select);
  const { past, present, future } = session.history;
  const add = (form: Element | null) => {
    const known = [session.from, ...past, present, ...future].flatMap(({ facts }) => facts.map(({ id }) => id));
    const fact = newFact(known);
    change({ ...present, facts: [...present.facts, fact] });
    select(fact.id);
    requestAnimationFrame(() => form?.querySelector<HTMLElement>("ol > li:last-child input")?.focus());
  };
  return (
    <div>
      <Button
        leftSection={<Plus size={14} aria-hidden />}
        disabled={present.facts.length >= FACTS_MAX}
        onClick={(event) => add(event.currentTarget.closest(".draft-form"))}
      >
        {t("draft.add")}
      </Button>
    </div>
  );
}
