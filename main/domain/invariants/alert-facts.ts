import type { AlertRow, TaskRow } from "../records";
import { compareFacts } from "./compare-fact";
import { groupBy, type Told, type Violation } from "./snapshot";

/**
 * I08: what the events say of each alert is what its row says: told, escalated, snoozed until, acknowledged by whom, over. Each
 * was raised at a moment at which something happened, and each block has one.
 * @param rows of this task
 * @param events of this task, in their order
 */
export function checkAlertFacts(task: TaskRow, rows: readonly AlertRow[], events: readonly Told[]): Violation[] {
  if (events.some((event) => event.isWithheld)) return [];
  const say = (detail: string): Violation => ({ invariant: "I08", subject: task.taskKey, detail });
  const byAlert = groupBy(
    events.filter((event) => STANDING.has(event.type)),
    (event) => event.payload["alertId"],
  );
  const known = new Set<unknown>(rows.map((row) => row.id));
  const moments = new Set(events.map((event) => event.at));
  const blocks = events.filter((event) => event.toState === "blocked" && event.fromState !== "blocked");
  return [
    ...[...byAlert.keys()]
      .filter((id) => !known.has(id))
      .map((id) => say(`the events tell of alert ${id}, no row does`)),
    ...blocks
      .filter(({ at }) => !rows.some((row) => row.code.startsWith("blocked_") && row.at <= at && at <= row.lastAt))
      .map(({ seq }) => say(`event ${seq} blocked the task, no alert says so`)),
    ...rows
      .filter((row) => !moments.has(row.at) || !moments.has(row.lastAt))
      .map((row) => say(`alert ${row.id}: the row was raised when nothing happened`)),
    ...rows.flatMap((row) => compareFacts("I08", task.taskKey, standingFacts(row, byAlert.get(row.id) ?? []))),
  ];
}

const TELLING: ReadonlySet<string> = new Set(["AlertTold", "AlertEscalated"]);
const STANDING: ReadonlySet<string> = new Set([...TELLING, "AlertSnoozed", "AlertAcknowledged", "AlertSettled"]);

function standingFacts(row: AlertRow, told: readonly Told[]) {
  const lastOf = (...types: string[]) => told.filter((event) => types.includes(event.type)).at(-1);
  const acknowledged = lastOf("AlertAcknowledged");
  const silence = lastOf("AlertSnoozed", ...TELLING);
  const tellings = told.filter((event) => TELLING.has(event.type)).map((event) => event.at);
  const name = (field: string) => `alert ${row.id} ${field}`;
  return [
    [name("told"), row.toldAt, tellings.length === 0 ? null : Math.max(...tellings)],
    [name("escalated"), row.escalatedAt, lastOf("AlertEscalated")?.at ?? null],
    [name("snoozed until"), row.snoozedUntil, silence?.type === "AlertSnoozed" ? silence.payload["until"] : null],
    [name("acknowledged"), row.acknowledgedAt, acknowledged?.at ?? null],
    [name("acknowledged by"), row.acknowledgedBy, acknowledged?.actor ?? null],
    [name("over"), row.settledAt, lastOf("AlertSettled")?.at ?? null],
  ] as const;
}
