import { Tabs } from "@mantine/core";
import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { AnswerGate } from "../components/AnswerGate";
import { HashChip } from "../components/HashChip";
import { TaskHead } from "../components/TaskHead";
import { type ContentReviewView, type ContentTab, useContentReview } from "../stores/content-review";
import { useEdition } from "../stores/today";
import { Decision } from "./content-review/decision";
import { DiffTab } from "./content-review/diff-tab";
import { LinksTab } from "./content-review/links-tab";
import { Manuscript } from "./content-review/manuscript";
import { PreviewTab } from "./content-review/preview-tab";
import { SourcePane } from "./content-review/source-pane";

/** The frozen package of an edition, its sources beside it, and the decision about exactly these bytes. */
export function ContentReview({ taskId }: { taskId: string }) {
  const { t } = useTranslation();
  const answer = useContentReview((state) => state.answer);
  const value = answer.value?.taskId === taskId ? answer.value : null;
  const edition = useEdition(taskId);
  return (
    <>
      <TaskHead screen="content" taskId={taskId} edition={value?.edition ?? edition} state={value?.state ?? null}>
        {value ? <HashChip hash={value.packageHash} of="package" /> : null}
      </TaskHead>
      <AnswerGate answer={{ ...answer, value }} empty={t("content.empty")}>
        {(review) => <Review review={review} />}
      </AnswerGate>
    </>
  );
}

function Review({ review }: { review: ContentReviewView }) {
  const { t } = useTranslation();
  const tab = useContentReview((state) => state.tab);
  const show = useContentReview((state) => state.show);
  return (
    <>
      {review.current ? null : (
        <div className="notice tone-warn" role="note">
          <TriangleAlert size={16} aria-hidden />
          <p>{t("content.notCurrent")}</p>
        </div>
      )}
      <div className="review-grid">
        <Tabs
          value={tab}
          onChange={(next) => show((next ?? "facts") as ContentTab)}
          keepMounted={false}
          className="panel review-tabs"
        >
          <Tabs.List aria-label={t("content.tabs.label")}>
            {(["facts", "preview", "diff", "links"] as const).map((one) => (
              <Tabs.Tab key={one} value={one}>
                {t(`content.tabs.${one}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="facts" className="split">
            <Manuscript review={review} />
            <SourcePane review={review} />
          </Tabs.Panel>
          <Tabs.Panel value="preview">
            <PreviewTab review={review} />
          </Tabs.Panel>
          <Tabs.Panel value="diff">
            <DiffTab review={review} />
          </Tabs.Panel>
          <Tabs.Panel value="links">
            <LinksTab review={review} />
          </Tabs.Panel>
        </Tabs>
        <Decision review={review} />
      </div>
    </>
  );
}
