import type { Sqlite } from "../connect";

/** An event that registered a key: what it says, as it stands. */
export interface Registration {
  at: number;
  actor: string;
  reason: string | null;
  payload: string | null;
}

/** The keys that the journal registered, oldest first, by its events: a journal from before there were keys has none. */
export const readRegistrations = (reader: Sqlite): Registration[] =>
  reader
    .prepare<[], Registration>(
      "SELECT at, actor, reason, payload FROM event WHERE task_id IS NULL AND type = 'SignerRegistered' ORDER BY seq",
    )
    .all();

/** When the journal's last event was (ms UTC of the workspace's time), or null where it has none. */
export const lastEventAt = (reader: Sqlite): number | null =>
  reader.prepare<[], number | null>("SELECT max(at) FROM event").pluck().get() ?? null;
