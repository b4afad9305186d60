import type { z } from "zod";
import type { DrillFacts } from "../../preload/contract";
import type { RemoteOutcome } from "./scenarios-outcome";
import type { Played } from "./scenarios-play";

type Facts = z.infer<typeof DrillFacts>;

/** What a play came to, as a screen shows it: the same facts as are frozen, taken apart into codes that have words. */
export function drillFacts({ outcome, ms }: Played, events: number): Facts {
  const { state, blockedReason, remote, alerts, recoveryItems, incidents, recipients, shown, violations } = outcome;
  return {
    state,
    blockedReason,
    events,
    operations: outcome.operations.map(({ operation, ...row }) => {
      const [kind = "", phase = ""] = operation.split(".");
      const { state: settled, remoteId, attempts, looks } = row;
      return { kind, phase, state: settled, remoteId, attempts: [...attempts], looks: [...looks] };
    }),
    calls: { ...remote.calls },
    posts: heldObjects(remote.posts),
    campaigns: heldObjects(remote.campaigns),
    mails: remote.mails,
    alerts: [...alerts],
    recoveryItems: [...recoveryItems],
    incidents: [...incidents],
    recipients: { ...recipients },
    shown: Object.entries(shown).map(([moment, lines]) => ({ moment, lines: lines.map(shownLine) })),
    violations: violations.map((violation) => violation.slice(0, 2000)),
    ms,
  };
}

/** `18427 published`: the id comes first and has no space in it. */
function heldObjects(objects: RemoteOutcome["posts"]): Facts["posts"] {
  return objects.map((object) => {
    const [id = "", status = ""] = object.split(" ");
    return { id, status };
  });
}

/** `way out: checking closed, something_is_out`: what it is about, then codes. */
function shownLine(line: string): Facts["shown"][number]["lines"][number] {
  const cut = line.indexOf(": ");
  const codes = line.slice(cut + 2).match(/[^\s,()]+/g) ?? [];
  return { about: line.slice(0, cut), codes: [...codes] };
}
