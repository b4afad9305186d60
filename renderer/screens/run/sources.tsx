import { CircleCheck, CircleDashed, CircleSlash, type LucideIcon, OctagonAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { HashChip } from "../../components/HashChip";
import { Moment } from "../../components/Moments";
import { Empty } from "../../components/Panel";
import { Mark } from "../../components/StateBadge";
import type { Tone } from "../../components/state-look";
import type { SourceView } from "../../stores/run";
import { wordFor } from "../../words";

const LOOK: Readonly<Record<SourceView["state"], { tone: Tone; icon: LucideIcon }>> = {
  frozen: { tone: "ok", icon: CircleCheck },
  waiting: { tone: "neutral", icon: CircleDashed },
  failed: { tone: "bad", icon: OctagonAlert },
  skipped: { tone: "neutral", icon: CircleSlash },
};

/** Each source of the edition: state, attempts, when it was fetched and the hash it was frozen under. */
export function Sources({ sources }: { sources: readonly SourceView[] }) {
  const { t } = useTranslation();
  if (sources.length === 0) return <Empty>{t("run.sources.empty")}</Empty>;
  const frozen = sources.filter((source) => source.state === "frozen").length;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="side-scroll" aria-label={t("run.sources.title")} tabIndex={0}>
      <p className="tab-note num">{t("run.sources.frozen", { frozen, total: sources.length })}</p>
      <ul className="rows">
        {sources.map((source) => (
          <li key={source.id} className="source-row">
            <p className="row spread">
              <b>{source.title}</b>
              <Mark tone={LOOK[source.state].tone} icon={LOOK[source.state].icon}>
                {wordFor("sourceState", source.state)}
              </Mark>
            </p>
            <p className="mono small wrap muted">{source.finalUrl ?? source.url}</p>
            <p className="row tight small muted num">
              <span>{t(source.required ? "run.sources.required" : "run.sources.optional")}</span>
              <span>{t("run.sources.attempts", { count: source.attempts })}</span>
              {source.newItems === null ? null : <span>{t("run.sources.items", { count: source.newItems })}</span>}
              {source.fetchedAt === null ? null : <Moment at={source.fetchedAt} shape="time" />}
              <span>{source.licence}</span>
              {source.errorCode === null ? null : <span className="mono">{source.errorCode}</span>}
              {source.snapshotHash === null ? null : <HashChip hash={source.snapshotHash} of="snapshot" bare />}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
