import { Button, TextInput } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { formatMoment, formatZoned } from "../format";
import { useWords } from "../i18n";
import { useZone } from "../stores/clock";
import { type EventView, useRun } from "../stores/run";
import { actorWord, wordFor, wordOrText } from "../words";
import { useCopy } from "./copy-text";
import { eventSubject, eventsAsText, eventText, rawEvent } from "./event-text";
import { HashChip } from "./HashChip";
import { isComposing } from "./keyboard";
import { Empty, Panel } from "./Panel";

/** All events of an edition in order: filtered by `/`, copied as text, each with its raw JSON one key (r) away. */
export function EventList({ events }: { events: readonly EventView[] }) {
  const { t } = useTranslation();
  const { search, set } = useRun();
  const { said, copy } = useCopy();
  const needle = search.trim().toLowerCase();
  const shown = useMemo(
    () => (needle === "" ? events : events.filter((event) => eventText(event).toLowerCase().includes(needle))),
    [events, needle],
  );
  return (
    <Panel
      title={t("run.events.title")}
      className="events"
      flush
      actions={
        <div className="row tight">
          <TextInput
            data-filter
            aria-label={t("run.events.filter")}
            placeholder={t("run.events.filterHint")}
            value={search}
            onChange={(event) => set({ search: event.currentTarget.value })}
            rightSection={<kbd className="kbd">/</kbd>}
          />
          <Button size="compact-xs" onClick={() => copy(eventsAsText(shown))}>
            {said === "copied" ? t("copy.done") : said === "failed" ? t("copy.failed") : t("run.events.copy")}
          </Button>
        </div>
      }
    >
      <p className="tab-note muted small num" role="status">
        {shown.length === events.length
          ? t("run.events.count", { count: events.length })
          : t("run.events.shown", { shown: shown.length, total: events.length })}
      </p>
      {shown.length === 0 ? <Empty>{t("run.events.empty")}</Empty> : <Rows events={shown} />}
    </Panel>
  );
}

function Rows({ events }: { events: readonly EventView[] }) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: events.length,
    getScrollElement: () => box.current,
    estimateSize: () => 30,
    overscan: 12,
    getItemKey: (index) => events[index]?.seq ?? index,
  });
  return (
    <div ref={box} className="event-scroll">
      <ol data-list aria-label={t("run.events.list")} style={{ height: virtual.getTotalSize(), position: "relative" }}>
        {virtual.getVirtualItems().map((item) => (
          <li
            key={item.key}
            ref={virtual.measureElement}
            data-index={item.index}
            aria-setsize={events.length}
            aria-posinset={item.index + 1}
            className="event-item"
            style={{ transform: `translateY(${item.start}px)` }}
          >
            <EventLine event={events[item.index] as EventView} />
          </li>
        ))}
      </ol>
    </div>
  );
}

const EventLine = memo(function EventLine({ event }: { event: EventView }) {
  const t = useWords();
  const zone = useZone();
  const open = useRun((state) => state.rawSeq === event.seq);
  const set = useRun((state) => state.set);
  const toggle = () => set({ rawSeq: open ? null : event.seq });
  const subject = useMemo(() => eventSubject(event), [event]);
  const moved = event.toState !== null && event.fromState !== event.toState;
  return (
    <>
      <button
        type="button"
        data-row
        className="event-line"
        aria-expanded={open}
        onClick={toggle}
        onKeyDown={(key) => {
          if (key.key === "r" && !key.ctrlKey && !key.metaKey && !key.altKey && !isComposing(key)) toggle();
        }}
      >
        <span className="num muted seq">{event.seq}</span>
        <time className="num" dateTime={new Date(event.at).toISOString()} title={formatZoned(event.at, zone)}>
          {formatMoment(event.at, zone, "time")}
        </time>
        <span className="what">
          <b>{wordFor("event", event.type)}</b>
          {moved ? (
            <span className="muted small">
              {event.fromState === null
                ? wordFor("state", event.toState as string)
                : t("run.events.moved", {
                    from: wordFor("state", event.fromState),
                    to: wordFor("state", event.toState as string),
                  })}
            </span>
          ) : null}
          {subject === "" ? null : <span className="mono small muted wrap">{subject}</span>}
          {event.reason === null ? null : (
            <span className="small wrap">{wordOrText("blockedReason", event.reason)}</span>
          )}
        </span>
        <span className="muted small actor">
          <span className="name" title={actorWord(event.actor)}>
            {actorWord(event.actor)}
          </span>
          {event.fencingToken === null ? null : (
            <span className="num">{t("run.events.token", { token: event.fencingToken })}</span>
          )}
        </span>
      </button>
      {open ? (
        <div className="event-raw">
          <div className="row tight">
            <HashChip hash={event.hash} of="event" />
            {event.payload === null ? <span className="muted small">{t("run.events.withheld")}</span> : null}
          </div>
          <pre className="mono wrap">{rawEvent(event)}</pre>
        </div>
      ) : null}
    </>
  );
});
