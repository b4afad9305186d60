import type { MenuItemConstructorOptions } from "electron";
import type { Output } from "../../preload/contract";
import type { LinkedPlace } from "../../preload/contract/place-link";
import type { Texts } from "./texts";

type Today = Pick<Output<"today.get">, "clock" | "waiting" | "live">;
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

/** What waits and what runs, each opening its place; below it the window and the way out. Nothing is decided from a tray. */
export function trayTemplate(options: TrayOptions): MenuItemConstructorOptions[] {
  const { texts, today, open, show, quit } = options;
  const { tray } = texts;
  const waiting = today?.waiting ?? [];
  const running = runningOf(today);
  const entries: MenuItemConstructorOptions[] = [
    ...waiting.slice(0, MOST_SHOWN).map((item) => ({
      label: tray.waits(item.edition, tray.kind[item.kind], momentOf(item.until, options)),
      click: () => open(placeOf(item)),
    })),
    ...running.slice(0, MOST_SHOWN).map(({ edition, taskId, deadlineAt }) => ({
      label: tray.runs(edition, momentOf(deadlineAt, options) ?? ""),
      click: () => open({ screen: "run", subject: taskId }),
    })),
  ];
  return [
    ...(today === null ? [] : entries.length === 0 ? [{ label: tray.nothing, enabled: false }] : entries),
    ...(today === null ? [] : [{ type: "separator" as const }]),
    { label: tray.show, click: show },
    { type: "separator" },
    { label: tray.quit, click: quit },
  ];
}

/** How many of each, for whoever only points at it. */
export function trayTip({ texts: { tray }, today }: Pick<TrayOptions, "texts" | "today">): string {
  if (today === null) return "Imprimatur";
  return `Imprimatur – ${tray.counts(today.waiting.length, runningOf(today).length)}`;
}

/** What waits for a person is named as that, and not a second time as running. */
function runningOf(today: Today | null): Today["live"] {
  const waits = new Set(today?.waiting.map(({ taskId }) => taskId));
  return (today?.live ?? []).filter(({ taskId }) => !waits.has(taskId));
}

function momentOf(at: number | null, { language, today }: TrayOptions): string | null {
  if (at === null || today === null) return null;
  const { zone: timeZone } = today.clock;
  const shape = { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  return new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, { timeZone, ...shape }).format(at);
}

function placeOf({ kind, taskId, incidentId }: Waiting): LinkedPlace {
  if (kind === "content_approval") return { screen: "content", subject: taskId };
  if (kind === "send_approval") return { screen: "send", subject: taskId };
  if (kind === "undo_failed" || kind === "undo_by_person") return { screen: "compensation", subject: taskId };
  if (kind === "incident" && incidentId !== undefined) return { screen: "incidents", subject: incidentId };
  return { screen: "run", subject: taskId };
}
