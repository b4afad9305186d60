import type { MenuItemConstructorOptions } from "electron";
import type { Output } from "../../preload/contract";
import type { LinkedPlace } from "../../preload/contract/place-link";
import type { Texts } from "./texts";

type Today = Pick<Output<"today.get">, "clock" | "waiting" | "live" | "journalIncidents">;
type Waiting = Today["waiting"][number];

/** As many of each as a menu is still read with; the window has the rest. */
const MOST_SHOWN = 6;

export interface TrayOptions {
  texts: Texts;
  /** Locale of the moments. */
  language: string;
  /** Null: not known yet, or no workspace is open. */
  today: Today | null;
  /** Shows the window at a place. Nothing else can be done from here. */
  open: (place: LinkedPlace) => void;
  show: () => void;
  quit: () => void;
}

/** Everything that a tray says, and where each line of it leads: two that are equal look and lead the same. */
export interface TrayView {
  /** For whoever only points at it. */
  tip: string;
  entries: readonly { label: string; place: LinkedPlace }[];
  /** In place of entries; null where no workspace is open, of which nothing is said. */
  nothing: string | null;
  show: string;
  quit: string;
}

/** What waits and what runs, in words. */
export function trayView({ texts: { tray }, language, today }: TrayOptions): TrayView {
  const { show, quit } = tray;
  if (today === null) return { tip: "Imprimatur", entries: [], nothing: null, show, quit };
  const { waiting, journalIncidents = [] } = today;
  // What waits for a person is named as that, and not a second time as running.
  const running = today.live.filter(({ taskId }) => !waiting.some((item) => item.taskId === taskId));
  const moment = momentsIn(language, today.clock.zone);
  return {
    tip: `Imprimatur – ${tray.counts(waiting.length + journalIncidents.length, running.length)}`,
    entries: [
      ...journalIncidents.slice(0, MOST_SHOWN).map(({ incidentId }) => ({
        label: tray.everything(tray.kind.incident),
        place: placeOf("incidents", incidentId),
      })),
      ...waiting.slice(0, MOST_SHOWN).map((item) => ({
        label: tray.waits(item.edition, tray.kind[item.kind], item.until === null ? null : moment(item.until)),
        place: placeOfWaiting(item),
      })),
      ...running.slice(0, MOST_SHOWN).map(({ edition, taskId, deadlineAt }) => ({
        label: tray.runs(edition, moment(deadlineAt)),
        place: placeOf("run", taskId),
      })),
    ],
    ...{ nothing: tray.nothing, show, quit },
  };
}

/** The menu of a view: each line opens its place; below them the window and the way out. Nothing is decided from a tray. */
export function trayTemplate(view: TrayView, options: TrayOptions): MenuItemConstructorOptions[] {
  const lines: MenuItemConstructorOptions[] = view.entries.map(({ label, place }) => ({
    label,
    click: () => options.open(place),
  }));
  if (lines.length === 0 && view.nothing !== null) lines.push({ label: view.nothing, enabled: false });
  return [
    ...lines,
    ...(lines.length === 0 ? [] : [{ type: "separator" as const }]),
    { label: view.show, click: options.show },
    { type: "separator" },
    { label: view.quit, click: options.quit },
  ];
}

function momentsIn(language: string, timeZone: string): (at: number) => string {
  const shape = { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const format = new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, { timeZone, ...shape });
  return (at) => format.format(at);
}

const placeOf = (screen: LinkedPlace["screen"], subject: string): LinkedPlace => ({ screen, subject });

function placeOfWaiting({ kind, taskId, incidentId }: Waiting): LinkedPlace {
  if (kind === "content_approval") return placeOf("content", taskId);
  if (kind === "send_approval") return placeOf("send", taskId);
  if (kind === "undo_failed" || kind === "undo_by_person") return placeOf("compensation", taskId);
  if (kind === "incident" && incidentId !== undefined) return placeOf("incidents", incidentId);
  return placeOf("run", taskId);
}
