import type { Sqlite } from "../../db/open";

/** Remembers every statement that is prepared on a connection from now on, and can ask SQLite how it would go about each. */
export function watchPlans(sqlite: Sqlite): { plans(): { sql: string; steps: string[] }[]; scans(): string[] } {
  const seen = new Set<string>();
  const original = sqlite.prepare.bind(sqlite);
  const watched = ((sql: string) => {
    seen.add(sql);
    return original(sql);
  }) as typeof sqlite.prepare;
  Object.defineProperty(sqlite, "prepare", { value: watched, configurable: true });
  const plans = () =>
    [...seen]
      .filter((sql) => /^\s*(select|with)\b/i.test(sql))
      .map((sql) => {
        const explained = original(`EXPLAIN QUERY PLAN ${sql}`);
        // Which values are bound does not matter to the plan, but every place must have one.
        const places = (sql.match(/\?/g) ?? []).length;
        const rows = explained.all(...Array.from({ length: places }, () => null)) as { detail: string }[];
        return { sql, steps: rows.map((row) => row.detail) };
      });
  /** Reads of a whole table that grows with the journal; the few small ones are named here. */
  const scans = () =>
    plans().flatMap(({ sql, steps }) =>
      steps
        .filter((step) => /^SCAN (?!CONSTANT)/.test(step))
        .filter((step) => !/^SCAN (journal_state|incident|breaker|suppression|\(subquery)/.test(step))
        .map((step) => `${step} in: ${sql.replace(/\s+/g, " ").trim()}`),
    );
  return { plans, scans };
}
