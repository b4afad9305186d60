import { expect, it } from "vitest";
import { type TimedStep, timeDrill } from "../../main/domain/drill-timing";

// Domain 10: every step timed, and the one that stuck. Targets: 30 minutes, the duplicate drill's technical part 16.

const MINUTE = 60_000;
/** `7 OutcomeUnknown`: minutes after the beginning, and the event; without one the program was interrupted. */
const steps = (...lines: string[]): TimedStep[] =>
  lines.map((line) => {
    const [minute = "", event = null] = line.split(" ");
    return { at: Number(minute) * MINUTE, event };
  });
const minutes = ({ phases }: ReturnType<typeof timeDrill>) =>
  Object.fromEntries(phases.map(({ phase, at }) => [phase, at === null ? null : at / MINUTE]));

it("an unknown outcome is classified, decided and reconciled by the look that finds it, and verified by the page", () => {
  const timing = timeDrill(
    "S13",
    steps(
      "0 TaskCreated",
      "7 RequestSent",
      "7.5 OutcomeUnknown",
      "8 ReconcileStarted",
      "8 RemoteConfirmed",
      "10 PageVerified",
    ),
  );
  expect(minutes(timing)).toEqual({
    ...{ registered: 0, detected: 7.5, classified: 8, decided: 8, recovered: 8, verified: 10 },
  });
  expect(timing).toMatchObject({ stuck: "verified", totalMs: 2.5 * MINUTE, targetMs: 30 * MINUTE });
});

it("nothing there is a class of its own: sent again, and found", () => {
  const timing = timeDrill(
    "S14",
    steps(
      "0 TaskCreated",
      "1 OutcomeUnknown",
      "2 RemoteNotFound",
      "9 RequestSent",
      "10 RemoteConfirmed",
      "11 PageVerified",
    ),
  );
  expect(minutes(timing)).toMatchObject({ classified: 2, decided: 9, recovered: 10, verified: 11 });
  expect(timing.stuck).toBe("decided");
});

it("the duplicate drill has sixteen minutes; what waits for a person stays open", () => {
  const found = ["0 TaskCreated", "1 OutcomeUnknown", "2 RemoteConflict", "2 PublishBlocked"];
  const left = timeDrill("S16", steps(...found));
  expect(minutes(left)).toMatchObject({ classified: 2, decided: null, recovered: null, verified: null });
  expect(left.totalMs).toBeNull();
  const closed = timeDrill(
    "S48",
    steps(...found, "12 IncidentClosed", "12 RemoteConfirmed", "12 Unblocked", "13 PageVerified"),
  );
  expect(closed).toMatchObject({ stuck: "decided", totalMs: 12 * MINUTE, targetMs: 16 * MINUTE });
});

it("an undo is over with its proof, and an interruption is detected by whatever is recorded after it", () => {
  const undone = timeDrill(
    "S45",
    steps("0 TaskCreated", "0 ClosedProtectively", "5 CompensationStarted", "6 RemoteConfirmed", "9 Compensated"),
  );
  expect(minutes(undone)).toMatchObject({ detected: 5, decided: 5, recovered: 6, verified: 9 });
  const killed = timeDrill(
    "S22",
    steps("0 TaskCreated", "1 RequestSent", "1", "6 LeaseClaimed", "7 RemoteConfirmed", "8 PageVerified"),
  );
  expect(minutes(killed)).toMatchObject({ detected: 6, classified: 7, verified: 8 });
});

it("a play in which nothing fails has nothing to time", () => {
  const quiet = timeDrill("B1", steps("0 TaskCreated", "1 RemoteConfirmed", "2 PageVerified"));
  expect(minutes(quiet)).toMatchObject({ registered: 0, detected: null, verified: null });
  expect(quiet).toMatchObject({ stuck: null, totalMs: null });
});
