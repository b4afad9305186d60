import { readOpenAlerts } from "../../db/queries/alerts";
import type { Queries } from "../../db/queries/open-queries";
import type { Output } from "../../preload/contract";
import type { Desk } from "../commands/desk";
import type { DrillStanding } from "../commands/report-drills";
import { type AlertNotice, type Notifier, tellAlerts } from "../commands/tell-alerts";
import { NotifierMissing } from "./notifier-missing";

type NotifierState = Output<"alerts.get">["notifier"];

export type { AlertNotice } from "../commands/tell-alerts";

/** As the shell lends it: a click on the notification opens the alert, and does nothing else. */
export interface AppNotifier {
  /**
   * @param onFailed told where the system says only later that it could not show it
   * @throws NotifierMissing on a system without notifications; anything where one could not be shown.
   */
  tell(notice: AlertNotice, onOpen: () => void, onFailed: (failure: Error) => void): void;
}

/** Long enough for what befalls an edition at once to be told at once. */
const SETTLE_MS = 1_500;
/** With nothing due, an item may still become a day old. */
const LONGEST_PAUSE_MS = 3_600_000;

/** Tells alerts while the program runs, outside of the engine's passes: after each commit, when one is due, after a sleep. */
export class AlertDesk {
  private state: NotifierState = { state: "untried", at: null };
  private readonly stopped = new AbortController();
  private wake = new AbortController();
  private shown = "";

  constructor(
    private readonly options: {
      /** In the program's own name. */
      desk: Desk;
      queries: Queries;
      notifier: Notifier | null;
      drills?: () => DrillStanding;
      /** The inbox holds something else than before. */
      onChange(): void;
      onFault(error: unknown): void;
    },
  ) {}

  get notifier(): NotifierState {
    return this.state;
  }

  /** Runs until it is stopped. Passes end by themselves: what was told is not due again. */
  async start(): Promise<void> {
    const { clock } = this.options.desk;
    while (!this.stopped.signal.aborted) {
      this.wake = new AbortController();
      const nextAt = this.runOnce();
      const pauseMs = Math.min(LONGEST_PAUSE_MS, (nextAt ?? Number.POSITIVE_INFINITY) - clock.now());
      await clock.sleep(Math.max(0, pauseMs), this.wake.signal);
      await clock.sleep(SETTLE_MS, this.stopped.signal);
    }
  }

  /** Something was committed, the clock was moved, or the computer woke up. */
  nudge(): void {
    this.wake.abort();
  }

  /** The system could not show what it had taken: it was told in the inbox alone. */
  notShown(failure: Error): void {
    if (this.stopped.signal.aborted) return;
    this.hear(failure);
    this.options.onChange();
  }

  stop(): void {
    this.stopped.abort();
    this.wake.abort();
  }

  /** One pass. @returns when the next one is due, or null. */
  runOnce(): number | null {
    const { desk, queries, notifier, drills, onFault } = this.options;
    try {
      const nextAt = tellAlerts({
        ...{ desk, queries, notifier, onNotifier: (failure: unknown) => this.hear(failure) },
        ...(drills && { drills }),
      });
      this.sayChanged();
      return nextAt;
    } catch (error) {
      onFault(error);
      return null;
    }
  }

  private hear(failure: unknown): void {
    const state = failure === null ? "works" : failure instanceof NotifierMissing ? "unsupported" : "failed";
    this.state = { state, at: this.options.desk.clock.now() };
  }

  private sayChanged(): void {
    const open = readOpenAlerts(this.options.queries).map((row) => [row.id, row.times, row.toldAt, row.snoozedUntil]);
    const shown = JSON.stringify([open, this.state.state]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.options.onChange();
  }
}
