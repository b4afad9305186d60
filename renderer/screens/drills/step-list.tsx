import { useVirtualizer } from "@tanstack/react-virtual";
import { BookText, Cog, Globe, Mail, MailQuestion, UserRound } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Empty, Panel } from "../../components/Panel";
import { formatMoment, formatZoned } from "../../format";
import { useZone } from "../../stores/clock";
import type { DrillStep } from "../../stores/drills";
import { type StepLine, stepLines } from "./step-text";

const ICON = {
  journal: BookText,
  website: Globe,
  mail: Mail,
  outside: MailQuestion,
  person: UserRound,
  program: Cog,
} as const;

/** What happens, line by line; while it is played the newest line stays in view. */
export function StepList({ steps, live, empty }: { steps: readonly DrillStep[]; live: boolean; empty: string }) {
  const { t, i18n } = useTranslation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the words change with the language
  const lines = useMemo(() => stepLines(steps), [steps, i18n.language]);
  return (
    <Panel
      title={t("drills.steps.title")}
      flush
      actions={
        steps.length === 0 ? null : (
          <span className="muted small num">{t("drills.steps.count", { count: steps.length })}</span>
        )
      }
    >
      {lines.length === 0 ? <Empty>{empty}</Empty> : <Lines lines={lines} live={live} />}
    </Panel>
  );
}

function Lines({ lines, live }: { lines: readonly StepLine[]; live: boolean }) {
  const { t } = useTranslation();
  const box = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => 28,
    overscan: 12,
    getItemKey: (index) => lines[index]?.key ?? index,
  });
  useEffect(() => {
    if (live) virtual.scrollToIndex(lines.length - 1);
  }, [live, lines.length, virtual]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section ref={box} className="step-scroll" aria-label={t("drills.steps.list")} tabIndex={0}>
      <ol style={{ height: virtual.getTotalSize(), position: "relative" }}>
        {virtual.getVirtualItems().map((item) => (
          <li
            key={item.key}
            ref={virtual.measureElement}
            data-index={item.index}
            aria-setsize={lines.length}
            aria-posinset={item.index + 1}
            className="step-line"
            style={{ transform: `translateY(${item.start}px)` }}
          >
            <Line line={lines[item.index] as StepLine} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Line({ line }: { line: StepLine }) {
  const { t } = useTranslation();
  const zone = useZone();
  const Icon = ICON[line.owner];
  return (
    <>
      <time className="num muted" dateTime={new Date(line.at).toISOString()} title={formatZoned(line.at, zone)}>
        {formatMoment(line.at, zone, "time")}
      </time>
      <span className={`step-owner ${line.owner}`}>
        <Icon size={13} aria-hidden />
        {t(`drills.who.${line.owner}`)}
      </span>
      <span className="step-what">
        <span className={line.owner === "journal" ? "strong" : ""}>{line.text}</span>
        {line.times > 1 ? <span className="num muted">{t("drills.steps.times", { count: line.times })}</span> : null}
        {line.detail === "" ? null : <span className="muted small">{line.detail}</span>}
      </span>
    </>
  );
}
