import { Checkbox } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CopyLine, HashChip } from "../../components/HashChip";
import { Countdown, Moment } from "../../components/Moments";
import { Panel } from "../../components/Panel";
import { type ContentReviewView, useContentReview } from "../../stores/content-review";
import { wordFor, wordOrText } from "../../words";
import { ApprovalBox } from "../approval-box";
import { RejectReview } from "../reject-review";
import { Approve } from "./approve";
import { readSections, sectionsOf, warningKey } from "./sections";

const GATE = "awaiting_content_approval";

/** Everything the decision rests on, in the order in which it is needed, and the decision last. */
export function Decision({ review }: { review: ContentReviewView }) {
  const { t } = useTranslation();
  return (
    <Panel
      title={t("content.decision.title")}
      className="decision"
      foot={
        review.state === GATE ? (
          <>
            <Approve review={review} />
            <RejectReview channel="contentReview.reject" words="content" review={review} />
          </>
        ) : null
      }
    >
      <div className="stack wide">
        <div className="row tight">
          <HashChip hash={review.packageHash} of="package" />
          <HashChip hash={review.contentHash} of="content" />
          <span className="muted small">{t("content.rule", { version: review.hashRuleVersion })}</span>
        </div>
        {review.approval ? (
          <ApprovalBox taskId={review.taskId} state={review.state} approval={review.approval} />
        ) : null}
        {review.state === GATE ? (
          <>
            <Reading review={review} />
            <Warnings review={review} />
          </>
        ) : null}
        <WillCall review={review} />
      </div>
    </Panel>
  );
}

function Reading({ review }: { review: ContentReviewView }) {
  const { t } = useTranslation();
  const reads = useContentReview((state) => state.reads);
  const sections = sectionsOf(review);
  const read = readSections(sections, reads).length;
  return (
    <section className="stack tight" aria-label={t("content.read.title")}>
      <p className="num">{t("content.read.progress", { read, total: sections.length })}</p>
      <progress max={sections.length} value={read} aria-label={t("content.read.title")} />
      <p className="muted small">{t("content.read.note")}</p>
    </section>
  );
}

function Warnings({ review }: { review: ContentReviewView }) {
  const { t } = useTranslation();
  const ticked = useContentReview((state) => state.ticked);
  const tick = useContentReview((state) => state.tick);
  if (review.warnings.length === 0) return <p className="muted">{t("content.warnings.none")}</p>;
  return (
    <fieldset className="ticks">
      <legend>{t("content.warnings.title")}</legend>
      {review.warnings.map((warning) => {
        const key = warningKey(warning);
        return (
          <Checkbox
            key={key}
            checked={ticked.includes(key)}
            label={wordFor("content.warning", warning.code, warning.values)}
            onChange={(event) => tick(key, event.currentTarget.checked)}
          />
        );
      })}
    </fieldset>
  );
}

function WillCall({ review }: { review: ContentReviewView }) {
  const { t } = useTranslation();
  const call = review.willCall;
  return (
    <section className="stack tight">
      <h3>{t("content.decision.willCall")}</h3>
      <dl className="facts-of small">
        <dt>{t("content.decision.site")}</dt>
        <dd>{call.site}</dd>
        <dt>{t("content.decision.url")}</dt>
        <dd className="mono">{call.url}</dd>
        <dt>{t("content.decision.key")}</dt>
        <dd>
          <CopyLine value={call.operationKey} what={t("content.decision.key")} />
        </dd>
        <dt>{t("content.decision.undo")}</dt>
        <dd>{wordOrText("undo", call.undo)}</dd>
        <dt>{t("content.decision.grade")}</dt>
        <dd>{wordOrText("grade", call.undoGrade)}</dd>
        <dt>{t("content.decision.until")}</dt>
        <dd className="row tight">
          <Moment at={call.expiresAt} />
          <Countdown until={call.expiresAt} />
        </dd>
        <dt>{t("content.receipt")}</dt>
        <dd className="mono">{review.checkReceipt}</dd>
      </dl>
      <p className="muted small">{t("content.decision.once")}</p>
    </section>
  );
}
