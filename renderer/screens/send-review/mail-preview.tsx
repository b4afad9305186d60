import { useTranslation } from "react-i18next";
import { Panel } from "../../components/Panel";
import { type SendReviewView, useSendReview } from "../../stores/send-review";

/** The e-mail as text and as a sandboxed page. */
export function MailPreview({ review }: { review: SendReviewView }) {
  const { t } = useTranslation();
  const tab = useSendReview((state) => state.tab);
  const show = useSendReview((state) => state.show);
  return (
    <Panel
      title={review.subject}
      className="mail-preview"
      flush
      actions={
        <fieldset className="choices-row">
          <legend>{t("send.preview.label")}</legend>
          {(["text", "page"] as const).map((one) => (
            <label key={one}>
              <input type="radio" name="mail-as" checked={tab === one} onChange={() => show(one)} />
              {t(`send.preview.${one}`)}
            </label>
          ))}
        </fieldset>
      }
    >
      {tab === "text" ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <pre className="mail-text wrap" tabIndex={0}>
          {review.bodyText}
        </pre>
      ) : (
        <div className="frame-well email">
          <iframe sandbox="" referrerPolicy="no-referrer" src={review.previewUrl} title={t("send.preview.frame")} />
        </div>
      )}
    </Panel>
  );
}
