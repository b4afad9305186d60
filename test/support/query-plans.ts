import type { Sqlite } from "../../db/open";

/** Tables of a few rows, results of a few rows by their names in the queries, the indexes of live tasks and of open recovery items. */
const SMALL =
  /^SCAN (journal_state|incident|breaker|suppression|\(subquery|(day|lost|faulty?|mark|asked)\b|task USING INDEX i01_one_live_task|recovery_item USING (COVERING )?INDEX recovery_item_open|alert USING INDEX alert_open)/;

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
        // Which values are bound does not matter to the plan, but every place must have one.
        const unnamed = sql.replace(/:[a-z]\w*/gi, "?");
        const places = (unnamed.match(/\?/g) ?? []).length;
        const explained = original(`EXPLAIN QUERY PLAN ${unnamed}`);
        const rows = explained.all(...Array.from({ length: places }, () => null)) as { detail: string }[];
        return { sql, steps: rows.map((row) => row.detail) };
      });
  /** Reads of a whole table that grows with the journal. */
  const scans = () =>
    plans().flatMap(({ sql, steps }) =>
      steps
        .filter((step) => /^SCAN (?!CONSTANT)/.test(step))
        .filter((step) => !SMALL.test(step))
        .map((step) => `${step} in: ${sql.replace(/\s+/g, " ").trim()}`),
    );
  return { plans, scans };
}
