import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { AnswerGate } from "../components/AnswerGate";
import { HashChip } from "../components/HashChip";
import { TaskHead } from "../components/TaskHead";
import { type SendReviewView, useSendReview } from "../stores/send-review";
import { useEdition } from "../stores/today";
import { Audience } from "./send-review/audience";
import { Checklist } from "./send-review/checklist";
import { MailPreview } from "./send-review/mail-preview";
import { SendDecision } from "./send-review/send-decision";

/** The last look before mails leave: page, text and audience, each in order or not, and the exact number of recipients. */
export function SendReview({ taskId }: { taskId: string }) {
  const { t } = useTranslation();
  const answer = useSendReview((state) => state.answer);
  const value = answer.value?.taskId === taskId ? answer.value : null;
  const edition = useEdition(taskId);
  return (
    <>
      <TaskHead screen="send" taskId={taskId} edition={value?.edition ?? edition} state={value?.state ?? null}>
        {value ? <HashChip hash={value.bodyHash} of="body" /> : null}
      </TaskHead>
      <AnswerGate answer={{ ...answer, value }} empty={t("send.empty")}>
        {(review) => <Review review={review} />}
      </AnswerGate>
    </>
  );
}

function Review({ review }: { review: SendReviewView }) {
  const { t } = useTranslation();
  return (
    <>
      {review.state === "published" ? (
        <div className="notice tone-warn" role="note">
          <TriangleAlert size={16} aria-hidden />
          <p>{t("send.rejected")}</p>
        </div>
      ) : null}
      <div className="send-grid">
        <div className="stack wide">
          <Checklist review={review} />
          <Audience review={review} />
        </div>
        <MailPreview review={review} />
        <SendDecision review={review} />
      </div>
    </>
  );
}
