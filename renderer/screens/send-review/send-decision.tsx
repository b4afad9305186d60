import { Button, TextInput } from "@mantine/core";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { CopyLine, HashChip } from "../../components/HashChip";
import { Countdown, Moment } from "../../components/Moments";
import { Panel } from "../../components/Panel";
import { UnmetList } from "../../components/UnmetList";
import { useCommands } from "../../stores/commands";
import { type SendReviewView, useSendReview } from "../../stores/send-review";
import { wordOrText } from "../../words";
import { ApprovalBox } from "../approval-box";
import { RejectReview } from "../reject-review";

const GATE = "awaiting_send_approval";
/** As many keys as a person will read; the rest are counted. */
const KEYS_SHOWN = 3;

/** What the approval allows, and the typed confirmation that gives it. */
export function SendDecision({ review }: { review: SendReviewView }) {
  const { t } = useTranslation();
  return (
    <Panel
      title={t("send.decision.title")}
      className="decision"
      foot={
        review.state === GATE ? (
          <>
            <ApproveSending review={review} />
            <RejectReview channel="sendReview.reject" words="send" review={review} />
          </>
        ) : null
      }
    >
      <div className="stack wide">
        <div className="row tight">
          <HashChip hash={review.bodyHash} of="body" />
          <HashChip hash={review.audienceHash} of="audience" />
        </div>
        {review.approval ? (
          <ApprovalBox taskId={review.taskId} state={review.state} approval={review.approval} />
        ) : null}
        <WillSend review={review} />
      </div>
    </Panel>
  );
}

function WillSend({ review }: { review: SendReviewView }) {
  const { t } = useTranslation();
  const call = review.willCall;
  const more = call.operationKeys.length - KEYS_SHOWN;
  return (
    <section className="stack tight">
      <h3>{t("send.decision.willCall")}</h3>
      <dl className="facts-of small">
        <dt>{t("send.decision.provider")}</dt>
        <dd>{call.provider}</dd>
        <dt>{t("send.decision.keys", { count: call.operationKeys.length })}</dt>
        <dd className="stack tight">
          {call.operationKeys.slice(0, KEYS_SHOWN).map((key) => (
            <CopyLine key={key} value={key} what={t("content.decision.key")} />
          ))}
          {more > 0 ? <span className="muted">{t("send.decision.more", { count: more })}</span> : null}
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
      </dl>
    </section>
  );
}

function ApproveSending({ review }: { review: SendReviewView }) {
  const { t } = useTranslation();
  const reasons = useId();
  const { typed, type, ticked } = useSendReview();
  const busy = useCommands((state) => state.busy["sendReview.approve"] === true);
  const send = useCommands((state) => state.send);
  const additions = review.audience.changes
    .filter((change) => change.change === "added")
    .map((change) => change.recipientId);
  const open = additions.filter((id) => !ticked.includes(id)).length;
  const exact = typed.trim() === review.confirmation;
  const missing = [
    ...(open > 0 ? [t("send.decision.needTicks", { count: open })] : []),
    ...(exact ? [] : [t("send.decision.needTyped")]),
  ];
  const off = missing.length > 0 || !review.canApprove;
  const approve = () =>
    send(
      "sendReview.approve",
      {
        taskId: review.taskId,
        expectedVersion: review.stateVersion,
        pageUrl: review.pageUrl,
        bodyHash: review.bodyHash,
        audienceHash: review.audienceHash,
        typed: typed.trim(),
        acknowledgedAdditions: additions.filter((id) => ticked.includes(id)),
      },
      t("send.decision.sendLabel"),
    );
  return (
    <div className="stack">
      <TextInput
        label={t("send.decision.type", { text: review.confirmation })}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: "mono" }}
        onChange={(event) => type(event.currentTarget.value)}
      />
      <Button
        variant="filled"
        fullWidth
        className="outward"
        disabled={off}
        loading={busy}
        aria-describedby={off ? reasons : undefined}
        onClick={() => void approve()}
      >
        {t("send.decision.send", { edition: review.edition, count: review.audience.count })}
      </Button>
      <p className="small muted">{t("send.decision.irreversible")}</p>
      {off ? (
        <div id={reasons} className="stack tight small">
          <h3>{t("content.decision.cannot")}</h3>
          <UnmetList items={review.unmet} extra={missing} />
        </div>
      ) : null}
    </div>
  );
}
