import {
  ChevronRight,
  CirclePlay,
  Hourglass,
  type LucideIcon,
  OctagonAlert,
  ShieldQuestion,
  Siren,
  Stamp,
  Undo2,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { LaterVersion } from "../../components/LaterVersion";
import { Countdown, Moment } from "../../components/Moments";
import { Empty, Panel } from "../../components/Panel";
import type { Tone } from "../../components/state-look";
import { useNav } from "../../stores/nav";
import type { TodayView } from "../../stores/today";
import { wordFor, wordOrText } from "../../words";
import { useDrillsWaiting, WaitingDrill } from "./waiting-drills";

type Item = TodayView["waiting"][number];
type JournalIncident = NonNullable<TodayView["journalIncidents"]>[number];

const LOOK: Readonly<
  Record<Item["kind"], { tone: Tone; icon: LucideIcon; screen: "run" | "content" | "send" | "compensation" }>
> = {
  content_approval: { tone: "warn", icon: Stamp, screen: "content" },
  send_approval: { tone: "warn", icon: Stamp, screen: "send" },
  blocked: { tone: "bad", icon: OctagonAlert, screen: "run" },
  unknown_outcome: { tone: "unknown", icon: ShieldQuestion, screen: "run" },
  observation: { tone: "warn", icon: Hourglass, screen: "run" },
  undo_failed: { tone: "bad", icon: Undo2, screen: "compensation" },
  undo_by_person: { tone: "warn", icon: Undo2, screen: "compensation" },
  incident: { tone: "bad", icon: Siren, screen: "run" },
  ready_to_start: { tone: "info", icon: CirclePlay, screen: "run" },
};

/** What waits for the editor: what, why, until when. Opening an entry opens the screen where it is decided. */
export function Waiting({ items, journal = [] }: { items: readonly Item[]; journal?: readonly JournalIncident[] }) {
  const { t } = useTranslation();
  const drills = useDrillsWaiting();
  return (
    <Panel title={t("today.waiting.title")} flush className="waiting">
      {items.length + journal.length + drills.length === 0 ? <Empty>{t("today.waiting.empty")}</Empty> : null}
      <ul data-list className="rows">
        {journal.map((one) => (
          <li key={one.incidentId}>
            <JournalRow incident={one} />
          </li>
        ))}
        {items.map((item) => (
          <li key={`${item.taskId}-${item.kind}-${item.undo?.action ?? item.incidentId ?? item.rule ?? ""}`}>
            <WaitingRow item={item} />
          </li>
        ))}
        {drills.map((drill) => (
          <li key={`${drill.why}-${drill.duty ?? drill.scenario}`}>
            <WaitingDrill drill={drill} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** What exactly it is about, where the kind alone does not say it. */
function About({ item }: { item: Item }) {
  if (item.blockedReason !== null) return <span>{wordFor("blockedReason", item.blockedReason)}</span>;
  if (item.rule !== undefined) return <span>{wordFor("compensation.incident.rule", item.rule)}</span>;
  if (item.undo === undefined) return null;
  const { action, code } = item.undo;
  return (
    <span>
      {wordFor("compensation.action", action)}
      {code === null ? null : ` · ${wordOrText("compensation.code", code)}`}
    </span>
  );
}

/** An incident about no edition holds everything, and so stands before what waits for one. */
function JournalRow({ incident }: { incident: JournalIncident }) {
  const { t } = useTranslation();
  const go = useNav((state) => state.go);
  return (
    <button
      type="button"
      data-row
      className="rowbutton waiting-row tone-bad"
      onClick={() => go({ screen: "incidents", incidentId: incident.incidentId })}
    >
      <Siren size={20} aria-hidden className="lead" />
      <span className="grow stack tight">
        <b className="kind">{t("today.kind.incident")}</b>
        <span>{wordFor("incident.kind", incident.kind)}</span>
        <span className="muted">{t("today.why.incident")}</span>
      </span>
      <span className="until small muted">
        <Moment at={incident.since} />
      </span>
      <ChevronRight size={16} aria-hidden className="muted" />
    </button>
  );
}

function WaitingRow({ item }: { item: Item }) {
  const { t } = useTranslation();
  const go = useNav((state) => state.go);
  const look = LOOK[item.kind];
  const Icon = look.icon;
  const why = item.blockedReason === null ? t(`today.why.${item.kind}`) : wordFor("blockedNext", item.blockedReason);
  return (
    <button
      type="button"
      data-row
      className={`rowbutton waiting-row tone-${look.tone}`}
      onClick={() =>
        go(
          item.incidentId === undefined
            ? { screen: look.screen, taskId: item.taskId }
            : { screen: "incidents", incidentId: item.incidentId },
        )
      }
    >
      <Icon size={20} aria-hidden className="lead" />
      <span className="grow stack tight">
        <span className="row tight">
          <b className="kind">{t(`today.kind.${item.kind}`)}</b>
          <span className="num edition">{item.edition}</span>
          <LaterVersion version={item.version} />
        </span>
        <About item={item} />
        <span className="muted">{why}</span>
      </span>
      <span className="until">
        {item.until === null ? (
          <span className="muted">{t("today.waiting.noLimit")}</span>
        ) : (
          <>
            <Countdown until={item.until} />
            <span className="muted small">
              <Moment at={item.until} />
            </span>
          </>
        )}
      </span>
      <ChevronRight size={16} aria-hidden className="muted" />
    </button>
  );
}
