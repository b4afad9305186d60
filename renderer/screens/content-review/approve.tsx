import { Button, TextInput } from "@mantine/core";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { UnmetList } from "../../components/UnmetList";
import { formatZoned } from "../../format";
import { useZone } from "../../stores/clock";
import { useCommands } from "../../stores/commands";
import { type ContentReviewView, useContentReview } from "../../stores/content-review";
import { readSections, sectionsOf, warningKey } from "./sections";

/**
 * The one button that allows a publication. It sends the hashes that are on the screen, so that the main process can refuse
 * when its own differ, and it says why while it is off.
 */
export function Approve({ review }: { review: ContentReviewView }) {
  const { t } = useTranslation();
  const zone = useZone();
  const reasons = useId();
  const { ticked, typed, reads, type } = useContentReview();
  const busy = useCommands((state) => state.busy["contentReview.approve"] === true);
  const send = useCommands((state) => state.send);
  const open = review.warnings.filter((warning) => !ticked.includes(warningKey(warning))).length;
  const missing = [
    ...(review.current ? [] : [t("content.decision.notCurrent")]),
    ...(open > 0 ? [t("content.decision.needTicks", { count: open })] : []),
    ...(typed.trim() === review.edition ? [] : [t("content.decision.needTyped")]),
  ];
  const off = missing.length > 0 || !review.canApprove;
  const { choice, hash } = review.comparedWith;
  const approve = () =>
    send(
      "contentReview.approve",
      {
        taskId: review.taskId,
        expectedVersion: review.stateVersion,
        packageHash: review.packageHash,
        contentHash: review.contentHash,
        comparedWith: { choice, hash },
        acknowledgedWarnings: review.warnings.map(warningKey).filter((key) => ticked.includes(key)),
        readSections: readSections(sectionsOf(review), reads),
      },
      t("content.decision.approveLabel"),
    );
  return (
    <div className="stack">
      <TextInput
        label={t("content.decision.typeEdition", { edition: review.edition })}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: "mono" }}
        onChange={(event) => type(event.currentTarget.value)}
      />
      <Button
        variant="filled"
        fullWidth
        disabled={off}
        loading={busy}
        aria-describedby={off ? reasons : undefined}
        onClick={() => void approve()}
        className="outward"
      >
        {t("content.decision.approve", {
          site: review.willCall.site,
          until: formatZoned(review.willCall.expiresAt, zone, "dayMinute"),
        })}
      </Button>
      {off ? (
        <div id={reasons} className="stack tight small">
          <h3>{t("content.decision.cannot")}</h3>
          <UnmetList items={review.unmet} extra={missing} />
        </div>
      ) : null}
    </div>
  );
}
