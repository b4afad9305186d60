import { Button } from "@mantine/core";
import { CircleCheck, Eye, OctagonAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { HashChip } from "../../components/HashChip";
import { Panel } from "../../components/Panel";
import { formatZoned } from "../../format";
import { useZone } from "../../stores/clock";
import { type SendReviewView, useSendReview } from "../../stores/send-review";
import { EditEmail } from "./edit-email";

type Verdict = "ok" | "attention" | "bad";
const LOOK = {
  ok: { tone: "ok", icon: CircleCheck },
  attention: { tone: "warn", icon: Eye },
  bad: { tone: "bad", icon: OctagonAlert },
} as const;

/** One row per condition, green or amber and in words, with the way to change it beside it. */
export function Checklist({ review }: { review: SendReviewView }) {
  const { t } = useTranslation();
  return (
    <Panel title={t("send.checklist.title")} flush>
      <ul className="rows">
        <PageRows review={review} />
        <BodyRow review={review} />
        <AudienceRow review={review} />
      </ul>
    </Panel>
  );
}

function PageRows({ review }: { review: SendReviewView }) {
  const { t } = useTranslation();
  const zone = useZone();
  const { proof } = review;
  const missing = proof.links.missing;
  return (
    <>
      <Row
        verdict={proof.hashEqual ? "ok" : "bad"}
        name={t("send.checklist.page")}
        detail={
          proof.hashEqual
            ? t("send.checklist.pageDetail", { moment: formatZoned(proof.fetchedAt, zone), attempts: proof.attempts })
            : t("send.checklist.pageDiffers")
        }
        aside={<HashChip hash={proof.captureHash} of="capture" />}
      >
        <p className="mono small wrap muted">{review.pageUrl}</p>
      </Row>
      <Row
        verdict={proof.titleEqual ? "ok" : "bad"}
        name={t("send.checklist.titleRow")}
        detail={t(proof.titleEqual ? "send.checklist.titleOk" : "send.checklist.titleDiffers")}
      />
      <Row
        verdict={missing.length === 0 ? "ok" : "bad"}
        name={t("send.checklist.links", { count: proof.links.expected - missing.length })}
        detail={
          missing.length === 0
            ? t("send.checklist.linksOk")
            : t("send.checklist.linksMissing", { count: missing.length })
        }
      >
        {missing.map((url) => (
          <p key={url} className="mono small wrap">
            {url}
          </p>
        ))}
      </Row>
    </>
  );
}

function BodyRow({ review }: { review: SendReviewView }) {
  const { t } = useTranslation();
  const [editing, setEditing] = useState(false);
  const open = review.state === "awaiting_send_approval" || review.state === "published";
  return (
    <Row
      verdict="ok"
      name={t("send.checklist.body")}
      detail={t("send.checklist.bodyDetail", { subject: review.subject })}
      aside={
        <span className="row tight">
          <HashChip hash={review.bodyHash} of="body" />
          {open ? (
            <Button size="compact-xs" onClick={() => setEditing(true)}>
              {t("send.checklist.editEmail")}
            </Button>
          ) : null}
        </span>
      }
    >
      <EditEmail review={review} opened={editing} close={() => setEditing(false)} />
    </Row>
  );
}

function AudienceRow({ review }: { review: SendReviewView }) {
  const { t } = useTranslation();
  const ticked = useSendReview((state) => state.ticked);
  const { audience } = review;
  const open = audience.changes.filter(
    (change) => change.change === "added" && !ticked.includes(change.recipientId),
  ).length;
  const edition = audience.comparedWith;
  const changes =
    edition === null
      ? t("send.checklist.firstTime")
      : audience.changes.length === 0
        ? t("send.checklist.changesNone", { edition })
        : t("send.checklist.changesSome", { count: audience.changes.length, edition });
  return (
    <Row
      verdict={open > 0 ? "attention" : "ok"}
      name={t("send.checklist.audience", { count: audience.count })}
      detail={t("send.checklist.audienceDetail", {
        version: audience.suppressionVersion,
        suppressed: audience.suppressed,
      })}
      aside={<HashChip hash={review.audienceHash} of="audience" />}
    >
      <p className="small">{changes}</p>
    </Row>
  );
}

function Row({
  verdict,
  name,
  detail,
  aside,
  children,
}: {
  verdict: Verdict;
  name: string;
  detail: string;
  aside?: ReactNode;
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  const Icon = LOOK[verdict].icon;
  return (
    <li className={`check-row tone-${LOOK[verdict].tone}`}>
      <Icon size={18} aria-hidden className="lead" />
      <div className="grow stack tight">
        <p className="row spread">
          <b>{name}</b>
          <span className="verdict">{t(`send.checklist.${verdict}`)}</span>
        </p>
        <p className="small">{detail}</p>
        {children}
        {aside === undefined ? null : <div className="row tight">{aside}</div>}
      </div>
    </li>
  );
}
