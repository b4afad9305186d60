import { useTranslation } from "react-i18next";
import { AnswerGate } from "../components/AnswerGate";
import { HashChip } from "../components/HashChip";
import { Empty } from "../components/Panel";
import { TaskHead } from "../components/TaskHead";
import { UnmetList } from "../components/UnmetList";
import { openQuestion, useDraft } from "../stores/draft";
import type { DraftView } from "../stores/draft-content";
import { useEdition } from "../stores/today";
import { Desk } from "./draft-editor/desk";
import { Unfinished } from "./draft-editor/unfinished";

/** The draft of an edition, to be edited beside the frozen sources that its quotes are picked from. */
export function DraftEditor({ taskId }: { taskId: string }) {
  const { t } = useTranslation();
  const answer = useDraft((state) => state.answer);
  const value = answer.value?.taskId === taskId ? answer.value : null;
  const edition = useEdition(taskId);
  return (
    <>
      <TaskHead screen="draft" taskId={taskId} edition={value?.edition ?? edition} state={value?.state ?? null}>
        {value?.draftHash ? <HashChip hash={value.draftHash} of="draft" /> : null}
      </TaskHead>
      <AnswerGate answer={{ ...answer, value }} empty={t("draft.empty")}>
        {(view) => <Open view={view} />}
      </AnswerGate>
    </>
  );
}

/** A question about an unfinished edit comes before everything else: nothing of it is applied by itself. */
function Open({ view }: { view: DraftView }) {
  const { t } = useTranslation();
  const session = useDraft((state) => state.session);
  const question = openQuestion(view, session);
  if (question !== null) return <Unfinished view={view} question={question} />;
  if (session === null) return <p className="muted">{t("loading")}</p>;
  const isBegun = session.working !== null || session.history.past.length > 0;
  if (!view.canEdit && !isBegun)
    return (
      <section className="panel">
        <Empty>{t("draft.notHere")}</Empty>
        <div className="body">
          <UnmetList items={view.unmet} />
        </div>
      </section>
    );
  return <Desk view={view} session={session} />;
}
