import type { EventView } from "../stores/run";
import { wordFor } from "../words";

/** What the filter of the event list looks in: codes and words alike. */
export function eventText(event: EventView): string {
  return [
    event.seq,
    event.type,
    wordFor("event", event.type),
    event.fromState,
    event.toState,
    event.actor,
    event.reason,
    event.operationId,
    eventSubject(event),
  ]
    .filter((part) => part !== null)
    .join(" ");
}

/** Plain values of a payload that tell one event from its neighbours of the same kind, in the order in which they are shown. */
const TELLING = ["sourceId", "remoteId", "action", "code", "httpStatus"];

/** What an event is about, as far as its payload says it in a word: the source, the object, the code. */
export function eventSubject(event: EventView): string {
  const payload = parsed(event.payload);
  if (typeof payload !== "object" || payload === null) return "";
  const { error } = payload as { error?: unknown };
  const values: Record<string, unknown> = { ...(typeof error === "object" ? error : {}), ...payload };
  return TELLING.map((name) => values[name])
    .filter((value) => (typeof value === "string" && value !== "") || (typeof value === "number" && value !== 200))
    .join(" · ");
}

/** Events as tab-separated lines with times in UTC: for a mail or an issue, where nobody has this app. */
export function eventsAsText(events: readonly EventView[]): string {
  return events
    .map((event) =>
      [
        event.seq,
        new Date(event.at).toISOString(),
        event.type,
        event.fromState ?? "-",
        event.toState ?? "-",
        event.actor,
        event.operationId ?? "-",
        event.reason ?? "-",
        event.hash,
      ].join("\t"),
    )
    .join("\n");
}

/** One event as indented JSON, its payload opened up where it is JSON itself. */
export function rawEvent(event: EventView): string {
  return JSON.stringify({ ...event, payload: parsed(event.payload) }, null, 2);
}

function parsed(payload: string | null): unknown {
  if (payload === null) return null;
  try {
    return JSON.parse(payload) as unknown;
  } catch {
    return payload;
  }
}
