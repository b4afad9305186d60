import { useTranslation } from "react-i18next";
import { Diff } from "../../components/Diff";
import { HashChip } from "../../components/HashChip";
import { type ContentReviewView, useContentReview } from "../../stores/content-review";

/** What changed against an earlier version; which one is chosen here and recorded with the approval. */
export function DiffTab({ review }: { review: ContentReviewView }) {
  const { t } = useTranslation();
  const compare = useContentReview((state) => state.compare);
  const { choice, hash, edition } = review.comparedWith;
  return (
    <div>
      <div className="tab-head">
        <fieldset className="choices-row">
          <legend>{t("content.diff.compareWith")}</legend>
          {(["last_approved", "last_published", "nothing"] as const).map((one) => (
            <label key={one}>
              <input type="radio" name="compare-with" checked={choice === one} onChange={() => void compare(one)} />
              {t(`content.diff.${one}`)}
            </label>
          ))}
        </fieldset>
        <span className="row tight muted small">
          {choice === "nothing"
            ? t("content.diff.againstNothing")
            : edition === null
              ? t("content.diff.none")
              : t("content.diff.against", { edition })}
          {hash === null ? null : <HashChip hash={hash} of="compared" />}
        </span>
      </div>
      <p className="tab-note muted small">{t("content.diff.kept")}</p>
      <Diff parts={review.diff} />
    </div>
  );
}
