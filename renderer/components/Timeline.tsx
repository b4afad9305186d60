import type { TFunction } from "i18next";
import { Fragment, type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { formatDuration, formatMoment, formatNumber, formatZoned } from "../format";
import { useZone } from "../stores/clock";
import type { RunView } from "../stores/run";
import { operationName, wordFor } from "../words";
import { OperationBadge } from "./StateBadge";
import { type DrawnDot, drawnDots } from "./timeline-dots";
import { type OperationRow, operationRows, type Segment, stagesOf } from "./timeline-rows";
import { type Scale, timelineScale } from "./timeline-scale";

interface Props {
  run: RunView;
  rows: readonly OperationRow[];
  /** Workspace time up to which open bars reach. */
  now: number;
  ended: boolean;
  chosen: string | null;
  choose: (operationId: string) => void;
  /** What stands below the chosen row. */
  detail: (row: OperationRow) => ReactNode;
}

/** Stages and operations over time. Every row says in words what it draws; pressing one opens its details. */
export function Timeline({ run, rows, now, ended, chosen, choose, detail }: Props) {
  const { t } = useTranslation();
  const stages = useMemo(() => stagesOf(run, now, ended), [run, now, ended]);
  const scale = useMemo(() => scaleOf(run, now, ended), [run, now, ended]);
  return (
    <ul className="timeline" data-list aria-label={t("run.timeline.label")}>
      <li className="tl-row tl-axis" aria-hidden>
        <span />
        <Axis scale={scale} />
        <span />
      </li>
      <li className="tl-row">
        <span className="tl-name">
          <b>{t("run.timeline.stages")}</b>
        </span>
        <Track scale={scale}>
          {stages.map((stage) => (
            <Bar
              key={`${stage.state}-${stage.from}`}
              segment={stage}
              scale={scale}
              label={t("run.timeline.stage", {
                state: wordFor("state", stage.state),
                duration: formatDuration(stage.to - stage.from),
              })}
            />
          ))}
        </Track>
        <span className="num muted tl-elapsed">{formatDuration(scale.end - scale.start)}</span>
      </li>
      {rows.map((row) => (
        <Fragment key={row.operation.id}>
          <OperationLine row={row} scale={scale} chosen={row.operation.id === chosen} choose={choose} />
          {row.operation.id === chosen ? <li className="tl-detail">{detail(row)}</li> : null}
        </Fragment>
      ))}
    </ul>
  );
}

function scaleOf(run: RunView, now: number, ended: boolean): Scale {
  const rows = operationRows(run, now);
  return timelineScale([
    ...run.events.map((event) => event.at),
    ...rows.flatMap((row) => [
      row.from,
      row.to,
      ...row.segments.flatMap((segment) => [segment.from, segment.to]),
      ...row.dots.map((dot) => dot.at),
    ]),
    ...(ended ? [] : [now]),
  ]);
}

/** A stage narrower than this part of the axis has no room for its name; hovering tells it. */
const NAMED_FROM = 0.06;

const percent = (value: number) => `${(value * 100).toFixed(3)}%`;

function OperationLine({
  row,
  scale,
  chosen,
  choose,
}: {
  row: OperationRow;
  scale: Scale;
  chosen: boolean;
  choose: (id: string) => void;
}) {
  const { t } = useTranslation();
  const zone = useZone();
  const dots = useMemo(() => drawnDots(row.dots, scale), [row, scale]);
  const { operation } = row;
  const name = operationName(operation.kind, operation.phase);
  const length = formatDuration(row.to - row.from);
  const elapsed = row.open ? t("run.timeline.still", { duration: length }) : length;
  return (
    <li>
      <button
        type="button"
        data-row
        className="tl-row tl-operation"
        aria-expanded={chosen}
        aria-label={t("run.timeline.rowLabel", {
          name,
          state: wordFor("operationState", operation.state),
          duration: elapsed,
        })}
        onClick={() => choose(operation.id)}
      >
        <span className="tl-name">
          <span className="tl-title">{name}</span>
          <OperationBadge state={operation.state} />
        </span>
        <Track scale={scale}>
          {row.segments.map((segment) => (
            <Bar key={`${segment.kind}-${segment.from}`} segment={segment} scale={scale} />
          ))}
          {dots.map((dot) => (
            <DotMark key={`${dot.kind}-${dot.at}-${dot.word}`} dot={dot} t={t} zone={zone} />
          ))}
        </Track>
        <span className="num muted tl-elapsed">{length}</span>
      </button>
    </li>
  );
}

/** A row may have hundreds of them, drawn anew while it grows: what a dot says is put into words once. */
function DotMark({ dot, t, zone }: { dot: DrawnDot; t: TFunction; zone: string }) {
  const { kind, word, at, until, more, place } = dot;
  const title = useMemo(() => {
    const first = `${wordFor(kind === "look" ? "lookVerdict" : "event", word)} · ${formatZoned(at, zone)}`;
    const rest = { n: formatNumber(more), until: formatZoned(until, zone) };
    return more === 0 ? first : t("run.timeline.more", { first, ...rest });
  }, [kind, word, at, until, more, t, zone]);
  return <span className={`tl-dot ${kind}`} style={{ insetInlineStart: percent(place) }} title={title} />;
}

function Track({ scale, children }: { scale: Scale; children: ReactNode }) {
  return (
    <span className="tl-track">
      {scale.breaks.map((gap) => (
        <span
          key={gap.from}
          className="tl-break"
          style={{
            insetInlineStart: percent(scale.place(gap.from)),
            width: percent(scale.place(gap.to) - scale.place(gap.from)),
          }}
        />
      ))}
      {children}
    </span>
  );
}

function Bar({ segment, scale, label }: { segment: Segment; scale: Scale; label?: string }) {
  const left = scale.place(segment.from);
  const width = Math.max(0, scale.place(segment.to) - left);
  return (
    <span
      className={`tl-bar ${segment.kind} tone-${segment.tone}`}
      title={label}
      style={{ insetInlineStart: percent(left), width: percent(width) }}
    >
      {segment.kind === "stage" && width > NAMED_FROM ? (
        <span className="tl-stage">{wordFor("stateShort", segment.state)}</span>
      ) : null}
    </span>
  );
}

function Axis({ scale }: { scale: Scale }) {
  const { t } = useTranslation();
  const zone = useZone();
  const edges = [scale.start, ...scale.breaks.map((gap) => gap.to)];
  const last = scale.place(edges[edges.length - 1] as number);
  return (
    <span className="tl-track">
      {edges.map((at, index) => {
        const place = scale.place(at);
        const next = index + 1 < edges.length ? scale.place(edges[index + 1] as number) : 1;
        // A label without room of its own would lie over its neighbour.
        return next - place < 0.07 ? null : (
          <span key={at} className="tl-tick num" style={{ insetInlineStart: percent(place) }}>
            {formatMoment(at, zone, "time")}
          </span>
        );
      })}
      {1 - last < 0.15 ? null : <span className="tl-tick end num">{formatMoment(scale.end, zone, "time")}</span>}
      {scale.breaks.map((gap) => (
        <span
          key={gap.from}
          className="tl-break"
          title={t("run.timeline.break", { duration: formatDuration(gap.to - gap.from) })}
          style={{
            insetInlineStart: percent(scale.place(gap.from)),
            width: percent(scale.place(gap.to) - scale.place(gap.from)),
          }}
        />
      ))}
    </span>
  );
}
