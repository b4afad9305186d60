import type { Instant } from "../main/domain/ids";
import type { Sqlite } from "./connect";

export interface ScheduleFire {
  /** Local date and slot: what makes two timers one. */
  key: string;
  firedAt: Instant;
  lateMs: number;
}

export interface SchedulePause {
  since: Instant;
  reason: "clock_jumped" | "clock_differs";
  movedMs: number;
}

/** What the scheduler remembers over restarts, over the tables `schedule_fire` and `schedule_pause`. */
export interface ScheduleFires {
  has(schedule: string, key: string): boolean;
  /** @returns false when another timer has recorded the same key before. */
  record(schedule: string, fire: ScheduleFire): boolean;
  last(schedule: string): ScheduleFire | null;
  paused(schedule: string): SchedulePause | null;
  /** The first reason stands: a person is asked once. */
  pause(schedule: string, pause: SchedulePause): void;
  resume(schedule: string): void;
  /** The newest moment the journal knows of: a clock that shows less was set back while we were not running. */
  newestMoment(): Instant | null;
}

export function openScheduleFires(sqlite: Sqlite): ScheduleFires {
  const has = sqlite.prepare<[string, string]>("SELECT 1 FROM schedule_fire WHERE schedule = ? AND slot = ?");
  const record = sqlite.prepare<[string, string, number, number]>(
    "INSERT INTO schedule_fire (schedule, slot, fired_at, late_ms) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
  );
  const last = sqlite.prepare<[string], ScheduleFire>(
    `SELECT slot AS "key", fired_at AS "firedAt", late_ms AS "lateMs" FROM schedule_fire
     WHERE schedule = ? ORDER BY fired_at DESC, slot DESC LIMIT 1`,
  );
  const paused = sqlite.prepare<[string], SchedulePause>(
    `SELECT since, reason, moved_ms AS "movedMs" FROM schedule_pause WHERE schedule = ?`,
  );
  const pause = sqlite.prepare<[string, number, string, number]>(
    "INSERT INTO schedule_pause (schedule, since, reason, moved_ms) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
  );
  const resume = sqlite.prepare<[string]>("DELETE FROM schedule_pause WHERE schedule = ?");
  const newest = sqlite
    .prepare<[], number | null>(
      `SELECT max((SELECT coalesce(max(fired_at), 0) FROM schedule_fire),
                  coalesce((SELECT at FROM event ORDER BY seq DESC LIMIT 1), 0))`,
    )
    .pluck();
  return {
    has: (schedule, key) => has.get(schedule, key) !== undefined,
    record: (schedule, fire) => record.run(schedule, fire.key, fire.firedAt, fire.lateMs).changes === 1,
    last: (schedule) => last.get(schedule) ?? null,
    paused: (schedule) => paused.get(schedule) ?? null,
    pause: (schedule, { since, reason, movedMs }) => void pause.run(schedule, since, reason, movedMs),
    resume: (schedule) => void resume.run(schedule),
    newestMoment: () => newest.get() || null,
  };
}
