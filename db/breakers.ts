import type { BreakerRow } from "../main/domain/records";
import type { Sqlite } from "./connect";
import { isUnavailable } from "./journal/unavailable";

/** The engine's `BreakerStore`, over the table `breaker`. */
export interface Breakers {
  load(host: string): BreakerRow | null;
  save(row: BreakerRow): void;
  all(): readonly BreakerRow[];
}

/** Keeps breakers in the journal's file, so that a restart does not hammer a host that was failing (domain 8). */
export function openBreakers(sqlite: Sqlite): Breakers {
  const columns = `SELECT host, failures, opened_at AS "openedAt", retry_at AS "retryAt" FROM breaker`;
  const one = sqlite.prepare<[string], BreakerRow>(`${columns} WHERE host = ?`);
  const every = sqlite.prepare<[], BreakerRow>(`${columns} ORDER BY host`);
  const upsert = sqlite.prepare<[BreakerRow]>(
    `INSERT INTO breaker (host, failures, opened_at, retry_at) VALUES (@host, @failures, @openedAt, @retryAt)
     ON CONFLICT (host) DO UPDATE SET failures = excluded.failures, opened_at = excluded.opened_at, retry_at = excluded.retry_at`,
  );
  return {
    load: (host) => one.get(host) ?? null,
    save: (row) => {
      try {
        upsert.run(row);
      } catch (error) {
        // A full disk or a lock: the count is merely forgotten. Thrown, it would take away the answer of the call it counts.
        if (!isUnavailable(error)) throw error;
      }
    },
    all: () => every.all(),
  };
}
