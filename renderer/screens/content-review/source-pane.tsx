import { TriangleAlert } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { CopyLine, HashChip } from "../../components/HashChip";
import { Moment } from "../../components/Moments";
import { ProblemNotice } from "../../components/Notices";
import { Empty } from "../../components/Panel";
import { SourceText } from "../../components/SourceText";
import { Mark } from "../../components/StateBadge";
import { findQuote } from "../../components/source-lines";
import { useSnapshot } from "../../components/use-snapshot";
import { formatBytes } from "../../format";
import { type ContentReviewView, type SnapshotView, useContentReview } from "../../stores/content-review";
import { useSnapshots } from "../../stores/snapshots";

type Fact = ContentReviewView["facts"][number];

/** The frozen source of the chosen fact: where it came from, and its text with the quoted span marked. */
export function SourcePane({ review }: { review: ContentReviewView }) {
  const { t } = useTranslation();
  const factId = useContentReview((state) => state.factId);
  const fetchSnapshot = useSnapshots((state) => state.fetch);
  const fact = review.facts.find((one) => one.id === factId);
  const answer = useSnapshot(review.taskId, fact?.snapshotHash ?? null);
  return (
    <section className="source-pane" aria-label={t("content.source.title")}>
      {fact === undefined ? <Empty>{t("content.source.choose")}</Empty> : null}
      {fact && answer?.problem ? (
        <ProblemNotice problem={answer.problem} again={() => void fetchSnapshot(review.taskId, fact.snapshotHash)} />
      ) : null}
      {fact && answer?.loading ? <Empty>{t("content.source.loading")}</Empty> : null}
      {fact && answer?.settled && answer.value === null ? <Empty>{t("content.source.missing")}</Empty> : null}
      {fact && answer?.value ? <Source fact={fact} snapshot={answer.value} /> : null}
    </section>
  );
}

function Source({ fact, snapshot }: { fact: Fact; snapshot: SnapshotView }) {
  const { t } = useTranslation();
  const { quote, start, end } = fact;
  const span = useMemo(() => findQuote(snapshot.text, quote, start, end), [snapshot.text, quote, start, end]);
  return (
    <>
      <header className="source-head">
        <div className="row spread">
          <h2>{snapshot.sourceTitle}</h2>
          <HashChip hash={snapshot.hash} of="snapshot" />
        </div>
        <CopyLine value={snapshot.url} what={t("content.source.url")} />
        {snapshot.finalUrl !== null && snapshot.finalUrl !== snapshot.url ? (
          <span className="small">
            <span className="muted">{t("content.source.finalUrl")}</span>{" "}
            <CopyLine value={snapshot.finalUrl} what={t("content.source.finalUrl")} />
          </span>
        ) : null}
        <p className="row tight small muted">
          <span>{t("content.source.fetched")}</span>
          <Moment at={snapshot.fetchedAt} />
          <span aria-hidden>·</span>
          <span title={t("content.source.licence")}>{snapshot.licence}</span>
          <span aria-hidden>·</span>
          <span title={t("content.source.encoding")}>{snapshot.encoding}</span>
          <span aria-hidden>·</span>
          <span title={t("content.source.size")}>{formatBytes(snapshot.bytes)}</span>
        </p>
        {span === null ? (
          <Mark tone="bad" icon={TriangleAlert}>
            {t("content.source.spanLost")}
          </Mark>
        ) : null}
        {span?.as === "moved" ? (
          <Mark tone="warn" icon={TriangleAlert}>
            {t("content.source.spanMoved")}
          </Mark>
        ) : null}
      </header>
      <SourceText text={snapshot.text} span={span} label={t("content.source.text", { title: snapshot.sourceTitle })} />
    </>
  );
}
