import { Checkbox } from "@mantine/core";
import { Ban, Minus, Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Empty, Panel } from "../../components/Panel";
import { Mark } from "../../components/StateBadge";
import { formatNumber } from "../../format";
import { type SendReviewView, useSendReview } from "../../stores/send-review";
import { wordOrText } from "../../words";

const LOOK = {
  added: { tone: "warn", icon: Plus },
  removed: { tone: "neutral", icon: Minus },
  suppressed: { tone: "neutral", icon: Ban },
} as const;

/** Who gets the mail: groups that add up to the exact count, and every change with its reason. Additions are ticked one by one. */
export function Audience({ review }: { review: SendReviewView }) {
  const { t } = useTranslation();
  const { audience } = review;
  return (
    <Panel
      title={t("send.audience.title")}
      actions={<b className="num">{t("send.checklist.audience", { count: audience.count })}</b>}
      flush
    >
      <table className="table">
        <thead>
          <tr>
            <th>{t("send.audience.group")}</th>
            <th className="number">{t("send.audience.count")}</th>
          </tr>
        </thead>
        <tbody>
          {audience.groups.map((group) => (
            <tr key={group.group}>
              <td>{wordOrText("send.recipientGroup", group.group)}</td>
              <td className="number">{formatNumber(group.count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3 className="sub">{t("send.audience.changes")}</h3>
      {audience.changes.length === 0 ? <Empty>{t("send.audience.none")}</Empty> : <Changes review={review} />}
      <p className="tab-note muted small">{t("send.audience.note")}</p>
    </Panel>
  );
}

function Changes({ review }: { review: SendReviewView }) {
  const { t } = useTranslation();
  const ticked = useSendReview((state) => state.ticked);
  const tick = useSendReview((state) => state.tick);
  return (
    <table className="table">
      <thead>
        <tr>
          <th>{t("send.audience.change")}</th>
          <th>{t("send.audience.recipient")}</th>
          <th>{t("send.audience.group")}</th>
          <th>{t("send.audience.reason")}</th>
          <th>{t("send.audience.seen")}</th>
        </tr>
      </thead>
      <tbody>
        {review.audience.changes.map((change) => (
          <tr key={`${change.change}-${change.recipientId}`}>
            <td style={{ whiteSpace: "nowrap" }}>
              <Mark tone={LOOK[change.change].tone} icon={LOOK[change.change].icon}>
                {t(`send.audience.${change.change}`)}
              </Mark>
            </td>
            <td className="mono">{change.recipientId}</td>
            <td>{wordOrText("send.recipientGroup", change.group)}</td>
            <td>{wordOrText("send.changeReason", change.reason)}</td>
            <td>
              {change.change === "added" ? (
                <Checkbox
                  aria-label={t("send.audience.tick", { recipient: change.recipientId })}
                  checked={ticked.includes(change.recipientId)}
                  onChange={(event) => tick(change.recipientId, event.currentTarget.checked)}
                />
              ) : null}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
