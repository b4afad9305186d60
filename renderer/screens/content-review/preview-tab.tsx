import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ContentReviewView } from "../../stores/content-review";
import { ReadBox } from "./manuscript";
import { type Section, sectionsOf } from "./sections";

/** The page as a reader gets it, in two widths, and the e-mail: hostile HTML, so framed without scripts and without network. */
export function PreviewTab({ review }: { review: ContentReviewView }) {
  const { t } = useTranslation();
  const [as, setAs] = useState<"desktop" | "phone" | "email">("desktop");
  const section = sectionsOf(review).find((one) => one.kind === "email") as Section;
  return (
    <div className="preview-tab">
      <div className="tab-head">
        <fieldset className="choices-row">
          <legend>{t("content.preview.width")}</legend>
          {(["desktop", "phone", "email"] as const).map((one) => (
            <label key={one}>
              <input type="radio" name="preview-as" checked={as === one} onChange={() => setAs(one)} />
              {t(`content.preview.${one}`)}
            </label>
          ))}
        </fieldset>
        {as === "email" ? (
          <ReadBox section={section} labelled />
        ) : (
          <span className="muted small">{t("content.preview.note")}</span>
        )}
      </div>
      {as === "email" ? (
        <dl className="facts-of tab-note">
          <dt>{t("content.preview.subject")}</dt>
          <dd>{review.email.subject}</dd>
          <dt>{t("content.preview.emailIntro")}</dt>
          <dd>{review.email.intro}</dd>
        </dl>
      ) : null}
      <div className={`frame-well ${as}`}>
        <iframe
          key={as}
          sandbox=""
          referrerPolicy="no-referrer"
          src={as === "email" ? review.emailPreviewUrl : review.previewUrl}
          title={t(`content.preview.frame.${as}`)}
        />
      </div>
    </div>
  );
}
