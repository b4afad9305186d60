import type { ApprovalRow } from "../records";
import { compareFacts } from "./compare-fact";
import { contextOf, type Evidence, type InvariantId, isPerson, REVOKING, type Told, type Violation } from "./snapshot";

/**
 * I02 and I04, before anything leaves: every approval's row was given by a person's event and says what that event said, none is
 * missing, and the revoked ones are those that an event revoked.
 */
export function checkApprovalFacts(evidence: Evidence): Violation[] {
  return evidence.snapshot.tasks.flatMap((task) => {
    const events = evidence.ofTask(task.id);
    // A withheld payload may have been the one that gave or took it.
    if (events.some((event) => event.isWithheld && isPerson(event.actor))) return [];
    const rows = evidence.approvalsOf(task.id);
    return [...rows.flatMap((row) => checkRow(row, events)), ...checkMissing(task.taskKey, rows, events)];
  });
}

const invariantOf = (scope: string): InvariantId => (scope === "publish" ? "I02" : "I04");
const isGiving = (event: Told, row: Pick<ApprovalRow, "scope" | "id">): boolean =>
  contextOf(event)[`${row.scope}ApprovalId`] === row.id;

function checkRow(row: ApprovalRow, events: readonly Told[]): Violation[] {
  const invariant = invariantOf(row.scope);
  const given = events.find((event) => isGiving(event, row));
  if (!given) return [{ invariant, subject: row.intentKey, detail: `approval ${row.id}: the events tell of none` }];
  const { payload } = given;
  const revoked = events.find((event) => REVOKING.has(event.type) && event.payload["approvalId"] === row.id);
  return compareFacts(invariant, row.intentKey, [
    [`approval ${row.id} approver`, row.approver, given.actor],
    ...(row.scope === "publish"
      ? ([
          [`approval ${row.id} contentHash`, row.contentHash, payload["contentHash"]],
          [`approval ${row.id} packageHash`, row.packageHash, payload["packageHash"]],
        ] as const)
      : ([
          [`approval ${row.id} pageUrl`, row.pageUrl, payload["pageUrl"]],
          [`approval ${row.id} bodyHash`, row.bodyHash, payload["bodyHash"]],
          [`approval ${row.id} audienceHash`, row.audienceHash, payload["audienceHash"]],
        ] as const)),
    [`approval ${row.id} revokedBy`, row.revokedBy, revoked?.actor ?? null],
    [`approval ${row.id} is revoked`, row.revokedAt !== null, revoked !== undefined],
  ]);
}

function checkMissing(taskKey: string, rows: readonly ApprovalRow[], events: readonly Told[]): Violation[] {
  return events.flatMap((event) =>
    Object.entries(contextOf(event)).flatMap(([name, id]): Violation[] => {
      const scope = /^(publish|send|correct)ApprovalId$/.exec(name)?.[1];
      if (scope === undefined || typeof id !== "string" || rows.some((row) => row.id === id)) return [];
      return [
        {
          invariant: invariantOf(scope),
          subject: taskKey,
          detail: `event ${event.seq} gave approval ${id}, no row is left of it`,
        },
      ];
    }),
  );
}
